import { listPasskeys } from '@parley/contract'
import type { AccountsService } from '../accounts-service.ts'
import { listPasskeyRows } from './passkey-store.ts'
import { viewPasskey } from './passkey-view.ts'

export function serveListPasskeys({ serve }: AccountsService) {
  serve(listPasskeys, {
    handle: async ({ caller, database }) => {
      const passkeys = await listPasskeyRows(database, caller.accountId)
      return { passkeys: passkeys.map(viewPasskey) }
    },
  })
}
