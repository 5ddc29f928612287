import { audit } from '../access/audit.ts'
import type { Service } from '../access/service.ts'
import { type AccountRow, lockAccount } from '../accounts/account/account-store.ts'
import { queueLeaveRooms } from '../accounts/account/reconcile-rooms-job.ts'
import { lockTenant } from '../accounts/account/tenant-store.ts'
import type { AccessEnding } from '../accounts/accounts-service.ts'
import { deleteOauthRequest } from '../accounts/administration/oauth-request-store.ts'
import { accountDeletedEmail, emailLanguage } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { endSignIns } from '../accounts/ownership/end-access-of-others.ts'
import { hasAnotherAdministrator } from '../accounts/tenant-administrators.ts'
import { problem } from '../platform/http/problem.ts'
import type { Tx } from '../tables/tables.ts'
import { queueErasure } from './erase-accounts-job.ts'
import { stopAppsOf } from './stop-apps.ts'

export type CloseAccountDependencies = Pick<Service, 'random' | 'encryption' | 'config'> & {
  accessEndings: readonly AccessEnding[]
}

/** What becomes of the meetings ahead that the account hosts. */
export type MeetingsAhead = 'cancel' | 'hand_over'

export type Closing = {
  accountId: string
  /** An account of another organisation is not found; undefined for the operator. */
  tenantId: string | undefined
  /** Who deletes it: its owner, an administrator, or null for the operator. */
  actorId: string | null
  meetings: MeetingsAhead
  /** The network address of the request. */
  address: string
  now: Date
}

/** In the place of the address, which is free for another account from then on; no address has a space. */
const closedKey = (accountId: string) => `deleted ${accountId}`

/**
 * Close an account for good, in one transaction: from commit on nothing opens it on any instance, its apps are stopped, and
 * its address is free. What takes longer, its meetings and the erasure, is done by a job (erase-accounts-job.ts).
 * @throws account_not_found, last_administrator
 */
export async function closeAccount(
  tx: Tx,
  dependencies: CloseAccountDependencies,
  closing: Closing,
): Promise<AccountRow> {
  const { accountId, tenantId, actorId, meetings, address, now } = closing
  const { random, config } = dependencies
  const found = await tx.selectFrom('account').select('tenantId').where('id', '=', accountId).executeTakeFirst()
  if (found === undefined || (tenantId !== undefined && found.tenantId !== tenantId)) throw problem('account_not_found')
  // Before the account: changes of roles take these locks in the same order.
  await lockTenant(tx, found.tenantId)
  const account = await lockAccount(tx, accountId)
  if (account === undefined || account.deletedAt !== null) throw problem('account_not_found')
  const isGovernor = account.administrator && account.disabledAt === null
  if (isGovernor && !(await hasAnotherAdministrator(tx, account))) throw problem('last_administrator')

  await queueLeaveRooms(tx, accountId)
  // First, because what is being made with a session at this moment holds it until it is made: then it is seen below.
  await endSignIns(tx, accountId, now)
  await deleteNameInRooms(tx, accountId)
  await endGrants(tx, accountId, now)
  for (const end of dependencies.accessEndings) await end(tx, account, now)
  await deleteOauthRequest(tx, accountId)
  await deleteByAddress(tx, account)
  await stopAppsOf(tx, dependencies, { account, actorId, address, now })
  const closed = { disabledAt: account.disabledAt ?? now, deletedAt: now, emailKey: closedKey(accountId) }
  const roles = { administrator: false, reviewer: false, oauthEnabled: false, passwordHash: null }
  await tx
    .updateTable('account')
    .set({ ...closed, ...roles, handsOverMeetings: meetings === 'hand_over', modifiedAt: now })
    .where('id', '=', accountId)
    .execute()
  const by = actorId === null ? { by: 'operator' } : {}
  const entry = { tenantId: account.tenantId, actorId, subjectId: accountId, address }
  await audit(tx, random, now, { ...entry, action: 'account.deleted', detail: { meetings, ...by } })
  const told = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
  await queueEmail(tx, dependencies, accountDeletedEmail(told))
  await queueErasure(tx)
  return account
}

/** Before `accessEndings` would give them another cause, which the developers of these apps read. */
const endGrants = (tx: Tx, accountId: string, now: Date) =>
  tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'account_deleted' })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .execute()

/** The hosts of other meetings keep that somebody was there, and when. */
async function deleteNameInRooms(tx: Tx, accountId: string): Promise<void> {
  await tx.updateTable('roomStay').set({ name: '', accountId: null }).where('accountId', '=', accountId).execute()
  await tx.updateTable('admission').set({ name: '' }).where('accountId', '=', accountId).execute()
}

/** What waits for somebody who comes with this address is not for whoever has it next. */
async function deleteByAddress(tx: Tx, { id, emailKey }: AccountRow): Promise<void> {
  await tx.deleteFrom('mailedLink').where('accountId', '=', id).execute()
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('signUpInvitation').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('appTester').where('emailKey', '=', emailKey).execute()
  // The provider would let the same person in to an account that is gone.
  await tx.deleteFrom('providerIdentity').where('accountId', '=', id).execute()
}
