import type { Recipient } from '@parley/rules/invitations/guests-to-notify'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { typed } from '../platform/database/column-types.ts'
import type { Executor } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { currentTraceparent } from '../platform/jobs/job-trace.ts'
import { type Job, jobsOfRows } from '../platform/jobs/jobs.ts'
import type { Tx } from '../tables/tables.ts'

/** A meeting and an address. Emails about one meeting to one address are sent in order. */
const DeliveryKey = Type.Object({ meetingId: Type.String(), addressKey: Type.String() })
export type DeliveryKey = Static<typeof DeliveryKey>

/** Emails a guest what has changed; the module `invitations` handles it. */
export const deliveryJob = defineJob('deliver-to-guest', DeliveryKey)

/** The handler itself gives up after a day of failures; crashes of processes use up some of these attempts. */
const maxAttempts = 50

/** Emails of accounts go first, then reminders, which are useful for minutes only, then all others. */
const priorities = { reminder: 5, change: 10 }

const keyOf = (row: Fragment) => sql`${sql.lit(`${deliveryJob.name} `)} || ${row}.meeting_id || ' ' || ${row}.email_key`

/** Queue a delivery to a guest. It replaces one that is queued already. */
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
      priority: priorities.change,
      maxAttempts,
      ...(delayMs !== undefined && { delayMs }),
    },
  )

/** `traceparent` is added to each payload, as `addTraceparent` does. */
const jobsOf = (rows: Fragment, priority: number, traceparent: Parameter | Fragment) =>
  jobsOfRows({
    task: deliveryJob.name,
    payload: sql`json_strip_nulls(json_build_object('meetingId', ${rows}.meeting_id, 'addressKey', ${rows}.email_key,
      'traceparent', ${traceparent}))`,
    priority: sql.lit(priority),
    key: keyOf(rows),
    rows,
    maxAttempts,
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
    ${jobsOf(sql`ordered`, priorities.change, sql`null::text`)} as queued`,
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

/** The guests to email, with the account that caused the emails. */
export type MailsToQueue = { senderId: string; now: Date; guests: readonly Address[] }

/** The parameters of a statement that contains `queueClauses`. */
export const queueParameters = {
  senderId: 'uuid',
  wantedAt: 'timestamptz',
  guestKeys: 'text[]',
  guestEmails: 'text[]',
  traceparent: 'text?',
} as const

/**
 * The parts of a statement that marks guests for delivery. `meeting` is a table expression with the meeting's id. Rows
 * are written in the order of addresses, so that two such statements do not deadlock.
 */
export const queueClauses = (meeting: Fragment, p: Record<keyof typeof queueParameters, Parameter>) => ({
  ctes: sql`wanted as (
      insert into guest_delivery (meeting_id, email_key, email, pending, revision, sender_id, wanted_at)
      select ${meeting}.id, guest.email_key, guest.email, true, 1, ${p.senderId}, ${p.wantedAt}
      from ${meeting}, unnest(${p.guestKeys}, ${p.guestEmails}) as guest (email_key, email)
      order by guest.email_key
      on conflict (meeting_id, email_key) do update set email = excluded.email, pending = true,
        revision = guest_delivery.revision + 1, sender_id = excluded.sender_id, wanted_at = excluded.wanted_at,
        failing_since = null
      returning meeting_id, email_key
    )`,
  jobs: jobsOf(sql`wanted`, priorities.change, p.traceparent),
})

export const queueValues = ({ senderId, now, guests }: MailsToQueue) => ({
  senderId,
  wantedAt: now,
  guestKeys: guests.map(({ addressKey }) => addressKey),
  guestEmails: guests.map(({ email }) => email),
  traceparent: currentTraceparent() ?? null,
})

const queueStatement = defineStatement({
  name: 'want-mails',
  parameters: { meetingId: 'uuid', ...queueParameters },
  columns: { queued: 'bigint' },
  text: (p) => {
    const { ctes, jobs } = queueClauses(sql`meeting`, p)
    return sql`with meeting as (select ${p.meetingId} as id), ${ctes} select ${jobs} as queued`
  },
})

/** Queue emails in the transaction of the change: they are sent after the commit, and not after a rollback. */
export async function queueMails(tx: Tx, meetingId: string, wanted: MailsToQueue): Promise<void> {
  if (wanted.guests.length > 0) await queueStatement.execute(tx, { meetingId, ...queueValues(wanted) })
}

const queueRemindersStatement = defineStatement({
  name: 'want-reminders',
  parameters: {
    meetingId: 'uuid',
    date: 'timestamptz',
    guestKeys: 'text[]',
    guestEmails: 'text[]',
    traceparent: 'text?',
  },
  columns: { queued: 'bigint' },
  text: (p) => sql`with wanted as (
    insert into guest_delivery (meeting_id, email_key, email, revision, reminder_for)
    select ${p.meetingId}, guest.email_key, guest.email, 1, ${p.date}
    from unnest(${p.guestKeys}, ${p.guestEmails}) as guest (email_key, email)
    order by guest.email_key
    on conflict (meeting_id, email_key) do update set revision = guest_delivery.revision + 1,
      reminder_for = excluded.reminder_for, reminder_id = null
    returning meeting_id, email_key
  ) select ${jobsOf(sql`wanted`, priorities.reminder, p.traceparent)} as queued`,
})

/** Queue the reminders of one occurrence, after other unsent emails to these people. */
export async function queueReminders(tx: Tx, meetingId: string, date: Date, people: readonly Address[]): Promise<void> {
  await queueRemindersStatement.execute(tx, {
    meetingId,
    date,
    guestKeys: people.map(({ addressKey }) => addressKey),
    guestEmails: people.map(({ email }) => email),
    traceparent: currentTraceparent() ?? null,
  })
}

type MailedRecipient = Recipient & Address & { isPending: boolean }

const recipientsStatement = defineStatement({
  name: 'find-recipients',
  parameters: { meetingId: 'uuid', stateSequence: 'integer' },
  columns: { addressKey: 'text', email: 'text', isPending: 'boolean', holds: typed<Recipient['holds']>('text') },
  text: (p) => sql`select email_key as "addressKey", email, pending as "isPending",
    case when pending or failing_since is not null then 'another-state' when held_sequence is null then 'nothing'
      when held_sequence = ${p.stateSequence} then 'state-before' else 'another-state' end as holds
  from guest_delivery where meeting_id = ${p.meetingId}`,
})

/**
 * Find all who were emailed about the meeting or have an unsent email, and whether their calendar shows
 * `stateSequence`.
 */
export const findRecipients = (tx: Tx, meetingId: string, stateSequence: number): Promise<MailedRecipient[]> =>
  recipientsStatement.execute(tx, { meetingId, stateSequence })
