import type { InvitationResponse } from '@parley/contract'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import type { Language } from '@parley/rules/text/language'
import { sql } from 'kysely'
import { exceptionsJson, exceptionsType, type WrittenExceptions } from '../../meetings/exception-store.ts'
import type { DeliveryName } from '../../meetings/guest-delivery.ts'
import type { ScheduleRow } from '../../meetings/meeting-row.ts'
import { typed } from '../../platform/database/column-types.ts'
import { defineStatement, type Parameter, type RowOf } from '../../platform/database/define-statement.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import type { EncryptedState } from './meeting-state.ts'

/** The delivery row of one meeting and one address. */
export type DeliveryRow = RowOf<typeof deliveryTypes>

const deliveryTypes = {
  email: 'text',
  /** The number of the meeting's state that the guest's calendar has; null before the first mail. */
  confirmedSequence: 'integer?',
  pending: 'boolean',
  /** Counts the changes that are to be mailed to this guest. */
  revision: 'integer',
  senderId: 'uuid?',
  reminderFor: 'timestamptz?',
  reminderId: 'uuid?',
  lastMailAt: 'timestamptz?',
  failingSince: 'timestamptz?',
  jobId: typed<string | number>('bigint?'),
  /** The kind of a mail that was sent and that the meeting's row does not record yet. */
  unreported: typed<InvitationEmailKind>('text?'),
  /** Whether to send the invitation even if the guest's calendar is up to date. */
  resend: 'boolean',
} as const

/** The key of a delivery. */
const deliveryKey = { meetingId: 'uuid', addressKey: 'text' } as const
const ofDelivery = (p: Record<keyof typeof deliveryKey, Parameter>) =>
  sql`meeting_id = ${p.meetingId} and email_key = ${p.addressKey}`

const lockStatement = defineStatement({
  name: 'lock-delivery',
  parameters: deliveryKey,
  columns: deliveryTypes,
  text: (p) => sql`select email, held_sequence as "confirmedSequence", pending, revision, sender_id as "senderId",
    reminder_for as "reminderFor", reminder_id as "reminderId", last_mail_at as "lastMailAt",
    failing_since as "failingSince", job_id as "jobId", unreported, resend
  from guest_delivery where ${ofDelivery(p)} for update`,
})

export async function lockDelivery(tx: Tx, { meetingId, addressKey }: DeliveryName): Promise<DeliveryRow | undefined> {
  const [found] = await lockStatement.execute(tx, { meetingId, addressKey })
  return found
}

export type MeetingForDelivery = ScheduleRow & {
  id: string
  code: string
  topic: string
  description: string
  sealedSecrets: Buffer
  /** iCalendar's SEQUENCE (RFC 5545, 3.8.7.4). */
  sequence: number
  /** Numbers the states of the meeting that were mailed, each of which is a row of `meeting_state`. */
  stateSequence: number
  reminderMinutes: number | null
  replyAddress: string | null
  cancelledAt: Date | null
  invitationMailed: boolean
  reminderMailed: boolean
  cancellationMailed: boolean
  exceptions: WrittenExceptions
  droppedDates: readonly string[]
  host: { id: string; name: string; lname: string; email: string; language: Language | '' }
  /** The account with this address, if it is verified: its zone and language are used. */
  reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
  /** Cohosts count as guests, participants or not. */
  invited: boolean
  response: InvitationResponse | null
  mailFailedAt: Date | null
  mailDelayedUntil: Date | null
  /** The state in the guest's calendar. */
  confirmedState: EncryptedState | null
  /** Ids of the mails so far, oldest first. */
  earlier: readonly string[]
  /** Whether an unconfirmed mail may have arrived. */
  hasUnconfirmed: boolean
  /** Whether another job is delivering to this guest. */
  isBusy: boolean
}

/** Mail programs also find a thread by its last mails, and headers must stay bounded. */
const maxReferences = 20

/** The row `s` of `meeting_state`, if there is one. */
const stateJson = sql`case when s.meeting_id is not null then json_build_object('meetingId', s.meeting_id,
  'sequence', s.sequence, 'noticeId', s.notice_id, 'encryptedContent', encode(s.sealed_content, 'base64')) end`

/** As stored in JSON. */
type WrittenState = Omit<EncryptedState, 'encryptedContent'> & { encryptedContent: string }

const readState = (state: WrittenState | null): EncryptedState | null =>
  state && { ...state, encryptedContent: Buffer.from(state.encryptedContent, 'base64') }

