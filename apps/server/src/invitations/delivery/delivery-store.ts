import type { InvitationResponse } from '@parley/contract'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Language } from '@parley/rules/text/language'
import type { DeliveryName } from '../../meetings/guest-delivery.ts'
import type { ScheduleRow } from '../../meetings/meeting-row.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import type { EncryptedState } from './meeting-state.ts'

/** The delivery row of one meeting and one address. */
export type DeliveryRow = {
  email: string
  heldSequence: number | null
  pending: boolean
  revision: number
  senderId: string | null
  reminderFor: Date | null
  reminderId: string | null
  lastMailAt: Date | null
  failingSince: Date | null
  jobId: string | number | null
  unreported: InvitationEmailKind | null
  /** Whether to send the invitation even if the guest's calendar is up to date. */
  resend: boolean
}

const lockStatement = statement<DeliveryRow>(
  'lock-delivery',
  `select email, held_sequence as "heldSequence", pending, revision, sender_id as "senderId",
    reminder_for as "reminderFor", reminder_id as "reminderId", last_mail_at as "lastMailAt",
    failing_since as "failingSince", job_id as "jobId", unreported, resend
  from guest_delivery where meeting_id = $1 and email_key = $2 for update`,
)

export async function lockDelivery(tx: Tx, { meetingId, addressKey }: DeliveryName): Promise<DeliveryRow | undefined> {
  const [found] = await lockStatement(tx, [meetingId, addressKey])
  return found
}

