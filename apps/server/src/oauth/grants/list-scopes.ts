import { listScopes, scopeNames, scopes } from '@parley/contract'
import type { Service } from '../../access/service.ts'

export function serveListScopes({ serve }: Service) {
  serve(listScopes, {
    handle: async () => ({
      scopes: scopeNames.map((scope) => ({ scope, description: scopes[scope] })),
    }),
  })
}
