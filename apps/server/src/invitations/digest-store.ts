import type { InvitationResponse } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'

/** A small batch keeps locks short. */
const maxAtOnce = 20

const isOn = sql`a.settings @> '{"answerDigest": true}' and a.deleted_at is null and a.disabled_at is null`

const plannedStatement = defineStatement({
  name: 'find-digests-to-plan',
  parameters: {},
  columns: pick(tables.answerDigest, 'accountId', 'timeZone'),
  text: () => sql`select a.id as account_id, a.time_zone from account a
    left join answer_digest d on d.account_id = a.id
    where ${isOn} and d.time_zone is distinct from a.time_zone limit ${sql.lit(maxAtOnce)}`,
})

/** Find accounts whose digest has no time yet, or one that was computed for another time zone. */
export const findDigestsToPlan = (tx: Tx) => plannedStatement.execute(tx, {})

type PlannedDigest = { accountId: string; timeZone: string; dueAt: Date }

/** Set the time of the next digest. A new one begins with what comes from now on. */
export async function planDigest(tx: Tx, { accountId, timeZone, dueAt }: PlannedDigest, now: Date): Promise<void> {
  await tx
    .insertInto('answerDigest')
    .values({ accountId, timeZone, dueAt, reportedUntil: now })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ timeZone, dueAt }))
    .execute()
}

export type DueDigest = {
  accountId: string
  isOn: boolean
  email: string
  addressKey: string
  language: Language | ''
  timeZone: string
  reportedUntil: Date
}

const dueStatement = defineStatement({
  name: 'claim-due-digests',
  parameters: { now: 'timestamptz' },
  columns: {
    ...pick(tables.answerDigest, 'accountId', 'timeZone', 'reportedUntil'),
    isOn: 'boolean',
    ...pick(tables.account, 'email', 'language'),
    addressKey: 'text',
  },
  text: (p) => sql`select d.account_id, (${isOn}) as is_on, a.email, a.email_key as address_key,
    a.language, a.time_zone, d.reported_until
  from answer_digest d join account a on a.id = d.account_id
  where d.due_at <= ${p.now} order by d.due_at limit ${sql.lit(maxAtOnce)} for update of d skip locked`,
})

/** Lock the digests that are due, as far as no other process handles them. */
export const claimDueDigests = (tx: Tx, now: Date): Promise<DueDigest[]> => dueStatement.execute(tx, { now })

/** Move a digest on to its next time. */
export const moveDigest = (tx: Tx, accountId: string, dueAt: Date, reportedUntil: Date) =>
  tx.updateTable('answerDigest').set({ dueAt, reportedUntil }).where('accountId', '=', accountId).execute()

export const deleteDigest = (tx: Tx, accountId: string) =>
  tx.deleteFrom('answerDigest').where('accountId', '=', accountId).execute()

/** A response, or a proposal, which has times. */
export type NewAnswer = {
  meetingId: string
  topic: string
  timeZone: string
  email: string
  /** What the host calls them; empty for no name. */
  displayName: string
  response: InvitationResponse | null
  comment: string | null
  /** The start of the date that it is about; null: the meeting. */
  date: Date | null
  proposedStart: Date | null
  proposedEnd: Date | null
}

/** The answers of a busy day; the pages show all of them. */
export const maxInDigest = 100

const answersStatement = defineStatement({
  name: 'list-new-answers',
  parameters: { accountId: tables.answerDigest.accountId, since: 'timestamptz', until: 'timestamptz' },
  columns: {
    ...pick(tables.participant, 'meetingId', 'email', 'displayName', 'response'),
    ...pick(tables.meeting, 'topic', 'timeZone'),
    comment: tables.occurrenceResponse.comment,
    date: 'timestamptz?',
    proposedStart: 'timestamptz?',
    proposedEnd: 'timestamptz?',
  },
  text: (p) => sql`with hosted as materialized (
    select id, topic, time_zone_iana, starts_at from meeting
    where host_id = ${p.accountId} and over_at > ${p.since} and cancelled_at is null
  ), answer as (
    select p.meeting_id, p.email_key, p.response, p.response_comment as comment, null::timestamptz as original_start,
      null::timestamptz as starts_at, null::timestamptz as ends_at, p.response_recorded_at as recorded_at
    from hosted join participant p on p.meeting_id = hosted.id where p.response is not null
      and p.response_recorded_at > ${p.since} and p.response_recorded_at <= ${p.until}
    union all
    select r.meeting_id, r.email_key, r.response, r.comment, r.original_start, null, null, r.recorded_at
    from hosted join occurrence_response r on r.meeting_id = hosted.id
    where r.recorded_at > ${p.since} and r.recorded_at <= ${p.until}
    union all
    select t.meeting_id, t.email_key, null, t.comment, t.original_start, t.starts_at, t.ends_at, t.recorded_at
    from hosted join time_proposal t on t.meeting_id = hosted.id
    where t.recorded_at > ${p.since} and t.recorded_at <= ${p.until} and t.dismissed_at is null
  ) select answer.meeting_id, hosted.topic, hosted.time_zone_iana as time_zone, p.email, p.display_name,
    answer.response, answer.comment, coalesce(o.starts_at, answer.original_start) as date,
    answer.starts_at as proposed_start, answer.ends_at as proposed_end
  from answer join hosted on hosted.id = answer.meeting_id
    join participant p on p.meeting_id = answer.meeting_id and p.email_key = answer.email_key
    left join changed_occurrence o on o.meeting_id = answer.meeting_id and o.original_start = answer.original_start
  order by hosted.starts_at, hosted.id, answer.original_start nulls first, answer.recorded_at, p.position
  limit ${sql.lit(maxInDigest + 1)}`,
})

/** List the answers to an account's meetings that were recorded after `since` and until `until`, meeting by meeting. */
export const listNewAnswers = (database: Database, accountId: string, since: Date, until: Date): Promise<NewAnswer[]> =>
  answersStatement.execute(database, { accountId, since, until })
