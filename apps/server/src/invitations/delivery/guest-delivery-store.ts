import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { sql } from 'kysely'
import type { ChargedAccount } from '../../access/caller.ts'
import type { DeliveryKey } from '../../meetings/guest-mail-queue.ts'
import { defaultRetention, retentionCutoff } from '../../platform/config/config-retention.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { type EncryptedState, readStateJson, type StateJson, stateJson } from './mailed-meeting-store.ts'

/** The parameters of a statement that names a delivery (`DeliveryKey`). */
const deliveryKey = { meetingId: 'uuid', addressKey: 'text' } as const

/** Select the rows of a delivery, in `guest_delivery` and `guest_mail`. */
const ofDelivery = (p: Record<keyof typeof deliveryKey, Parameter>) =>
  sql`meeting_id = ${p.meetingId} and email_key = ${p.addressKey}`

/** A message of a host to a guest. */
export type GuestMessage = { text: string; author: { name: string; lname: string } }

/** The delivery row of one meeting and one address. */
export type GuestDeliveryRow = RowOf<typeof deliveryTypes>

const deliveryTypes = {
  email: 'text',
  /** The number of the meeting's state that the guest's calendar has; null before the first mail. */
  confirmedSequence: 'integer?',
  pending: 'boolean',
  /** The number of changes that are to be mailed to this guest. */
  revision: 'integer',
  /** The account whose daily limits the pending mail counts towards. */
  charged: typed<ChargedAccount>('uuid?'),
  reminderFor: 'timestamptz?',
  reminderId: 'uuid?',
  /** The account whose daily limits the reminder counts towards; null for a host's own reminder. */
  reminderCharged: typed<ChargedAccount>('uuid?'),
  lastMailAt: 'timestamptz?',
  /** The pending change can be undone until then. */
  waitUntil: 'timestamptz?',
  failingSince: 'timestamptz?',
  jobId: typed<string | number>('bigint?'),
  /** The kind of a mail that was sent, until the meeting shows it (`delivery-report.ts`). */
  unreported: typed<InvitationEmailKind>('text?'),
  /** Whether to send the invitation even if the guest's calendar is up to date. */
  resend: 'boolean',
  /** Whether the invitation that is sent again asks for an answer. */
  asks: 'boolean',
  /** What was written to this guest with a pending change, and by whom; null for nothing, or after the author has left. */
  message: typed<GuestMessage | null>('json?'),
  messageAt: tables.guestDelivery.messageAt,
} as const

const lockStatement = defineStatement({
  name: 'lock-delivery',
  parameters: deliveryKey,
  columns: deliveryTypes,
  text: (p) => sql`select email, held_sequence as confirmed_sequence, pending, revision, sender_id as charged,
    reminder_for, reminder_id, reminder_sender_id as reminder_charged, last_mail_at, wait_until,
    failing_since, job_id, unreported, resend, asks, message_at, (select json_build_object('text', message,
      'author', json_build_object('name', a.name, 'lname', a.lname)) from account a
      where a.id = message_by and a.deleted_at is null and message is not null) as message
  from guest_delivery where ${ofDelivery(p)} for update`,
})

export async function lockDelivery(
  tx: Tx,
  { meetingId, addressKey }: DeliveryKey,
): Promise<GuestDeliveryRow | undefined> {
  const [found] = await lockStatement.execute(tx, { meetingId, addressKey })
  return found
}

const failingStatement = defineStatement({
  name: 'mark-delivery-failing',
  parameters: { ...deliveryKey, now: 'timestamptz' },
  columns: { failingSince: tables.guestDelivery.failingSince },
  text: (p) => sql`update guest_delivery set failing_since = coalesce(failing_since, ${p.now}) where ${ofDelivery(p)}
  returning failing_since`,
})

/** Record a failed attempt, and return the time since which all attempts have failed. */
export async function markFailing(
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  now: Date,
): Promise<Date> {
  const [failing] = await failingStatement.execute(database, { meetingId, addressKey, now })
  return failing?.failingSince ?? now
}

const keepMessage = (condition: Fragment) =>
  sql`message = case when ${condition} then message end, message_by = case when ${condition} then message_by end,
    message_at = case when ${condition} then message_at end`

/** Delete the message with its change, unless a newer change came after `revision`: its mail has the message. */
const withoutMessage = (p: { revision: Parameter }) => keepMessage(sql`revision <> ${p.revision}`)

