import { readSession } from '@parley/contract'
import { findAccount } from './account/account-store.ts'
import { viewOwnProfile } from './account/read-profile.ts'
import type { AccountsService } from './accounts-service.ts'

/** Read the browser's session. Without one the reply is 200, so that pages cause no error in the browser's console. */
export function serveReadSession(service: AccountsService) {
  service.serve(readSession, {
    handle: async ({ caller, database }) => {
      if (caller?.credential.kind !== 'session') return { user: null }
      const account = await findAccount(database, caller.accountId)
      return { user: account === undefined ? null : await viewOwnProfile(service, database, caller, account) }
    },
  })
}