export type MeetingForDelivery = ScheduleRow & {
  id: string
  code: string
  topic: string
  description: string
  sealedSecrets: Buffer
  sequence: number
  stateSequence: number
  reminderMinutes: number | null
  cancelledAt: Date | null
  invitationMailed: boolean
  reminderMailed: boolean
  cancellationMailed: boolean
  /** As text, because it comes from JSON. */
  skipped: readonly string[]
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
  held: EncryptedState | null
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
const stateJson = `case when s.meeting_id is not null then json_build_object('meetingId', s.meeting_id,
  'sequence', s.sequence, 'noticeId', s.notice_id, 'sealedContent', encode(s.sealed_content, 'base64')) end`

/** As stored in JSON. */
type WrittenState = Omit<EncryptedState, 'sealedContent'> & { sealedContent: string }

const readState = (state: WrittenState | null): EncryptedState | null =>
  state && { ...state, sealedContent: Buffer.from(state.sealedContent, 'base64') }

const readStatement = statement<Omit<MeetingForDelivery, 'held'> & { held: WrittenState | null }>(
  'read-delivery',
  `select m.id, m.code, m.topic, m.description, m.starts_at as "startsAt", m.ends_at as "endsAt",
    m.time_zone_iana as "timeZoneIana", m.recurrence as rule, m.ends_by as "endsBy",
    m.sealed_secrets as "sealedSecrets", m.sequence, coalesce(m.state_sequence, m.sequence) as "stateSequence",
    m.reminder_minutes as "reminderMinutes", m.cancelled_at as "cancelledAt",
    m.invitation_mailed as "invitationMailed", m.reminder_mailed as "reminderMailed",
    m.cancellation_mailed as "cancellationMailed",
    (select coalesce(json_agg(k.starts_at order by k.starts_at), '[]') from skipped_occurrence k
      where k.meeting_id = m.id) as skipped,
    array(select d.local_date::text from dropped_cancellation d where d.meeting_id = m.id order by 1) as "droppedDates",
    json_build_object('id', h.id, 'name', h.name, 'lname', h.lname, 'email', h.email, 'language', h.language) as host,
    case when a.id is not null then json_build_object('name', a.name, 'lname', a.lname, 'timeZone', a.time_zone,
      'language', a.language) end as reader,
    p.meeting_id is not null as invited, p.response, p.mail_failed_at as "mailFailedAt",
    p.mail_delayed_until as "mailDelayedUntil", ${stateJson} as held,
    array(select e.id from (
      select id from guest_mail e where e.meeting_id = m.id and e.email_key = $2 order by id desc limit ${maxReferences + 1}
    ) e order by e.id) as earlier,
    exists (select from guest_mail u where u.meeting_id = m.id and u.email_key = $2 and u.outcome = 'unknown'
      and u.kind <> 'reminder') as "hasUnconfirmed",
    exists (select from graphile_worker.jobs j where j.id = $4::bigint and j.locked_at is not null) as "isBusy"
  from meeting m
    join account h on h.id = m.host_id
    left join account a on a.email_key = $2 and (a.email_verified_at is not null or $3)
    left join participant p on p.meeting_id = m.id and p.email_key = $2
    left join meeting_state s on s.meeting_id = m.id and s.sequence = $5::integer
  where m.id = $1`,
)

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
    heldSequence,
  }: {
    trustsEvery: boolean
    otherJobId: string | null
    heldSequence: number | null
  },
): Promise<MeetingForDelivery | undefined> {
  const [found] = await readStatement(tx, [meetingId, addressKey, trustsEvery, otherJobId, heldSequence])
  return found && { ...found, held: readState(found.held) }
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

/** Far more than the changes, two minutes apart, of the day after which a mail is given up. */
const maxUnconfirmed = 1_000

const unconfirmedStatement = statement<Omit<UnconfirmedMail, 'state'> & { state: WrittenState | null }>(
  'find-unconfirmed-mails',
  `select g.id, g.kind, g.sequence, g.state_sequence as "stateSequence", g.date, g.started_at as "startedAt",
    ${stateJson} as state
  from guest_mail g left join meeting_state s on s.meeting_id = g.meeting_id and s.sequence = g.state_sequence
  where g.meeting_id = $1 and g.email_key = $2 and g.outcome = 'unknown' and g.kind <> 'reminder'
  order by g.id limit ${maxUnconfirmed}`,
)

export async function findUnconfirmed(tx: Tx, { meetingId, addressKey }: DeliveryName): Promise<UnconfirmedMail[]> {
  const mails = await unconfirmedStatement(tx, [meetingId, addressKey])
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

const beginStatement = statement<{ isNewState: boolean }>(
  'begin-mail',
  `with state as (
    insert into meeting_state (meeting_id, sequence, sealed_content, created_at)
    select $1, $6, $7, $8 where $7::bytea is not null on conflict do nothing returning sequence
  ), begun as (
    insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, date, sender_id, started_at, outcome)
    values ($1, $2, $3, $4, $5, $6, $9, $10, $8, 'unknown')
  ), held as (
    update guest_delivery set job_id = $11, reminder_id = case when $4 = 'reminder' then $3::uuid else reminder_id end
    where meeting_id = $1 and email_key = $2
  ) select exists (select from state) as "isNewState"`,
)

/**
 * Record a mail before it is handed over, so that it counts as possibly delivered whatever happens then. `sealedState`:
 * the meeting as the mail shows it; null when it is stored already.
 */
export async function beginMail(
  tx: Tx,
  { meetingId, addressKey }: DeliveryName,
  mail: BegunMail & { senderId: string | null; sealedState: Buffer | null; jobId: string },
): Promise<void> {
  const { id, kind, sequence, stateSequence, sealedState, startedAt, date, senderId, jobId } = mail
  const values = [
    meetingId,
    addressKey,
    id,
    kind,
    sequence,
    stateSequence,
    sealedState,
    startedAt,
    date,
    senderId,
    jobId,
  ]
  const [begun] = await beginStatement(tx, values)
  if (begun?.isNewState === true) await pruneStatesStatement(tx, [meetingId, stateSequence, startedAt])
}

/** Delete states that no calendar holds. Running deliveries may still refer to recent ones. */
const pruneStatesStatement = statement(
  'prune-meeting-states',
  `delete from meeting_state s where s.meeting_id = $1 and s.sequence < $2
    and s.created_at < $3::timestamptz - interval '1 hour'
    and not exists (select from guest_delivery d where d.meeting_id = s.meeting_id and d.held_sequence = s.sequence)
    and not exists (select from guest_mail g where g.meeting_id = s.meeting_id and g.state_sequence = s.sequence
      and g.outcome = 'unknown')`,
)

const resumeStatement = statement(
  'resume-mail',
  'update guest_delivery set job_id = $3 where meeting_id = $1 and email_key = $2',
)

/** Record another attempt at a recorded mail. */
export const resumeMail = (tx: Tx, { meetingId, addressKey }: DeliveryName, jobId: string) =>
  resumeStatement(tx, [meetingId, addressKey, jobId])

const sentStatement = statement<{ isMore: boolean }>(
  'mark-mail-sent',
  `with cleared as (
    update guest_mail set outcome = case when id = $3 then 'sent' else 'superseded' end,
      sent_at = case when id = $3 then $4 else sent_at end
    where meeting_id = $1 and email_key = $2 and outcome = 'unknown' and kind <> 'reminder'
  ) update guest_delivery set held_sequence = $5, last_mail_at = $4, failing_since = null, unreported = $6,
    pending = pending and revision <> $7, resend = false,
    job_id = case when revision <> $7 or reminder_for is not null then job_id end
  where meeting_id = $1 and email_key = $2
  returning pending or reminder_for is not null as "isMore"`,
)

/**
 * Record that the mail server accepted the mail: the guest now holds its state, and earlier unconfirmed mails no longer
 * matter. Updates no row that a change could lock. `unreported`: what the meeting does not show yet. Returns whether
 * there is more to do.
 */
export async function markSent(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  sent: {
    id: string
    now: Date
    heldSequence: number | null
    unreported: InvitationEmailKind | null
    revision: number
  },
): Promise<boolean> {
  const values = [meetingId, addressKey, sent.id, sent.now, sent.heldSequence, sent.unreported, sent.revision]
  const [marked] = await sentStatement(database, values)
  return marked?.isMore ?? false
}

const reminderSentStatement = statement<{ isMore: boolean }>(
  'mark-reminder-sent',
  `with cleared as (
    update guest_mail set outcome = 'sent', sent_at = $4 where meeting_id = $1 and email_key = $2 and id = $3
  ) update guest_delivery set failing_since = null, unreported = $5,
    reminder_for = case when reminder_id is distinct from $3 then reminder_for end,
    reminder_id = case when reminder_id is distinct from $3 then reminder_id end,
    job_id = case when pending or reminder_id is distinct from $3 then job_id end
  where meeting_id = $1 and email_key = $2
  returning pending or reminder_for is not null as "isMore"`,
)

export async function markReminderSent(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  sent: { id: string; now: Date; unreported: InvitationEmailKind | null },
): Promise<boolean> {
  const [marked] = await reminderSentStatement(database, [meetingId, addressKey, sent.id, sent.now, sent.unreported])
  return marked?.isMore ?? false
}

const notTakenStatement = statement(
  'forget-mail-not-taken',
  `with deleted as (
    delete from guest_mail where meeting_id = $1 and email_key = $2 and id = $3 and outcome = 'unknown'
  ) update guest_delivery set reminder_id = null where meeting_id = $1 and email_key = $2 and reminder_id = $3`,
)

/** Delete a mail that the mail server rejected at the first attempt. */
export async function deleteMail(database: Database, { meetingId, addressKey }: DeliveryName, id: string) {
  await notTakenStatement(database, [meetingId, addressKey, id])
}

const failingStatement = statement<{ failingSince: Date }>(
  'mark-delivery-failing',
  `update guest_delivery set failing_since = coalesce(failing_since, $3) where meeting_id = $1 and email_key = $2
  returning failing_since as "failingSince"`,
)

/** Record a failure; returns since when mails to this guest have failed. */
export async function markFailing(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  now: Date,
): Promise<Date> {
  const [failing] = await failingStatement(database, [meetingId, addressKey, now])
  return failing?.failingSince ?? now
}

const clearPendingStatement = statement(
  'settle-delivery',
  `update guest_delivery set pending = pending and revision <> $3, resend = resend and revision <> $3, job_id = null,
    failing_since = case when not pending or revision <> $3 then failing_since end
  where meeting_id = $1 and email_key = $2`,
)

/** Clear a pending change that needs no mail, unless a newer one came after `revision`. */
export async function clearPending(tx: Tx, { meetingId, addressKey }: DeliveryName, revision: number) {
  await clearPendingStatement(tx, [meetingId, addressKey, revision])
}

const giveUpStatement = statement(
  'give-up-delivery',
  `update guest_delivery set pending = pending and revision <> $3, resend = resend and revision <> $3
  where meeting_id = $1 and email_key = $2`,
)

/** Give up the pending mail. The next change mails this guest everything that is missing by then. */
export async function giveUp(database: Database, { meetingId, addressKey }: DeliveryName, revision: number) {
  await giveUpStatement(database, [meetingId, addressKey, revision])
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
