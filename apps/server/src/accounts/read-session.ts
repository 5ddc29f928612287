import { readSession } from '@parley/contract'
import { findAccount } from './account/account-store.ts'
import { viewOwnProfile } from './account/read-profile.ts'
import type { AccountsService } from './accounts-service.ts'

/** What every page of ours asks first: without a session it is an answer like any other, and no error in a console. */
export function serveReadSession(service: AccountsService) {
  service.serve(readSession, async ({ caller, database }) => {
    if (caller?.credential.kind !== 'session') return { user: null }
    const account = await findAccount(database, caller.accountId)
    return { user: account === undefined ? null : await viewOwnProfile(service, database, caller, account) }
  })
}
