import type { Recipient } from '@parley/rules/invitations/guests-to-notify'
import { type Static, Type } from 'typebox'
import { type Executor, statement } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { currentTraceparent } from '../platform/jobs/job-trace.ts'
import { type Job, jobsOfRows } from '../platform/jobs/jobs.ts'
import type { Tx } from '../tables/tables.ts'

/** One meeting and one address: the mails between them go out one after the other. */
const DeliveryName = Type.Object({ meetingId: Type.String(), addressKey: Type.String() })
export type DeliveryName = Static<typeof DeliveryName>

/** Mails a guest what has changed; the module `invitations` handles it. */
export const deliveryJob = defineJob('deliver-to-guest', DeliveryName)

/** The task itself gives up after a day of failures; processes that die use some of these up. */
const maxAttempts = 50

/** What accounts are mailed goes first, then reminders, which are of use for minutes, then all else. */
const priorities = { reminder: 5, change: 10 }

const keyExpression = (row: string) => `'${deliveryJob.name} ' || ${row}.meeting_id || ' ' || ${row}.email_key`

/** Queues another look at what a guest is to be mailed, in place of one that waits. */
export const queueDelivery = (
  executor: Executor,
  { meetingId, addressKey }: DeliveryName,
  { delayMs }: Pick<Job, 'delayMs'> = {},
): Promise<void> =>
  deliveryJob.queue(
    executor,
    { meetingId, addressKey },
    {
      key: `${deliveryJob.name} ${meetingId} ${addressKey}`,
      priority: priorities.change,
      maxAttempts,
      ...(delayMs !== undefined && { delayMs }),
    },
  )

/** `traceparent`: an expression, as `addTraceparent` adds it. */
const jobsOf = (rows: string, priority: number, traceparent: string) =>
  jobsOfRows({
    task: deliveryJob.name,
    payload: `json_strip_nulls(json_build_object('meetingId', ${rows}.meeting_id, 'addressKey', ${rows}.email_key,
      'traceparent', ${traceparent}))`,
    priority: String(priority),
    key: keyExpression(rows),
    rows,
    maxAttempts,
  })

/** A row `d` of `guest_delivery` for which something is to be sent, and that no job will send any more. */
const orphaned = `(d.pending or d.reminder_for is not null) and not exists (
  select from graphile_worker.jobs j where j.key = ${keyExpression('d')} and j.attempts < j.max_attempts)`

const orphansStatement = statement<{ count: number }>(
  'count-orphaned-deliveries',
  `select count(*)::integer as count from guest_delivery d where ${orphaned}`,
)

/** Count the guests who are still to be mailed and whom no job will mail: after a restore, or when a job was given up. */
export async function countOrphanedDeliveries(executor: Executor): Promise<number> {
  const [counted] = await orphansStatement(executor, [])
  return counted?.count ?? 0
}

const queueOrphansStatement = statement<{ count: number }>(
  'queue-orphaned-deliveries',
  `with orphans as (
    update guest_delivery d set job_id = null, failing_since = null where ${orphaned}
    returning meeting_id, email_key, wanted_at
  ), ordered as (select * from orphans order by wanted_at nulls last)
  select (select count(*)::integer from orphans) as count, ${jobsOf('ordered', priorities.change, 'null::text')} as queued`,
)

/**
 * Queue the mails that `countOrphanedDeliveries` counts, those that have waited longest first. Each is tried for another
 * day. A mail that was begun keeps its Message-ID. Returns for how many guests.
 */
export async function queueOrphanedDeliveries(executor: Executor): Promise<number> {
  const [queued] = await queueOrphansStatement(executor, [])
  return queued?.count ?? 0
}

export type Address = { addressKey: string; email: string }

/** Who caused what these people are to be mailed, and when. */
export type WantedMails = { senderId: string; now: Date; guests: readonly Address[] }

/**
 * The parts of a statement that marks guests of the meeting in `meeting`, a table expression with an id, as to be mailed.
 * The values are those of `wantedValues`, from `$first` on. In the order of addresses, so that two such statements do not
 * wait for each other.
 */
export function wantedClauses(meeting: string, first: number): { ctes: string; jobs: string } {
  const [senderId, now, keys, emails, traceparent] = [0, 1, 2, 3, 4].map((offset) => `$${first + offset}`)
  return {
    ctes: `wanted as (
      insert into guest_delivery (meeting_id, email_key, email, pending, revision, sender_id, wanted_at)
      select ${meeting}.id, guest.email_key, guest.email, true, 1, ${senderId}::uuid, ${now}::timestamptz
      from ${meeting}, unnest(${keys}::text[], ${emails}::text[]) as guest (email_key, email)
      order by guest.email_key
      on conflict (meeting_id, email_key) do update set email = excluded.email, pending = true,
        revision = guest_delivery.revision + 1, sender_id = excluded.sender_id, wanted_at = excluded.wanted_at,
        failing_since = null
      returning meeting_id, email_key
    )`,
    jobs: jobsOf('wanted', priorities.change, `${traceparent}::text`),
  }
}

export const wantedValues = ({ senderId, now, guests }: WantedMails): unknown[] => [
  senderId,
  now,
  guests.map(({ addressKey }) => addressKey),
  guests.map(({ email }) => email),
  currentTraceparent(),
]

const ofMeeting = wantedClauses('meeting', 2)

const wantStatement = statement(
  'want-mails',
  `with meeting as (select $1::uuid as id), ${ofMeeting.ctes} select ${ofMeeting.jobs} as queued`,
)

/** In the transaction of the change: the mails go out after the commit, and none after a rollback. */
export async function wantMails(tx: Tx, meetingId: string, wanted: WantedMails): Promise<void> {
  if (wanted.guests.length > 0) await wantStatement(tx, [meetingId, ...wantedValues(wanted)])
}

const wantRemindersStatement = statement(
  'want-reminders',
  `with wanted as (
    insert into guest_delivery (meeting_id, email_key, email, revision, reminder_for)
    select $1, guest.email_key, guest.email, 1, $2
    from unnest($3::text[], $4::text[]) as guest (email_key, email)
    order by guest.email_key
    on conflict (meeting_id, email_key) do update set revision = guest_delivery.revision + 1,
      reminder_for = excluded.reminder_for, reminder_id = null
    returning meeting_id, email_key
  ) select ${jobsOf('wanted', priorities.reminder, '$5::text')} as queued`,
)

/** Queues the reminders of one date, behind what else these people are still to be mailed. */
export async function wantReminders(tx: Tx, meetingId: string, date: Date, people: readonly Address[]): Promise<void> {
  await wantRemindersStatement(tx, [
    meetingId,
    date,
    people.map(({ addressKey }) => addressKey),
    people.map(({ email }) => email),
    currentTraceparent(),
  ])
}

export type MailedRecipient = Recipient & Address & { isPending: boolean }

const recipientsStatement = statement<MailedRecipient>(
  'find-recipients',
  `select email_key as "addressKey", email, pending as "isPending",
    case when pending or failing_since is not null then 'another-state' when held_sequence is null then 'nothing'
      when held_sequence = $2 then 'state-before' else 'another-state' end as holds
  from guest_delivery where meeting_id = $1`,
)

/** Everybody who was mailed about the meeting or waits for it, and whether their calendar shows its state of `$2`. */
export const findRecipients = (tx: Tx, meetingId: string, stateSequence: number): Promise<MailedRecipient[]> =>
  recipientsStatement(tx, [meetingId, stateSequence])
