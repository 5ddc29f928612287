import { listScopes, personalScopes } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'

/** All scopes that apps can request. They change only with the service's version. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listScopes)).scopes,
})

/** Scopes that only a personal token can hold. */
export const portalScope = { scope: 'apps:manage', description: personalScopes['apps:manage'] } as const

/** The translated description of a scope; the service's sentence when no translation exists. */
export function useScopeWords(): (scope: string, description: string) => string {
  const { t } = useTranslation('connected-apps')
  return (scope, description) => {
    switch (scope) {
      case 'user:read':
        return t('scopes.userRead')
      case 'meeting:create':
        return t('scopes.meetingCreate')
      case 'meeting:delete':
        return t('scopes.meetingDelete')
      case 'meeting:read':
        return t('scopes.meetingRead')
      case 'meeting:update':
        return t('scopes.meetingUpdate')
      case 'meeting:join':
        return t('scopes.meetingJoin')
      case 'apps:manage':
        return t('scopes.appsManage')
      default:
        return description
    }
  }
}
