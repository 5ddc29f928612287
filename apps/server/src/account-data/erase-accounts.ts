import { profileSettingDefaults } from '@parley/contract'
import { dayMs } from '@parley/rules/invitations/mail-limits'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import { serviceActorFor } from '../access/caller.ts'
import { trustsEveryAddress } from '../access/trusted-address.ts'
import { encryptAccountSecrets, newAccountSecrets } from '../accounts/account/account-secrets.ts'
import { noSchoolData } from '../accounts/account/create-account.ts'
import { deletePhotoBytes } from '../accounts/account/photo-store.ts'
import { deleteContacts } from '../accounts/contact-store.ts'
import { emailLanguage, handOverOfferedEmail } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { deleteEventsOfAccount } from '../event-log/event-store.ts'
import { deleteNotificationsOfAccount } from '../event-log/notification-store.ts'
import { lockInvitationsLeft } from '../meetings/mail-allowance.ts'
import { deleteTemplatesOfAccount } from '../meetings/templates/meeting-template-store.ts'
import { type Database, type Executor, inTransaction, type Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Platform } from '../platform/platform.ts'
import { deleteWebhooksOfAccount } from '../webhooks/webhook-store.ts'
import { cancelRest, deleteMeetings, lockForNewHost } from './departing-host.ts'
import {
  countHandOverMails,
  hasOpenOffers,
  insertHandOvers,
  isOffered,
  listSuccessors,
  markMailed,
} from './hand-over-store.ts'

type ErasureDependencies = Pick<Platform, 'database' | 'clock' | 'random' | 'encryption' | 'config'>

/** Long enough for a cohost on a short leave; until the end the deleted account's name and address are kept. */
const handOverDays = 7
export const handOverMs = handOverDays * dayMs

/** The job that continues every unfinished deletion: queued with each deletion, and once an hour. */
export const eraseAccountsJob = defineJob('erase-accounts', Type.Object({}))

/**
 * Emails that rate limits hold back leave within a day; emails that still wait after two days are dropped. The two days
 * begin when the meetings are cancelled, at the latest when the offers to cohosts end.
 */
export const erasureLimitMs = 48 * 60 * 60 * 1000

export const queueErasure = (executor: Executor) => eraseAccountsJob.queue(executor, {}, { key: eraseAccountsJob.name })

/** Resumable after any failure: each step skips what is done already. */
export function createEraseAccountsTask(dependencies: ErasureDependencies & { log: Logger }) {
  const { database, clock, log } = dependencies
  return eraseAccountsJob.handle(async () => {
    const closed = await database
      .selectFrom('account')
      .select(['id', 'name', 'lname', 'email', 'deletedAt', 'handsOverMeetings'])
      .where('deletedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .orderBy('deletedAt')
      .execute()
    for (const { deletedAt, handsOverMeetings: handsOver, ...account } of closed) {
      const { id } = account
      const closedAt = deletedAt ?? new Date(0)
      await leaveMeetings(dependencies, { ...account, deletedAt: closedAt, handsOver })
      const now = clock.now()
      if (await hasOpenOffers(database, id, now)) continue
      const isLate = now.getTime() - closedAt.getTime() >= erasureLimitMs + (handsOver ? handOverMs : 0)
      if (!isLate && (await hasPendingEmails(database, id))) continue
      await eraseAccount(dependencies, id)
      log.info({ accountId: id }, 'erased a deleted account')
    }
  })
}

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
async function leaveMeetings(dependencies: ErasureDependencies, account: ClosedAccount): Promise<void> {
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

/** Emails to one account about meetings that others offer: accounts could be made and deleted to send more. */
export const maxOfferMailsADay = 5

type LeavingHost = {
  meetingId: string
  host: { id: string; name: string; lname: string; email: string }
  endsAt: Date
  now: Date
}

/**
 * Offer a meeting to its cohosts who have an account in the host's organisation. Nothing of it changes before one of
 * them accepts, and nothing is sent in a cohost's name. Return false when there is none, or it was offered before.
 */
async function offerMeeting(
  tx: Tx,
  dependencies: ErasureDependencies,
  { meetingId, host, endsAt, now }: LeavingHost,
): Promise<boolean> {
  const { config } = dependencies
  if (!(await lockForNewHost(tx, meetingId, host.id))) return true
  const successors = await listSuccessors(tx, meetingId, trustsEveryAddress(config))
  const accountIds = successors.map(({ id }) => id)
  if (!(await insertHandOvers(tx, { meetingId, accountIds, offeredAt: now, expiresAt: endsAt }))) return false
  // Offers count for the account that leaves. Offers that are not mailed are on the cohost's pages as well.
  const { left } = await lockInvitationsLeft(tx, dependencies, serviceActorFor(host), now)
  for (const { id, email, language } of successors) {
    const mailed = await countHandOverMails(tx, host.id, id, new Date(now.getTime() - dayMs))
    if (mailed.toAccountOfHost || mailed.ofHost >= left || mailed.toAccount >= maxOfferMailsADay) continue
    const to = { baseUrl: config.baseUrl, to: email, language: emailLanguage(language) }
    const person = { name: `${host.name} ${host.lname}`.trim(), email: host.email }
    await queueEmail(tx, dependencies, handOverOfferedEmail({ ...to, host: person, expiresAt: endsAt }))
    await markMailed(tx, meetingId, id, now)
  }
  return true
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
async function hasPendingEmails(database: Database, accountId: string): Promise<boolean> {
  const [found] = await pendingEmailsStatement.execute(database, { hostId: accountId })
  return found?.waits ?? false
}

/**
 * Delete everything of a closed account but its id and what others own: their guest lists, and their apps' consents.
 */
async function eraseAccount(dependencies: ErasureDependencies, accountId: string): Promise<void> {
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
    await tx.deleteFrom('meetingColour').where('accountId', '=', accountId).execute()
    await tx.deleteFrom('knownNetwork').where('accountId', '=', accountId).execute()
    await tx.deleteFrom('idempotencyKey').where('accountId', '=', accountId).execute()
    await deleteContacts(tx, accountId)
    await deletePhotoBytes(tx, accountId)
    await deleteTemplatesOfAccount(tx, accountId)
    await deleteEventsOfAccount(tx, accountId)
    await deleteNotificationsOfAccount(tx, accountId)
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
  await sql`update audit_entry set detail = detail - 'email' where action in ('account.invited', 'account.invitation-revoked')
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
      lastSeenAt: null,
      language: '',
      hourCycle: '',
      firstDayOfWeek: '',
      meetingDefaults: JSON.stringify({}),
      avatar: 0,
      photo: null,
      settings: JSON.stringify(profileSettingDefaults),
      schoolData: JSON.stringify(noSchoolData),
      sealedSecrets: encryptAccountSecrets(encryption, accountId, newAccountSecrets(random)),
      erasedAt: now,
      modifiedAt: now,
    })
    .where('id', '=', accountId)
    .execute()
}
