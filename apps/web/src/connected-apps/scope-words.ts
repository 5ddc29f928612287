import { listScopes, personalScopes } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'

/** Which scopes there are changes with the service's version alone. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listScopes)).scopes,
})

/** What only a personal token may be given, beside the scopes of apps. */
export const portalScope = { scope: 'apps:manage', description: personalScopes['apps:manage'] } as const

/** What a scope allows, in the reader's language; the service's own sentence for one that is not written here. */
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
