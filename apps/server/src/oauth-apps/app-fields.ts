import { type AppRequest, type Scope, scopeNames, type UseCase, useCases } from '@parley/contract'
import type { ClientType } from '@parley/rules/oauth/client-type'
import { type AppFields, readAppFields } from '@parley/rules/oauth-apps/app-fields'
import type { Config } from '../platform/config/config.ts'
import type { RevisionRow } from './app-store.ts'
import { requireValid } from './invalid-app.ts'

export type RegisteredFields = AppFields<UseCase, Scope>

export const fieldsOf = (row: RevisionRow): RegisteredFields => ({
  name: row.name,
  homepageUrl: row.homepageUrl,
  policyUrl: row.policyUrl,
  logoUrl: row.logoUrl,
  useCase: row.useCase,
  description: row.description,
  callbackUrls: row.callbackUrls,
  scopes: row.scopes,
  clientType: row.clientType,
  requirePkce: row.requirePkce,
  sendIss: row.sendIss,
})

const defaultFields = { description: '', clientType: 'confidential' as ClientType, requirePkce: false, sendIss: true }

type ReadingOptions = Pick<Config, 'httpsCallbacks' | 'tenants' | 'baseUrl'> & {
  liveName?: string | undefined
  /** Set once the app was submitted. */
  fixedClientType?: ClientType | undefined
}

/**
 * Read the fields of a request; omitted optional fields keep their value of `before`.
 * @throws invalid_app with all violations
 */
export function readFields(
  sent: Omit<AppRequest, 'draft'>,
  { httpsCallbacks, baseUrl, tenants, liveName, fixedClientType }: ReadingOptions,
  before: Pick<RegisteredFields, keyof typeof defaultFields> = defaultFields,
): RegisteredFields {
  const { description, clientType, requirePkce, sendIss } = { ...before, ...sent }
  const { name, homepageUrl, policyUrl, logoUrl, useCase, callbackUrls, scopes } = sent
  const pages = { homepageUrl, policyUrl, logoUrl, callbackUrls }
  const reading = readAppFields(
    { name, ...pages, useCase, description, scopes, clientType, requirePkce, sendIss },
    {
      httpsCallbacks,
      baseUrl,
      liveName,
      reservedNames: tenants.values(),
      fixedClientType,
      scopes: scopeNames,
      useCases: useCaseCodes,
    },
  )
  return requireValid(reading)
}

// TypeScript types the keys of any object as strings.
const useCaseCodes = Object.keys(useCases) as UseCase[]
