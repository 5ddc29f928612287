import { readProfile } from '@parley/contract'
import type { Caller } from '../access/caller.ts'
import { problem } from '../platform/problem.ts'
import { openAccountSecrets } from './account-secrets.ts'
import { type AccountRow, findAccount } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { viewProfile } from './profile-view.ts'

export function serveReadProfile(service: AccountsService) {
  service.serve(readProfile, async ({ caller, database }) => {
    const account = await findAccount(database, caller.accountId)
    if (account === undefined) throw problem('unauthorized')
    return viewOwnProfile(service, caller, account)
  })
}

/** The key of the chat system is for the person alone; a program of theirs may enter their room, but not chat as them. */
export function viewOwnProfile(
  { sealedBox, config: { emailVerification } }: Pick<AccountsService, 'sealedBox' | 'config'>,
  { credential }: Caller,
  account: AccountRow,
) {
  const { roomPin, chatKey } = openAccountSecrets(sealedBox, account)
  return viewProfile(account, { roomPin, emailVerification, ...(credential.kind === 'session' && { chatKey }) })
}
