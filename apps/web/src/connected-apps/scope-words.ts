import { listScopes, type PersonalScope, personalScopeNames } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'

/** All scopes that apps can request. They change only with the service's version. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listScopes)).scopes,
})

/** The scope that only a personal token can hold. */
export const portalScope = 'apps:manage' satisfies PersonalScope

const isKnown = (scope: string): scope is PersonalScope => personalScopeNames.some((known) => known === scope)

/** What a scope permits, in the page's language; the service's sentence for a scope that this page does not know. */
export function useScopeWords(): (scope: { scope: string; description?: string }) => string {
  const { t } = useTranslation('scopes')
  // The key contains the separator of nouns.
  return ({ scope, description = scope }) => (isKnown(scope) ? t(scope, { nsSeparator: false }) : description)
}