const clearPendingStatement = defineStatement({
  name: 'clear-pending-delivery',
  parameters: { ...deliveryKey, revision: tables.guestDelivery.revision },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}, asks = asks and revision <> ${p.revision},
    ${withoutMessage(p)}, job_id = null,
    failing_since = case when not pending or revision <> ${p.revision} then failing_since end
  where ${ofDelivery(p)}`,
})

/** Clear a pending change that needs no mail, unless a newer one came after `revision`. */
export async function clearPending(tx: Tx, { meetingId, addressKey }: DeliveryKey, revision: number) {
  await clearPendingStatement.execute(tx, { meetingId, addressKey, revision })
}

const giveUpStatement = defineStatement({
  name: 'give-up-delivery',
  parameters: { ...deliveryKey, revision: tables.guestDelivery.revision },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}, asks = asks and revision <> ${p.revision},
    ${withoutMessage(p)}
  where ${ofDelivery(p)}`,
})

/** Give up the pending mail. The next change mails this guest everything that is missing by then. */
export async function giveUp(database: Database, { meetingId, addressKey }: DeliveryKey, revision: number) {
  await giveUpStatement.execute(database, { meetingId, addressKey, revision })
}

const resendStatement = defineStatement({
  name: 'want-resend',
  parameters: deliveryKey,
  text: (p) => sql`update guest_delivery set resend = true where ${ofDelivery(p)}`,
})

/** Mark a delivery so that the guest gets the invitation again, even if nothing has changed. */
export async function markForResend(tx: Tx, { meetingId, addressKey }: DeliveryKey): Promise<void> {
  await resendStatement.execute(tx, { meetingId, addressKey })
}

const askStatement = defineStatement({
  name: 'ask-for-answers',
  parameters: { meetingId: 'uuid', now: 'timestamptz', askedBefore: 'timestamptz', mailedBefore: 'timestamptz' },
  columns: { addressKey: 'text', email: tables.participant.email },
  text: (p) => sql`update participant p set asked_at = ${p.now}
    from guest_delivery d
    where p.meeting_id = ${p.meetingId} and p.response is null and (p.asked_at is null or p.asked_at <= ${p.askedBefore})
      and d.meeting_id = p.meeting_id and d.email_key = p.email_key and d.held_sequence is not null and not d.pending
      and (d.last_mail_at is null or d.last_mail_at <= ${p.mailedBefore})
    returning p.email_key as address_key, p.email`,
})

type Asking = { meetingId: string; now: Date; askedBefore: Date; mailedBefore: Date }

/**
 * Mark all who were mailed the invitation and have not answered as asked now, except those who were asked after
 * `askedBefore` or have a mail waiting or just sent. The caller has locked the meeting.
 */
export const markAsked = (tx: Tx, asking: Asking) => askStatement.execute(tx, asking)

const asksStatement = defineStatement({
  name: 'want-answers',
  parameters: { meetingId: 'uuid', addressKeys: 'text[]' },
  text: (p) => sql`update guest_delivery set resend = true, asks = true
  where meeting_id = ${p.meetingId} and email_key = any (${p.addressKeys})`,
})

/** Mark deliveries so that these guests get the invitation again, as a question for their answer. */
export async function markToAsk(tx: Tx, meetingId: string, addressKeys: readonly string[]): Promise<void> {
  await asksStatement.execute(tx, { meetingId, addressKeys: [...addressKeys] })
}