const readStatement = defineStatement({
  name: 'read-delivery',
  parameters: {
    ...deliveryKey,
    trustsEvery: 'boolean',
    otherJobId: typed<string>('bigint?'),
    confirmedSequence: 'integer?',
  },
  columns: {
    id: 'uuid',
    code: 'text',
    topic: 'text',
    description: 'text',
    startsAt: 'timestamptz',
    endsAt: 'timestamptz',
    timeZoneIana: 'text',
    rule: typed<RecurrenceRule>('jsonb'),
    endsBy: 'timestamptz?',
    sealedSecrets: 'bytea',
    sequence: 'integer',
    stateSequence: 'integer',
    reminderMinutes: 'integer?',
    replyAddress: 'text?',
    cancelledAt: 'timestamptz?',
    invitationMailed: 'boolean',
    reminderMailed: 'boolean',
    cancellationMailed: 'boolean',
    exceptions: exceptionsType,
    droppedDates: 'text[]',
    host: typed<MeetingForDelivery['host']>('json'),
    reader: typed<NonNullable<MeetingForDelivery['reader']>>('json?'),
    invited: 'boolean',
    response: typed<InvitationResponse>('text?'),
    mailFailedAt: 'timestamptz?',
    mailDelayedUntil: 'timestamptz?',
    confirmedState: typed<WrittenState>('json?'),
    earlier: 'uuid[]',
    hasUnconfirmed: 'boolean',
    isBusy: 'boolean',
  },
  text: (p) => sql`select m.id, m.code, m.topic, m.description, m.starts_at as "startsAt", m.ends_at as "endsAt",
    m.time_zone_iana as "timeZoneIana", m.recurrence as rule, m.ends_by as "endsBy",
    m.sealed_secrets as "sealedSecrets", m.sequence, coalesce(m.state_sequence, m.sequence) as "stateSequence",
    m.reminder_minutes as "reminderMinutes", m.reply_address as "replyAddress", m.cancelled_at as "cancelledAt",
    m.invitation_mailed as "invitationMailed", m.reminder_mailed as "reminderMailed",
    m.cancellation_mailed as "cancellationMailed",
    ${exceptionsJson(sql`m.id`)} as exceptions,
    array(select d.local_date::text from dropped_cancellation d where d.meeting_id = m.id order by 1) as "droppedDates",
    json_build_object('id', h.id, 'name', h.name, 'lname', h.lname, 'email', h.email, 'language', h.language) as host,
    case when a.id is not null then json_build_object('name', a.name, 'lname', a.lname, 'timeZone', a.time_zone,
      'language', a.language) end as reader,
    p.meeting_id is not null as invited, p.response, p.mail_failed_at as "mailFailedAt",
    p.mail_delayed_until as "mailDelayedUntil", ${stateJson} as "confirmedState",
    array(select e.id from (
      select id from guest_mail e where e.meeting_id = m.id and e.email_key = ${p.addressKey}
      order by id desc limit ${sql.lit(maxReferences + 1)}
    ) e order by e.id) as earlier,
    exists (select from guest_mail u where u.meeting_id = m.id and u.email_key = ${p.addressKey} and u.outcome = 'unknown'
      and u.kind <> 'reminder') as "hasUnconfirmed",
    exists (select from graphile_worker.jobs j where j.id = ${p.otherJobId} and j.locked_at is not null) as "isBusy"
  from meeting m
    join account h on h.id = m.host_id
    left join account a on a.email_key = ${p.addressKey} and (a.email_verified_at is not null or ${p.trustsEvery})
    left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey}
    left join meeting_state s on s.meeting_id = m.id and s.sequence = ${p.confirmedSequence}
  where m.id = ${p.meetingId}`,
})

/**
 * Read the current meeting. Call it after locking the delivery's row, so that everything committed before is visible.
 * `otherJobId`: the job that delivers according to that row, if it is another one.
 */
export async function readDelivery(
  tx: Tx,
  { meetingId, addressKey }: DeliveryName,
  {
    trustsEvery,
    otherJobId,
    confirmedSequence,
  }: {
    trustsEvery: boolean
    otherJobId: string | null
    confirmedSequence: number | null
  },
): Promise<MeetingForDelivery | undefined> {
  const [found] = await readStatement.execute(tx, { meetingId, addressKey, trustsEvery, otherJobId, confirmedSequence })
  return found && { ...found, confirmedState: readState(found.confirmedState) }
}

/** A mail that was or may have been handed over, with no known result. */
export type UnconfirmedMail = {
  id: string
  kind: InvitationEmailKind
  sequence: number
  stateSequence: number
  date: Date | null
  startedAt: Date
  state: EncryptedState | null
}

/** A mail is given up after a day, and a guest gets at most one every two minutes: fewer than 1,000. */
const maxUnconfirmed = 1_000

