import { profileSettingDefaults } from '@parley/contract'
import { sql } from 'kysely'
import { encryptAccountSecrets, newAccountSecrets } from '../accounts/account/account-secrets.ts'
import { noSchoolData } from '../accounts/account/create-account.ts'
import { deleteEventsOfAccount } from '../event-log/event-store.ts'
import { cancelRest, deleteMeetings } from '../meetings/departing-host.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { deleteWebhooksOfAccount } from '../webhooks/webhook-store.ts'
import { type ErasureDependencies, handOverMs, offerMeeting } from './hand-over-meeting.ts'
import { isOffered } from './hand-over-store.ts'

/**
 * The number of meetings per query. Each meeting is cancelled in a transaction of its own: one with a thousand guests
 * takes a tenth of a second.
 */
const meetingsAtOnce = 100

type ClosedAccount = { id: string; name: string; lname: string; email: string; deletedAt: Date; handsOver: boolean }

/**
 * Cancel every future meeting of a closed account, or offer it to its cohosts and cancel it when the offers have ended
 * without an acceptance.
 */
export async function leaveMeetings(dependencies: ErasureDependencies, account: ClosedAccount): Promise<void> {
  const { database, clock } = dependencies
  const { deletedAt, handsOver, ...host } = account
  const endsAt = new Date(deletedAt.getTime() + handOverMs)
  for (;;) {
    const now = clock.now()
    const ahead = await database
      .selectFrom('meeting')
      .select('id')
      .where('hostId', '=', host.id)
      .where('cancelledAt', 'is', null)
      .where('overAt', '>', now)
      .where(sql<boolean>`not ${isOffered(now)}`)
      .orderBy('startsAt')
      .limit(meetingsAtOnce)
      .execute()
    if (ahead.length === 0) return
    const offers = handsOver && now < endsAt
    for (const { id } of ahead) {
      await inTransaction(database, async (tx) => {
        if (offers && (await offerMeeting(tx, dependencies, { meetingId: id, host, endsAt, now }))) return
        await cancelRest(tx, dependencies, id, now)
      })
    }
  }
}

const pendingEmailsStatement = defineStatement({
  name: 'find-mails-of-host',
  parameters: { hostId: tables.meeting.hostId },
  columns: { waits: 'boolean' },
  text: (p) => sql`select exists (select from guest_delivery d join meeting m on m.id = d.meeting_id
    where m.host_id = ${p.hostId} and d.pending) as waits`,
})

/**
 * Whether emails to guests are pending. Guests' calendars know the meeting by the host's name and address, which must
 * not be erased before.
 */
export async function hasPendingEmails(database: Database, accountId: string): Promise<boolean> {
  const [found] = await pendingEmailsStatement.execute(database, { hostId: accountId })
  return found?.waits ?? false
}

/**
 * Delete everything of a closed account but its id and what others own: their guest lists, and their apps' consents.
 */
export async function eraseAccount(dependencies: ErasureDependencies, accountId: string): Promise<void> {
  const { database, clock } = dependencies
  for (;;) {
    const hosted = await database
      .selectFrom('meeting')
      .select('id')
      .where('hostId', '=', accountId)
      .limit(meetingsAtOnce)
      .execute()
    if (hosted.length === 0) break
    const ids = hosted.map(({ id }) => id)
    await inTransaction(database, (tx) => deleteMeetings(tx, ids))
  }
  await deleteWebhooksOfAccount(database, accountId)
  await inTransaction(database, async (tx) => {
    const now = clock.now()
    await tx.deleteFrom('hostedMeetingCount').where('hostId', '=', accountId).execute()
    await tx.deleteFrom('addedMeeting').where('accountId', '=', accountId).execute()
    await tx.deleteFrom('knownNetwork').where('accountId', '=', accountId).execute()
    await tx.deleteFrom('idempotencyKey').where('accountId', '=', accountId).execute()
    await deleteEventsOfAccount(tx, accountId)
    await deleteOwnRoom(tx, accountId)
    await eraseAuditDetails(tx, accountId)
    await eraseAppDetails(tx, accountId)
    await eraseRow(tx, dependencies, accountId, now)
  })
}

/** Delete the account's own room with its meetings' history. */
async function deleteOwnRoom(tx: Tx, accountId: string): Promise<void> {
  const { roomId } = await tx
    .selectFrom('account')
    .select('roomId')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  await deleteMeetings(tx, [roomId])
}

/** Keep who did what, by id, in the audit log; delete addresses, user agents and names. */
async function eraseAuditDetails(tx: Tx, accountId: string): Promise<void> {
  await sql`update audit_entry set address = '' where actor_id = ${accountId}`.execute(tx)
  await sql`update audit_entry set address = case when actor_id is null then '' else address end,
      detail = detail - 'userAgent' - 'name' - 'reason' - 'issuer'
    where subject_id = ${accountId}`.execute(tx)
  await sql`update audit_entry set detail = detail - 'email' where action = 'account.invited'
    and tenant_id = (select tenant_id from account where id = ${accountId})
    and lower(detail ->> 'email') = (select lower(email) from account where id = ${accountId})`.execute(tx)
}

/** Delete the owner's name as the consent page showed it. */
const eraseAppDetails = (tx: Tx, accountId: string) =>
  sql`update app_revision set owner_name = null where app_id in (select id from app where owner_id = ${accountId})`.execute(
    tx,
  )

async function eraseRow(tx: Tx, { random, encryption }: ErasureDependencies, accountId: string, now: Date) {
  await tx
    .updateTable('account')
    .set({
      email: '',
      name: '',
      lname: '',
      phoneNo: '',
      department: '',
      location: '',
      timeZone: '',
      chatId: random.uuid(now),
      chatUserId: random.uuid(now),
      emailVerifiedAt: null,
      passwordChangedAt: null,
      language: '',
      avatar: 0,
      settings: JSON.stringify(profileSettingDefaults),
      schoolData: JSON.stringify(noSchoolData),
      sealedSecrets: encryptAccountSecrets(encryption, accountId, newAccountSecrets(random)),
      erasedAt: now,
      modifiedAt: now,
    })
    .where('id', '=', accountId)
    .execute()
}