/** Drop a reminder that is obsolete or has failed. */
export const dropReminder = (database: Database, { meetingId, addressKey }: DeliveryKey, date: Date) =>
  database
    .updateTable('guestDelivery')
    .set({ reminderFor: null, reminderId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('reminderFor', '=', date)
    .execute()

/** End the job and keep what is pending. */
export const release = (database: Database, { meetingId, addressKey }: DeliveryKey) =>
  database
    .updateTable('guestDelivery')
    .set({ jobId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .execute()

/** A mail without a known outcome: the mail server may have accepted it. */
export type UnconfirmedMail = BegunMail & { state: EncryptedState | null }

/** A mail is given up after a day, and a guest gets at most one every two minutes: fewer than 1,000. */
const maxUnconfirmed = 1_000

const unconfirmedStatement = defineStatement({
  name: 'find-unconfirmed-mails',
  parameters: deliveryKey,
  columns: {
    ...pick(tables.guestMail, 'id', 'kind', 'sequence', 'stateSequence', 'date', 'startedAt'),
    state: typed<StateJson>('json?'),
  },
  text: (p) => sql`select g.id, g.kind, g.sequence, g.state_sequence, g.date, g.started_at,
    ${stateJson} as state
  from guest_mail g left join meeting_state s on s.meeting_id = g.meeting_id and s.sequence = g.state_sequence
  where g.meeting_id = ${p.meetingId} and g.email_key = ${p.addressKey}
    and g.outcome = 'unknown' and g.kind <> 'reminder'
  order by g.id limit ${sql.lit(maxUnconfirmed)}`,
})

export async function findUnconfirmed(tx: Tx, { meetingId, addressKey }: DeliveryKey): Promise<UnconfirmedMail[]> {
  const mails = await unconfirmedStatement.execute(tx, { meetingId, addressKey })
  return mails.map((mail) => ({ ...mail, state: readStateJson(mail.state) }))
}

/** A mail that is recorded and may be handed over. */
export type BegunMail = {
  id: string
  kind: InvitationEmailKind
  sequence: number
  stateSequence: number
  date: Date | null
  startedAt: Date
}

const beginStatement = defineStatement({
  name: 'begin-mail',
  parameters: {
    ...deliveryKey,
    ...pick(tables.guestMail, 'id', 'sequence', 'stateSequence', 'startedAt', 'date'),
    kind: 'text',
    encryptedState: 'bytea?',
    jobId: typed<string>('bigint'),
  },
  columns: { isNewState: 'boolean' },
  text: (p) => sql`with state as (
    insert into meeting_state (meeting_id, sequence, sealed_content, created_at)
    select ${p.meetingId}, ${p.stateSequence}, ${p.encryptedState}, ${p.startedAt} where ${p.encryptedState} is not null
    on conflict do nothing returning sequence
  ), begun as (
    insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, date, sender_id, started_at, outcome)
    select ${p.meetingId}, ${p.addressKey}, ${p.id}, ${p.kind}, ${p.sequence}, ${p.stateSequence}, ${p.date},
      case when ${p.kind} = 'reminder' then reminder_sender_id else sender_id end, ${p.startedAt}, 'unknown'
    from guest_delivery where ${ofDelivery(p)}
  ), claimed as (
    update guest_delivery set job_id = ${p.jobId},
      reminder_id = case when ${p.kind} = 'reminder' then ${p.id} else reminder_id end
    where ${ofDelivery(p)}
  ) select exists (select from state) as is_new_state`,
})

/**
 * Record a mail before it is handed to the mail server: if the process dies then, the mail counts as possibly delivered.
 * It counts towards the daily limits of the account that queued it.
 * @param mail `encryptedState` is the meeting as the mail shows it; null where that state is stored already
 */
export async function beginMail(
  tx: Tx,
  { meetingId, addressKey }: DeliveryKey,
  mail: BegunMail & { encryptedState: Buffer | null; jobId: string },
): Promise<void> {
  const [begun] = await beginStatement.execute(tx, { meetingId, addressKey, ...mail })
  if (begun?.isNewState !== true) return
  const { stateSequence, startedAt } = mail
  await pruneStatesStatement.execute(tx, { meetingId, stateSequence, startedAt })
}

/** Delete states that no calendar holds. Running deliveries may still refer to recent ones. */
const pruneStatesStatement = defineStatement({
  name: 'prune-meeting-states',
  parameters: pick(tables.guestMail, 'meetingId', 'stateSequence', 'startedAt'),
  text: (p) => sql`delete from meeting_state s where s.meeting_id = ${p.meetingId} and s.sequence < ${p.stateSequence}
    and s.created_at < ${p.startedAt} - interval '1 hour'
    and not exists (select from guest_delivery d where d.meeting_id = s.meeting_id and d.held_sequence = s.sequence)
    and not exists (select from guest_mail g where g.meeting_id = s.meeting_id and g.state_sequence = s.sequence
      and g.outcome = 'unknown')`,
})

const resumeStatement = defineStatement({
  name: 'resume-mail',
  parameters: { ...deliveryKey, jobId: typed<string>('bigint') },
  text: (p) => sql`update guest_delivery set job_id = ${p.jobId} where ${ofDelivery(p)}`,
})

/** Record another attempt at a recorded mail. */
export const resumeMail = (tx: Tx, { meetingId, addressKey }: DeliveryKey, jobId: string) =>
  resumeStatement.execute(tx, { meetingId, addressKey, jobId })

const sentStatement = defineStatement({
  name: 'mark-mail-sent',
  parameters: {
    ...deliveryKey,
    id: tables.guestMail.id,
    now: 'timestamptz',
    confirmedSequence: 'integer?',
    ...pick(tables.guestDelivery, 'unreported', 'revision', 'messageAt'),
  },
  columns: { hasMore: 'boolean' },
  text: (p) => sql`with cleared as (
    update guest_mail set outcome = case when id = ${p.id} then 'sent' else 'superseded' end,
      sent_at = case when id = ${p.id} then ${p.now} else sent_at end
    where ${ofDelivery(p)} and outcome = 'unknown' and kind <> 'reminder'
  ) update guest_delivery set held_sequence = ${p.confirmedSequence}, last_mail_at = ${p.now}, failing_since = null,
    unreported = ${p.unreported}, pending = pending and revision <> ${p.revision}, resend = false, asks = false,
    ${keepMessage(sql`revision <> ${p.revision} and message_at is distinct from ${p.messageAt}`)},
    job_id = case when revision <> ${p.revision} or reminder_for is not null then job_id end
  where ${ofDelivery(p)}
  returning pending or reminder_for is not null as has_more`,
})

/**
 * Record that the mail server accepted the mail: the guest's calendar now has its state, and earlier mails without a known
 * outcome no longer matter. The meeting's row is updated later (`reportSent`), because a change may hold its lock.
 * Return whether there is more to do.
 * @param sent `unreported` is the kind of this mail; null where the meeting shows it already; `messageAt` names the message in it
 */
export async function markSent(
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  sent: {
    id: string
    now: Date
    confirmedSequence: number | null
    unreported: InvitationEmailKind | null
    revision: number
    messageAt: Date | null
  },
): Promise<boolean> {
  const [marked] = await sentStatement.execute(database, { meetingId, addressKey, ...sent })
  return marked?.hasMore ?? false
}

const reminderSentStatement = defineStatement({
  name: 'mark-reminder-sent',
  parameters: {
    ...deliveryKey,
    id: tables.guestMail.id,
    now: 'timestamptz',
    unreported: tables.guestDelivery.unreported,
  },
  columns: { hasMore: 'boolean' },
  text: (p) => sql`with cleared as (
    update guest_mail set outcome = 'sent', sent_at = ${p.now} where ${ofDelivery(p)} and id = ${p.id}
  ) update guest_delivery set failing_since = null, unreported = ${p.unreported},
    reminder_for = case when reminder_id is distinct from ${p.id} then reminder_for end,
    reminder_id = case when reminder_id is distinct from ${p.id} then reminder_id end,
    job_id = case when pending or reminder_id is distinct from ${p.id} then job_id end
  where ${ofDelivery(p)}
  returning pending or reminder_for is not null as has_more`,
})

export async function markReminderSent(
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  sent: { id: string; now: Date; unreported: InvitationEmailKind | null },
): Promise<boolean> {
  const [marked] = await reminderSentStatement.execute(database, { meetingId, addressKey, ...sent })
  return marked?.hasMore ?? false
}

const rejectedStatement = defineStatement({
  name: 'delete-rejected-mail',
  parameters: { ...deliveryKey, id: tables.guestMail.id },
  text: (p) => sql`with deleted as (
    delete from guest_mail where ${ofDelivery(p)} and id = ${p.id} and outcome = 'unknown'
  ) update guest_delivery set reminder_id = null where ${ofDelivery(p)} and reminder_id = ${p.id}`,
})

/** Delete a mail that the mail server rejected at the first attempt. */
export async function deleteMail(database: Database, { meetingId, addressKey }: DeliveryKey, id: string) {
  await rejectedStatement.execute(database, { meetingId, addressKey, id })
}

/** Deleting this many rows takes less than a second. */
const rowsAtOnce = 10_000
/** As many rows as three connections can produce in an hour. */
const maxBatches = 20

const deleteMailsStatement = defineStatement({
  name: 'delete-guest-mails',
  parameters: { before: 'timestamptz' },
  columns: { rows: 'integer' },
  text: (p) => sql`with
    old as (select ctid from guest_mail where started_at < ${p.before} limit ${sql.lit(rowsAtOnce)}),
    deleted as (delete from guest_mail where ctid = any (array(select ctid from old)) returning 1)
  select count(*)::integer as rows from deleted`,
})

/**
 * Delete only the deliveries of people who are no longer invited and were notified of that. The calendars of all others
 * still show what their rows record.
 */
const deleteDeliveriesStatement = defineStatement({
  name: 'delete-ended-deliveries',
  parameters: { before: 'timestamptz' },
  columns: { rows: 'integer' },
  text: (p) => sql`with old as (
    select meeting_id, email_key from guest_delivery d
    where last_mail_at < ${p.before} and held_sequence is null and not pending and reminder_for is null
    limit ${sql.lit(rowsAtOnce)}
  ), deleted as (
    delete from guest_delivery d using old where d.meeting_id = old.meeting_id and d.email_key = old.email_key
      and d.held_sequence is null and not d.pending and d.reminder_for is null returning 1
  ) select count(*)::integer as rows from deleted`,
})

/** Delete old records of mails about meetings. Responses and calendars do not depend on them. */
export async function deleteOldMails(
  database: Database,
  now: Date,
  days = defaultRetention.mailRecordDays,
): Promise<void> {
  const before = retentionCutoff(now, days) ?? now
  for (const statement of [deleteMailsStatement, deleteDeliveriesStatement]) {
    for (let batch = 0; batch < maxBatches; batch++) {
      const [deleted] = await statement.execute(database, { before })
      if (deleted === undefined || deleted.rows < rowsAtOnce) break
    }
  }
}