const unconfirmedStatement = defineStatement({
  name: 'find-unconfirmed-mails',
  parameters: deliveryKey,
  columns: {
    id: 'uuid',
    kind: typed<InvitationEmailKind>('text'),
    sequence: 'integer',
    stateSequence: 'integer',
    date: 'timestamptz?',
    startedAt: 'timestamptz',
    state: typed<WrittenState>('json?'),
  },
  text: (
    p,
  ) => sql`select g.id, g.kind, g.sequence, g.state_sequence as "stateSequence", g.date, g.started_at as "startedAt",
    ${stateJson} as state
  from guest_mail g left join meeting_state s on s.meeting_id = g.meeting_id and s.sequence = g.state_sequence
  where g.meeting_id = ${p.meetingId} and g.email_key = ${p.addressKey}
    and g.outcome = 'unknown' and g.kind <> 'reminder'
  order by g.id limit ${sql.lit(maxUnconfirmed)}`,
})

export async function findUnconfirmed(tx: Tx, { meetingId, addressKey }: DeliveryName): Promise<UnconfirmedMail[]> {
  const mails = await unconfirmedStatement.execute(tx, { meetingId, addressKey })
  return mails.map((mail) => ({ ...mail, state: readState(mail.state) }))
}

/** A mail's row. */
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
    id: 'uuid',
    kind: 'text',
    sequence: 'integer',
    stateSequence: 'integer',
    encryptedState: 'bytea?',
    startedAt: 'timestamptz',
    date: 'timestamptz?',
    senderId: 'uuid?',
    jobId: typed<string>('bigint'),
  },
  columns: { isNewState: 'boolean' },
  text: (p) => sql`with state as (
    insert into meeting_state (meeting_id, sequence, sealed_content, created_at)
    select ${p.meetingId}, ${p.stateSequence}, ${p.encryptedState}, ${p.startedAt} where ${p.encryptedState} is not null
    on conflict do nothing returning sequence
  ), begun as (
    insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, date, sender_id, started_at, outcome)
    values (${p.meetingId}, ${p.addressKey}, ${p.id}, ${p.kind}, ${p.sequence}, ${p.stateSequence}, ${p.date},
      ${p.senderId}, ${p.startedAt}, 'unknown')
  ), claimed as (
    update guest_delivery set job_id = ${p.jobId},
      reminder_id = case when ${p.kind} = 'reminder' then ${p.id} else reminder_id end
    where ${ofDelivery(p)}
  ) select exists (select from state) as "isNewState"`,
})

/**
 * Record a mail before it is handed over, so that it counts as possibly delivered whatever happens then. `encryptedState`:
 * the meeting as the mail shows it; null when it is stored already.
 */
export async function beginMail(
  tx: Tx,
  { meetingId, addressKey }: DeliveryName,
  mail: BegunMail & { senderId: string | null; encryptedState: Buffer | null; jobId: string },
): Promise<void> {
  const [begun] = await beginStatement.execute(tx, { meetingId, addressKey, ...mail })
  if (begun?.isNewState !== true) return
  const { stateSequence, startedAt } = mail
  await pruneStatesStatement.execute(tx, { meetingId, stateSequence, startedAt })
}

