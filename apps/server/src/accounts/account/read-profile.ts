import { readProfile } from '@parley/contract'
import { type Caller, holdsScope } from '../../access/caller.ts'
import { isAddressTrusted, isAddressVerified } from '../../access/trusted-address.ts'
import type { Database } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { decryptAccountSecrets } from './account-secrets.ts'
import { type AccountRow, findAccount } from './account-store.ts'
import { viewProfile } from './profile-view.ts'
import { decidesAboutApps } from './tenant-store.ts'

export function serveReadProfile(service: AccountsService) {
  service.serve(readProfile, {
    handle: async ({ caller, database }) => {
      const account = await findAccount(database, caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      return viewOwnProfile(service, database, caller, account)
    },
  })
}

/**
 * View the caller's own profile. Only a session sees the chat key: programs may enter the person's room, but not chat
 * as them. An app sees the PIN of the room with the scope that shows it the PINs of meetings.
 */
export async function viewOwnProfile(
  { encryption, config }: Pick<AccountsService, 'encryption' | 'config'>,
  database: Database,
  caller: Caller,
  account: AccountRow,
) {
  const { credential } = caller
  const { roomPin, chatKey } = decryptAccountSecrets(encryption, account)
  const emailVerified = credential.kind === 'oauth' ? isAddressVerified(account) : isAddressTrusted(account, config)
  const reviewer = await decidesAboutApps(database, account)
  return viewProfile(
    { ...account, reviewer },
    {
      emailVerified,
      ...((credential.kind !== 'oauth' || holdsScope(caller, 'meeting:read')) && { roomPin }),
      ...(credential.kind === 'session' && { chatKey }),
    },
  )
}
