import { maxGuestMessageLength } from '@parley/contract'
import { guestsToNotify, type NotifiedChange, type Recipient } from '@parley/rules/invitations/guests-to-notify'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import type { MeetingValues } from '@parley/rules/meetings/update-plan'
import type { Exceptions } from '@parley/rules/recurrence/recurrence'
import { mapParsed, type Parsed, readOptional } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { violationAt } from '@parley/rules/text/violation'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Actor, ChargedAccount } from '../access/caller.ts'
import type { Executor, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { tables, typed } from '../platform/database/tables.ts'
import { invalidRequest } from '../platform/http/problem.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { currentTraceparent, type Job, jobsOfRows } from '../platform/jobs/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { lockInvitationsLeft, requireInvitationsLeft } from './mail-allowance.ts'
import type { MeetingRow } from './meeting-row.ts'

/** A meeting and an address. Emails about one meeting to one address are sent in order. */
const DeliveryKey = Type.Object({ meetingId: Type.String(), addressKey: Type.String() })
export type DeliveryKey = Static<typeof DeliveryKey>

/** Emails a guest what has changed; the module `invitations` handles it. */
export const deliveryJob = defineJob('deliver-to-guest', DeliveryKey)

/**
 * The handler gives up after a day of failures, which is about 13 attempts. The other attempts are for processes that crash
 * while they deliver.
 */
const maxGuestMailAttempts = 50

/** Emails of accounts go first, then reminders, which are useful for minutes only, then all others. */
export const deliveryPriorities = { reminder: 5, change: 10 }

const keyOf = (row: Fragment) => sql`${sql.lit(`${deliveryJob.name} `)} || ${row}.meeting_id || ' ' || ${row}.email_key`

/** Queue a delivery to a guest, in place of a delivery that is queued already. */
export const queueDelivery = (
  executor: Executor,
  { meetingId, addressKey }: DeliveryKey,
  { delayMs }: Pick<Job, 'delayMs'> = {},
): Promise<void> =>
  deliveryJob.queue(
    executor,
    { meetingId, addressKey },
    {
      key: `${deliveryJob.name} ${meetingId} ${addressKey}`,
      priority: deliveryPriorities.change,
      maxAttempts: maxGuestMailAttempts,
      ...(delayMs !== undefined && { delayMs }),
    },
  )

/** `traceparent` is added to each payload, as `addTraceparent` does. */
export const deliveryJobsOf = (rows: Fragment, priority: number, traceparent: Parameter | Fragment) =>
  jobsOfRows({
    task: deliveryJob.name,
    payload: sql`json_strip_nulls(json_build_object('meetingId', ${rows}.meeting_id, 'addressKey', ${rows}.email_key,
      'traceparent', ${traceparent}))`,
    priority: sql.lit(priority),
    key: keyOf(rows),
    rows,
    maxAttempts: maxGuestMailAttempts,
  })

/** Matches rows `d` of `guest_delivery` with an unsent email and without a job that will send it. */
const orphaned = sql`(d.pending or d.reminder_for is not null) and not exists (
  select from graphile_worker.jobs j where j.key = ${keyOf(sql`d`)} and j.attempts < j.max_attempts)`

const orphansStatement = defineStatement({
  name: 'count-orphaned-deliveries',
  parameters: {},
  columns: { count: 'integer' },
  text: () => sql`select count(*)::integer as count from guest_delivery d where ${orphaned}`,
})

/** Count the unsent emails without a job: after a restore, or after a job was given up. */
export async function countOrphanedDeliveries(executor: Executor): Promise<number> {
  const [counted] = await orphansStatement.execute(executor, {})
  return counted?.count ?? 0
}

const queueOrphansStatement = defineStatement({
  name: 'queue-orphaned-deliveries',
  parameters: {},
  columns: { count: 'integer', queued: 'bigint' },
  text: () => sql`with orphans as (
    update guest_delivery d set job_id = null, failing_since = null where ${orphaned}
    returning meeting_id, email_key, wanted_at
  ), ordered as (select * from orphans order by wanted_at nulls last)
  select (select count(*)::integer from orphans) as count,
    ${deliveryJobsOf(sql`ordered`, deliveryPriorities.change, sql`null::text`)} as queued`,
})

/**
 * Queue the emails that `countOrphanedDeliveries` counts, the oldest first. Each is tried for another day. An email
 * whose sending had started keeps its Message-ID.
 * @returns the number of guests
 */
export async function queueOrphanedDeliveries(executor: Executor): Promise<number> {
  const [queued] = await queueOrphansStatement.execute(executor, {})
  return queued?.count ?? 0
}

export type Address = { addressKey: string; email: string }

/** Whether a guest was or will be mailed that the meeting takes place. */
const isNotified = (delivery: Fragment) => sql`(${delivery}.held_sequence is not null or ${delivery}.pending)`

/** The guests to email; with `waitUntil` not before that, when the change can no longer be undone. */
type MailsToQueue = { now: Date; guests: readonly Address[]; waitUntil?: Date | undefined }

/** The parameters of a statement that contains `queueClauses`. */
const queueParameters = {
  namedId: 'uuid',
  chargedId: typed<ChargedAccount>('uuid'),
  wantedAt: 'timestamptz',
  waitUntil: tables.guestDelivery.waitUntil,
  message: tables.guestDelivery.message,
  messageBy: tables.guestDelivery.messageBy,
  messageAt: tables.guestDelivery.messageAt,
  guestKeys: 'text[]',
  guestEmails: 'text[]',
  traceparent: 'text?',
} as const

/**
 * The parts of a statement that marks guests for delivery. `meeting` is a table expression with the meeting's id and
 * host: nothing is queued in the name of another account. A mail that is waiting already stays charged to the same
 * account, because it is sent once. The latest message is sent; a change without one keeps that of an earlier change
 * that waits. Rows are written in the order of addresses, so that two such statements do not
 * deadlock.
 */
const queueClauses = (meeting: Fragment, p: Record<keyof typeof queueParameters, Parameter>) => ({
  ctes: sql`wanted as (
      insert into guest_delivery (meeting_id, email_key, email, pending, revision, sender_id, invited_by, wanted_at,
        wait_until, message, message_by, message_at)
      select ${meeting}.id, guest.email_key, guest.email, true, 1, ${p.chargedId}, ${p.chargedId}, ${p.wantedAt},
        ${p.waitUntil}, ${p.message}, ${p.messageBy}, ${p.messageAt}
      from ${meeting}, unnest(${p.guestKeys}, ${p.guestEmails}) as guest (email_key, email)
      where ${meeting}.host_id = ${p.namedId}
      order by guest.email_key
      on conflict (meeting_id, email_key) do update set email = excluded.email, pending = true,
        revision = guest_delivery.revision + 1, failing_since = null,
        wait_until = greatest(guest_delivery.wait_until, excluded.wait_until),
        message = coalesce(excluded.message, guest_delivery.message),
        message_by = case when excluded.message is null then guest_delivery.message_by else excluded.message_by end,
        message_at = case when excluded.message is null then guest_delivery.message_at else excluded.message_at end,
        sender_id = case when guest_delivery.pending then guest_delivery.sender_id else excluded.sender_id end,
        wanted_at = case when guest_delivery.pending then guest_delivery.wanted_at else excluded.wanted_at end,
        invited_by = case when ${isNotified(sql`guest_delivery`)} then guest_delivery.invited_by
          else excluded.invited_by end
      returning meeting_id, email_key
    )`,
  jobs: deliveryJobsOf(sql`wanted`, deliveryPriorities.change, p.traceparent),
})

const queueValues = ({ namedId, charged, accountId, message }: Actor, { now, guests, waitUntil }: MailsToQueue) => ({
  namedId,
  chargedId: charged,
  wantedAt: now,
  waitUntil: waitUntil ?? null,
  message,
  messageBy: message === null ? null : accountId,
  messageAt: message === null ? null : now,
  guestKeys: guests.map(({ addressKey }) => addressKey),
  guestEmails: guests.map(({ email }) => email),
  traceparent: currentTraceparent() ?? null,
})

const queueStatement = defineStatement({
  name: 'want-mails',
  parameters: { meetingId: tables.guestDelivery.meetingId, ...queueParameters },
  // `queued` may be fewer: a job that a worker claims at this moment is not queued again, and finds the new revision.
  columns: { written: 'integer', queued: 'bigint' },
  text: (p) => {
    const { ctes, jobs } = queueClauses(sql`meeting`, p)
    return sql`with meeting as (select id, host_id from meeting where id = ${p.meetingId}), ${ctes}
      select (select count(*)::integer from wanted) as written, ${jobs} as queued`
  },
})

/**
 * The rows are locked, so that no email is sent before the change is queued: each of these guests gets one email for
 * both.
 */
const waitingStatement = defineStatement({
  name: 'lock-waiting-mails',
  parameters: { meetingId: tables.guestDelivery.meetingId, guestKeys: 'text[]' },
  columns: { mails: 'integer' },
  text: (p) => sql`with waiting as (
    select from guest_delivery where meeting_id = ${p.meetingId} and email_key = any (${p.guestKeys}) and pending
    order by email_key for update
  ) select count(*)::integer as mails from waiting`,
})

/**
 * Queue emails in the transaction of the change: they are sent after the commit, and not after a rollback. The emails
 * count for the account that pays, which stays locked until then.
 * @throws too_many_invitations, if the change may be refused
 */
export async function queueMails(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  actor: Actor,
  { meetingId, isRefusable, ...wanted }: MailsToQueue & { meetingId: string; isRefusable: boolean },
): Promise<void> {
  const { guests, now } = wanted
  if (guests.length === 0) return
  const invitationsLeft = await lockInvitationsLeft(tx, dependencies, actor, now)
  const values = queueValues(actor, wanted)
  if (isRefusable) {
    const [waiting] = await waitingStatement.execute(tx, { meetingId, guestKeys: values.guestKeys })
    requireInvitationsLeft(invitationsLeft, guests.length - (waiting?.mails ?? 0))
  }
  const [queued] = await queueStatement.execute(tx, { meetingId, ...values })
  if (queued?.written !== guests.length) {
    throw new Error('emails to guests are queued in the name of the host of their meeting only')
  }
}

/**
 * Whether a guest was mailed that the meeting takes place, or will be as soon as a worker is free. A mail that the daily
 * limits of an address delay does not count: otherwise any number of invitations would fill a calendar at once.
 */
const isMailed = (delivery: Fragment) => sql`(${delivery}.held_sequence is not null
  or (${delivery}.pending and not exists (select from participant delayed
    where delayed.meeting_id = ${delivery}.meeting_id and delayed.email_key = ${delivery}.email_key
      and delayed.mail_delayed_until is not null)))`

/**
 * Whether the guest of the participant `p` has the meeting by their own doing or by mail: an email was sent about it, or
 * about the series that it continues; the guest has answered, or has added the meeting to the own list. Anyone may be put
 * on a meeting without an email; that alone must not remind people, or fill their calendars.
 */
export const isKnownToGuest = (p: Fragment): Fragment => sql`(${p}.response is not null
    or exists (select from guest_delivery d where d.meeting_id = ${p}.meeting_id and d.email_key = ${p}.email_key
      and ${isMailed(sql`d`)})
    or exists (select from occurrence_response r where r.meeting_id = ${p}.meeting_id and r.email_key = ${p}.email_key)
    or exists (select from account a join added_meeting added on added.account_id = a.id
      where a.email_key = ${p}.email_key and added.meeting_id = ${p}.meeting_id)
    or exists (with recursive lineage as (
        select continues as id from meeting where id = ${p}.meeting_id and continues is not null
        union select former.continues from meeting former join lineage on former.id = lineage.id
          where former.continues is not null
      ) select from lineage join guest_delivery d on d.meeting_id = lineage.id
        where d.email_key = ${p}.email_key and ${isMailed(sql`d`)}))`

const notifiedStatement = defineStatement({
  name: 'list-notified-guests',
  parameters: { meetingId: tables.participant.meetingId },
  columns: { addressKey: 'text', email: tables.participant.email },
  text: (p) => sql`select g.email_key as address_key, g.email from participant g
    join guest_delivery d on d.meeting_id = g.meeting_id and d.email_key = g.email_key
  where g.meeting_id = ${p.meetingId} and ${isNotified(sql`d`)} order by g.email_key`,
})

/** The guests whose calendars have the meeting by mail. */
export const listNotifiedGuests = (tx: Tx, meetingId: string): Promise<Address[]> =>
  notifiedStatement.execute(tx, { meetingId })

type MailedRecipient = Recipient & Address

const recipientsStatement = defineStatement({
  name: 'find-recipients',
  parameters: { meetingId: tables.guestDelivery.meetingId, stateSequence: 'integer' },
  columns: { addressKey: 'text', email: tables.guestDelivery.email, holds: typed<Recipient['holds']>('text') },
  text: (p) => sql`select email_key as address_key, email,
    case when pending or failing_since is not null then 'another-state' when held_sequence is null then 'nothing'
      when held_sequence = ${p.stateSequence} then 'state-before' else 'another-state' end as holds
  from guest_delivery where meeting_id = ${p.meetingId}`,
})

/**
 * Find all who were emailed about the meeting or have an unsent email, and whether their calendar shows
 * `stateSequence`.
 */
const findRecipients = (tx: Tx, meetingId: string, stateSequence: number): Promise<MailedRecipient[]> =>
  recipientsStatement.execute(tx, { meetingId, stateSequence })

const carriesStatement = defineStatement({
  name: 'find-queued-message',
  parameters: { meetingIds: 'uuid[]', message: 'text', messageBy: 'uuid' },
  columns: { isQueued: 'boolean' },
  text: (p) => sql`select exists (select from guest_delivery where meeting_id = any (${p.meetingIds}) and pending
    and message = ${p.message} and message_by = ${p.messageBy}) as is_queued`,
})

/**
 * Require that an email carries the message of the actor, after a change in the same transaction: a message that no one
 * gets must not be lost in silence.
 * @throws invalid_request
 */
export async function requireMessageQueued(tx: Tx, actor: Actor, ...meetingIds: readonly string[]): Promise<void> {
  const { message, accountId } = actor
  if (message === null) return
  const [found] = await carriesStatement.execute(tx, { meetingIds: [...meetingIds], message, messageBy: accountId })
  if (found?.isQueued !== true) throw notMailed()
}

const notMailed = () =>
  invalidRequest([
    violationAt('/message', { code: 'not_mailed', message: 'has no reader: no one is mailed about this' }),
  ])

/**
 * The actor with a message for the guests who are mailed; `notifies`: whether any are.
 * @throws invalid_request
 */
export function withMessage(actor: Actor, message: string | undefined, notifies: boolean): Actor {
  if (message === undefined) return actor
  if (!notifies) throw notMailed()
  return actor.writing(message)
}

/** Read the message to guests of a request; undefined for an empty one. */
export const readGuestMessage = (sent: string | undefined): Parsed<string | undefined> =>
  mapParsed(
    readOptional(sent, (text) => readPlainText('/message', text, { maxLength: maxGuestMessageLength, lines: true })),
    (text) => text?.trim() || undefined,
  )

const dropMessagesStatement = defineStatement({
  name: 'drop-messages',
  parameters: { meetingId: tables.guestDelivery.meetingId, cancelledAt: 'timestamptz' },
  text: (p) => sql`update guest_delivery set message = null, message_by = null, message_at = null
  where meeting_id = ${p.meetingId} and message_at = ${p.cancelledAt}`,
})

/** Drop what was written to guests with a cancellation that is taken back before they were mailed. */
export const dropMessages = (tx: Tx, meetingId: string, cancelledAt: Date) =>
  dropMessagesStatement.execute(tx, { meetingId, cancelledAt })

type GuestsChange = Omit<NotifiedChange, 'invited' | 'recipients'> & {
  /** The meeting before the change. */
  meeting: Pick<MeetingRow, 'id' | 'stateSequence'>
  /** The meeting after the change. */
  invited: readonly Address[]
  /** Whether the change is refused if the account that pays has no emails left today. */
  isRefusable: boolean
  /** The time until which the change can be undone: emails about it wait that long. */
  waitUntil?: Date | undefined
}

/**
 * Queue emails to all whose calendars a change makes outdated, in the transaction of the change. The content of an
 * email is decided when it is sent, from what that guest was last sent (docs/decisions/0054).
 * @returns the addresses
 * @throws too_many_invitations
 */
export async function notifyGuests(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  actor: Actor,
  { meeting, invited, isRefusable, waitUntil, ...change }: GuestsChange,
  now: Date,
): Promise<ReadonlySet<string>> {
  const recipients = await findRecipients(tx, meeting.id, meeting.stateSequence)
  const invitedKeys = invited.map(({ addressKey }) => addressKey)
  const concerned = guestsToNotify({ ...change, invited: invitedKeys, recipients }, now)
  const addresses = new Map([...recipients, ...invited].map(({ addressKey, email }) => [addressKey, email]))
  const guests = concerned.map((addressKey) => ({ addressKey, email: addresses.get(addressKey) ?? addressKey }))
  await queueMails(tx, dependencies, actor, { meetingId: meeting.id, guests, isRefusable, waitUntil, now })
  return new Set(concerned)
}

/** The people who get an email about a new meeting. */
export function guestsOfNewMeeting(values: MeetingValues, exceptions: Exceptions, now: Date): readonly Address[] {
  const invited = values.participants.map(({ addressKey }) => addressKey)
  const after = seriesOf(values, exceptions)
  const concerned = guestsToNotify({ before: null, after, isContentChanged: true, invited, recipients: [] }, now)
  const keys = new Set(concerned)
  return values.participants.filter(({ addressKey }) => keys.has(addressKey))
}