/** Delete states that no calendar holds. Running deliveries may still refer to recent ones. */
const pruneStatesStatement = defineStatement({
  name: 'prune-meeting-states',
  parameters: { meetingId: 'uuid', stateSequence: 'integer', startedAt: 'timestamptz' },
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
export const resumeMail = (tx: Tx, { meetingId, addressKey }: DeliveryName, jobId: string) =>
  resumeStatement.execute(tx, { meetingId, addressKey, jobId })

const sentStatement = defineStatement({
  name: 'mark-mail-sent',
  parameters: {
    ...deliveryKey,
    id: 'uuid',
    now: 'timestamptz',
    confirmedSequence: 'integer?',
    unreported: typed<InvitationEmailKind>('text?'),
    revision: 'integer',
  },
  columns: { isMore: 'boolean' },
  text: (p) => sql`with cleared as (
    update guest_mail set outcome = case when id = ${p.id} then 'sent' else 'superseded' end,
      sent_at = case when id = ${p.id} then ${p.now} else sent_at end
    where ${ofDelivery(p)} and outcome = 'unknown' and kind <> 'reminder'
  ) update guest_delivery set held_sequence = ${p.confirmedSequence}, last_mail_at = ${p.now}, failing_since = null,
    unreported = ${p.unreported}, pending = pending and revision <> ${p.revision}, resend = false,
    job_id = case when revision <> ${p.revision} or reminder_for is not null then job_id end
  where ${ofDelivery(p)}
  returning pending or reminder_for is not null as "isMore"`,
})

/**
 * Record that the mail server accepted the mail: the guest now holds its state, and earlier unconfirmed mails no longer
 * matter. The meeting's row is not updated, because a change may hold its lock. `unreported`: the kind of this mail, if
 * the meeting's row does not record it yet. Returns whether there is more to do.
 */
export async function markSent(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  sent: {
    id: string
    now: Date
    confirmedSequence: number | null
    unreported: InvitationEmailKind | null
    revision: number
  },
): Promise<boolean> {
  const [marked] = await sentStatement.execute(database, { meetingId, addressKey, ...sent })
  return marked?.isMore ?? false
}

const reminderSentStatement = defineStatement({
  name: 'mark-reminder-sent',
  parameters: { ...deliveryKey, id: 'uuid', now: 'timestamptz', unreported: typed<InvitationEmailKind>('text?') },
  columns: { isMore: 'boolean' },
  text: (p) => sql`with cleared as (
    update guest_mail set outcome = 'sent', sent_at = ${p.now} where ${ofDelivery(p)} and id = ${p.id}
  ) update guest_delivery set failing_since = null, unreported = ${p.unreported},
    reminder_for = case when reminder_id is distinct from ${p.id} then reminder_for end,
    reminder_id = case when reminder_id is distinct from ${p.id} then reminder_id end,
    job_id = case when pending or reminder_id is distinct from ${p.id} then job_id end
  where ${ofDelivery(p)}
  returning pending or reminder_for is not null as "isMore"`,
})

export async function markReminderSent(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  sent: { id: string; now: Date; unreported: InvitationEmailKind | null },
): Promise<boolean> {
  const [marked] = await reminderSentStatement.execute(database, { meetingId, addressKey, ...sent })
  return marked?.isMore ?? false
}

const rejectedStatement = defineStatement({
  name: 'delete-rejected-mail',
  parameters: { ...deliveryKey, id: 'uuid' },
  text: (p) => sql`with deleted as (
    delete from guest_mail where ${ofDelivery(p)} and id = ${p.id} and outcome = 'unknown'
  ) update guest_delivery set reminder_id = null where ${ofDelivery(p)} and reminder_id = ${p.id}`,
})

/** Delete a mail that the mail server rejected at the first attempt. */
export async function deleteMail(database: Database, { meetingId, addressKey }: DeliveryName, id: string) {
  await rejectedStatement.execute(database, { meetingId, addressKey, id })
}

const failingStatement = defineStatement({
  name: 'mark-delivery-failing',
  parameters: { ...deliveryKey, now: 'timestamptz' },
  columns: { failingSince: 'timestamptz?' },
  text: (p) => sql`update guest_delivery set failing_since = coalesce(failing_since, ${p.now}) where ${ofDelivery(p)}
  returning failing_since as "failingSince"`,
})

/** Record a failure; returns since when mails to this guest have failed. */
export async function markFailing(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  now: Date,
): Promise<Date> {
  const [failing] = await failingStatement.execute(database, { meetingId, addressKey, now })
  return failing?.failingSince ?? now
}

const clearPendingStatement = defineStatement({
  name: 'clear-pending-delivery',
  parameters: { ...deliveryKey, revision: 'integer' },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}, job_id = null,
    failing_since = case when not pending or revision <> ${p.revision} then failing_since end
  where ${ofDelivery(p)}`,
})

/** Clear a pending change that needs no mail, unless a newer one came after `revision`. */
export async function clearPending(tx: Tx, { meetingId, addressKey }: DeliveryName, revision: number) {
  await clearPendingStatement.execute(tx, { meetingId, addressKey, revision })
}

const giveUpStatement = defineStatement({
  name: 'give-up-delivery',
  parameters: { ...deliveryKey, revision: 'integer' },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}
  where ${ofDelivery(p)}`,
})

/** Give up the pending mail. The next change mails this guest everything that is missing by then. */
export async function giveUp(database: Database, { meetingId, addressKey }: DeliveryName, revision: number) {
  await giveUpStatement.execute(database, { meetingId, addressKey, revision })
}

/** Drop a reminder that is obsolete or has failed. */
export const dropReminder = (database: Database, { meetingId, addressKey }: DeliveryName, date: Date) =>
  database
    .updateTable('guestDelivery')
    .set({ reminderFor: null, reminderId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('reminderFor', '=', date)
    .execute()

/** End the job and keep what is pending. */
export const release = (database: Database, { meetingId, addressKey }: DeliveryName) =>
  database
    .updateTable('guestDelivery')
    .set({ jobId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .execute()
