import { listPersonalTokens } from '@parley/contract'
import { listPersonalTokenRows } from '../../access/credentials/personal-token-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { viewPersonalToken } from './personal-token-view.ts'

export function serveListPersonalTokens({ serve }: AccountsService) {
  serve(listPersonalTokens, {
    handle: async ({ caller, database }) => {
      const tokens = await listPersonalTokenRows(database, caller.accountId)
      return { tokens: tokens.map(viewPersonalToken) }
    },
  })
}
