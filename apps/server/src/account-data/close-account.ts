import { type AuditEntry, audit } from '../access/audit.ts'
import { endReplyAddressesOfClosed } from '../access/credentials/reply-addresses.ts'
import { type AccountRow, hasAnotherAdministrator, lockAccount } from '../accounts/account/account-store.ts'
import { lockTenant } from '../accounts/account/tenant-store.ts'
import type { OnAccessRevoked, OnSignedOut } from '../accounts/dependencies.ts'
import { accountDeletedEmail, emailLanguage } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { endSignIns, queueReconcileRoomsOfAccount } from '../accounts/end-access.ts'
import { deleteOauthRequest } from '../accounts/oauth-access-request-store.ts'
import { eraseParticipantInEvents } from '../event-log/event-store.ts'
import { eraseWaitingInNotifications } from '../event-log/notification-store.ts'
import { recordAppLogEvent, recordGrantEvents } from '../event-log/record-event.ts'
import { deleteBlocks } from '../meetings/blocked-sender-store.ts'
import { endGrantsOfApp } from '../oauth-apps/app-grants.ts'
import { retireAllSecrets } from '../oauth-apps/app-secret-store.ts'
import { listOwnApps, newestRevision, type RegisteredApp, updateApp } from '../oauth-apps/app-store.ts'
import { insertReviewLine } from '../oauth-apps/review-store.ts'
import type { Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'
import type { Random } from '../platform/random.ts'
import { queueErasure } from './erase-accounts.ts'

export type CloseAccountDependencies = Pick<Platform, 'random' | 'encryption' | 'config'> & {
  onAccessRevoked: readonly OnAccessRevoked[]
  onSignedOut: readonly OnSignedOut[]
}

/** What happens to the future meetings that the account hosts. */
export type MeetingsAhead = 'cancel' | 'hand_over'

type Closing = {
  accountId: string
  /** Accounts of other organisations are not found; undefined for the operator. */
  tenantId: string | undefined
  /** The actor: the account's owner, an administrator, or null for the operator. */
  actorId: string | null
  meetings: MeetingsAhead
  /** The network address of the request. */
  address: string
  now: Date
}

/** The address key of a closed account, so that another account may take the address. Addresses hold no spaces. */
const closedKey = (accountId: string) => `deleted ${accountId}`

/**
 * Close an account for good, in one transaction: from commit on no instance accepts it, its apps are stopped, and its
 * address is free. A job then cancels or hands over its meetings and erases its data (erase-accounts.ts).
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
  // Lock the tenant before the account, as changes of roles do, to avoid deadlocks.
  await lockTenant(tx, found.tenantId)
  const account = await lockAccount(tx, accountId)
  if (account === undefined || account.deletedAt !== null) throw problem('account_not_found')
  const isActiveAdministrator = account.administrator && account.disabledAt === null
  if (isActiveAdministrator && !(await hasAnotherAdministrator(tx, account))) throw problem('last_administrator')

  await queueReconcileRoomsOfAccount(tx, accountId)
  // End sign-ins first: transactions that create something with a session lock it, so that the deletions below see what
  // they created.
  await endSignIns(tx, dependencies, accountId, now)
  await deleteNameInRooms(tx, accountId)
  await endGrants(tx, accountId, now)
  for (const end of dependencies.onAccessRevoked) await end(tx, account, now)
  await deleteOauthRequest(tx, accountId)
  await deleteByAddress(tx, account)
  await endReplyAddressesOfClosed(tx, account)
  await stopAppsOf(tx, dependencies, { account, actorId, address, now })
  await tx
    .updateTable('account')
    .set({
      disabledAt: account.disabledAt ?? now,
      deletedAt: now,
      emailKey: closedKey(accountId),
      administrator: false,
      reviewer: false,
      oauthEnabled: false,
      passwordHash: null,
      handsOverMeetings: meetings === 'hand_over',
      modifiedAt: now,
    })
    .where('id', '=', accountId)
    .execute()
  const by = actorId === null ? { by: 'operator' } : {}
  const entry = { tenantId: account.tenantId, actorId, subjectId: accountId, address }
  await audit(tx, random, now, { ...entry, action: 'account.deleted', detail: { meetings, ...by } })
  const email = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
  await queueEmail(tx, dependencies, accountDeletedEmail(email))
  await queueErasure(tx)
  return account
}

/**
 * End the grants before `onAccessRevoked`, which would record another cause; developers of these apps read the cause.
 */
async function endGrants(tx: Tx, accountId: string, now: Date): Promise<void> {
  const revoked = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'account_deleted' })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  await recordGrantEvents(tx, 'grant.revoked', revoked, now)
}

/** Hosts of other meetings keep the attendance times, without the name. */
async function deleteNameInRooms(tx: Tx, accountId: string): Promise<void> {
  await tx.updateTable('roomStay').set({ name: '', accountId: null }).where('accountId', '=', accountId).execute()
  await eraseParticipantInEvents(tx, accountId)
  await eraseWaitingInNotifications(tx, accountId)
  await tx.updateTable('admission').set({ name: '', formerName: null }).where('accountId', '=', accountId).execute()
}

/** Delete what waits for the address, so that its next owner does not receive it. */
async function deleteByAddress(tx: Tx, { id, emailKey }: AccountRow): Promise<void> {
  await deleteBlocks(tx, { accountId: id, addressKey: emailKey })
  await tx.deleteFrom('mailedLink').where('accountId', '=', id).execute()
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('signUpInvitation').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('appTester').where('emailKey', '=', emailKey).execute()
  // The organisation's provider would sign the person in to a closed account.
  await tx.deleteFrom('providerIdentity').where('accountId', '=', id).execute()
}

type Stop = { account: AccountRow; actorId: string | null; address: string; now: Date }

/**
 * Stop the apps of a deleted account. A submitted app is suspended, so that an administrator may resume it for its
 * users; an app that was never submitted is deleted.
 */
async function stopAppsOf(tx: Tx, { random }: { random: Random }, stop: Stop): Promise<void> {
  const { account, actorId, now } = stop
  await tx.selectFrom('app').select('id').where('ownerId', '=', account.id).orderBy('id').forUpdate().execute()
  for (const registered of await listOwnApps(tx, account.id)) {
    const { app } = registered
    if (app.submittedAt === null) {
      await updateApp(tx, app.id, { deletedAt: now, modifiedAt: now })
      await retireAllSecrets(tx, app.id, now)
      await endGrantsOfApp(tx, app, now)
      await record(tx, random, stop, registered, 'app.deleted')
    } else if (app.status !== 'suspended') {
      await updateApp(tx, app.id, { status: 'suspended', statusBefore: app.status, modifiedAt: now })
      const { number: revision, name } = newestRevision(registered)
      const line = { appId: app.id, revision, reasons: [], decidedBy: actorId ?? account.id, now, random }
      await insertReviewLine(tx, { ...line, decision: 'suspended' })
      const data = { appId: app.id, name }
      await recordAppLogEvent(tx, { type: 'app.suspended', ownerId: account.id, data, now })
      await record(tx, random, stop, registered, 'app.suspended')
    }
  }
}

function record(
  tx: Tx,
  random: Random,
  { account, actorId, address, now }: Stop,
  registered: RegisteredApp,
  action: AuditEntry['action'],
) {
  const detail = { appId: registered.app.id, name: newestRevision(registered).name, because: 'account_deleted' }
  const by = actorId === null ? { by: 'operator' } : {}
  const entry = { tenantId: account.tenantId, actorId, subjectId: account.id, address }
  return audit(tx, random, now, { ...entry, action, detail: { ...detail, ...by } })
}
