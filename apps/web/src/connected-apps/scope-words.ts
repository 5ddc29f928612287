import { listScopes, type PersonalScope, personalScopes, scopeTexts } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { textInPageLanguage } from '../texts/i18n.ts'

/** All scopes that apps can request. They change only with the service's version. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listScopes)).scopes,
})

/** Scopes that only a personal token can hold. */
export const portalScope = { scope: 'apps:manage', description: personalScopes['apps:manage'] } as const

const isKnown = (scope: string): scope is PersonalScope => Object.hasOwn(scopeTexts, scope)

/** What a scope permits, in the page's language; the service's sentence for a scope that this page does not know. */
export function useScopeWords(): (scope: { scope: string; description?: string }) => string {
  // Render again when the language changes.
  useTranslation()
  return ({ scope, description = scope }) => (isKnown(scope) ? textInPageLanguage(scopeTexts[scope]) : description)
}
