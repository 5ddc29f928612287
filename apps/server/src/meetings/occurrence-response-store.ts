import type { InvitationResponse } from '@parley/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'

/**
 * How many dates of a series one guest can answer: the maximum of changed dates (packages/rules, occurrence-change.ts).
 */
export const maxOccurrenceResponses = 500
/** Ten years of a daily series, as for cancelled dates. */
const maxAskedOccurrences = 3660

type OccurrenceResponse = {
  meetingId: string
  addressKey: string
  originalStart: Date
  response: InvitationResponse
  /** What the guest wrote with it, for the host. */
  comment: string | null
  /** In whole seconds. */
  respondedAt: Date
}

/**
 * Record a response to one occurrence. `outdated` where a later one is recorded; `too-many` where the guest has
 * answered as many dates ahead as possible. Answers to past dates make room.
 */
export async function recordOccurrenceResponse(
  database: Database,
  { meetingId, addressKey, originalStart, response, comment, respondedAt }: OccurrenceResponse,
  now: Date,
): Promise<'recorded' | 'outdated' | 'too-many'> {
  const others = () =>
    database
      .selectFrom('occurrenceResponse')
      .where('meetingId', '=', meetingId)
      .where('emailKey', '=', addressKey)
      .where('originalStart', '<>', originalStart)
  const { count } = await others().select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  if (count >= maxOccurrenceResponses) {
    const past = await others()
      .where('originalStart', '<', now)
      .select('originalStart')
      .orderBy('originalStart')
      .limit(count - maxOccurrenceResponses + 1)
      .execute()
    if (past.length === 0) return 'too-many'
    const starts = past.map((row) => row.originalStart)
    await database
      .deleteFrom('occurrenceResponse')
      .where('meetingId', '=', meetingId)
      .where('emailKey', '=', addressKey)
      .where('originalStart', 'in', starts)
      .execute()
  }
  const values = { response, comment, respondedAt, recordedAt: now }
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('occurrenceResponse')
    .values({ meetingId, emailKey: addressKey, originalStart, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['meetingId', 'emailKey', 'originalStart'])
        .doUpdateSet(values)
        .where('occurrenceResponse.respondedAt', '<=', respondedAt),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 0n ? 'outdated' : 'recorded'
}

/**
 * The times that guests propose end with the times that they were asked about. Otherwise they belong to
 * invitations/time-proposals.ts, which this module cannot import.
 */
const deleteTimeProposals = (tx: Tx, meetingId: string) =>
  tx.deleteFrom('timeProposal').where('meetingId', '=', meetingId)

/**
 * Ask again about a moved occurrence: delete its responses and proposals, and ignore for it earlier responses to the
 * series. Compare these by time: programs count SEQUENCE per occurrence. `sequence` is the SEQUENCE of the change.
 */
export async function askAgain(
  tx: Tx,
  { meetingId, originalStart, sequence }: { meetingId: string; originalStart: Date; sequence: number },
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom('occurrenceResponse')
    .where('meetingId', '=', meetingId)
    .where('originalStart', '=', originalStart)
    .execute()
  await deleteTimeProposals(tx, meetingId).where('originalStart', '=', originalStart).execute()
  const values = { askedAt: now, askedSequence: sequence }
  await tx
    .insertInto('askedOccurrence')
    .values({ meetingId, originalStart, ...values })
    .onConflict((conflict) => conflict.columns(['meetingId', 'originalStart']).doUpdateSet(values))
    .execute()
  await tx
    .deleteFrom('askedOccurrence')
    .where('meetingId', '=', meetingId)
    .where(
      'originalStart',
      'in',
      tx
        .selectFrom('askedOccurrence')
        .select('originalStart')
        .where('meetingId', '=', meetingId)
        .orderBy('originalStart', 'desc')
        .offset(maxAskedOccurrences),
    )
    .execute()
}

/**
 * Delete what was answered about single occurrences of a series that was moved, and every proposal: its guests are
 * asked about all of it. With `from`, only about occurrences from that original start on.
 */
export async function deleteOccurrenceResponses(tx: Tx, meetingId: string, { from }: { from?: Date } = {}) {
  for (const table of ['occurrenceResponse', 'askedOccurrence'] as const) {
    const deletion = tx.deleteFrom(table).where('meetingId', '=', meetingId)
    await (from === undefined ? deletion : deletion.where('originalStart', '>=', from)).execute()
  }
  const proposals = deleteTimeProposals(tx, meetingId)
  await (from === undefined ? proposals : proposals.where('originalStart', '>=', from)).execute()
}

const splitParameters = { seriesId: 'uuid', continuationId: 'uuid', from: 'timestamptz', isUnmoved: 'boolean' } as const

const splitResponsesStatement = defineStatement({
  name: 'split-occurrence-responses',
  parameters: splitParameters,
  text: (p) => sql`with moved as (
    delete from occurrence_response where meeting_id = ${p.seriesId} and original_start >= ${p.from} returning *
  ) insert into occurrence_response (meeting_id, email_key, original_start, response, comment, responded_at,
      recorded_at)
    select ${p.continuationId}, moved.email_key, moved.original_start, moved.response, moved.comment,
      moved.responded_at, moved.recorded_at
    from moved join participant p on p.meeting_id = ${p.continuationId} and p.email_key = moved.email_key
    where ${p.isUnmoved}`,
})

/** The continuation begins with SEQUENCE 0, and calendar programs answer it with that. */
const splitAskedStatement = defineStatement({
  name: 'split-asked-occurrences',
  parameters: splitParameters,
  text: (p) => sql`with moved as (
    delete from asked_occurrence where meeting_id = ${p.seriesId} and original_start >= ${p.from} returning *
  ) insert into asked_occurrence (meeting_id, original_start, asked_at, asked_sequence)
    select ${p.continuationId}, original_start, asked_at, 0 from moved where ${p.isUnmoved}`,
})

/**
 * Move the responses to occurrences of a series from one on to the meeting that continues it, unless they are moved.
 */
export async function splitOccurrenceResponses(
  tx: Tx,
  { seriesId, continuationId, from, isUnmoved }: SplitResponses,
): Promise<void> {
  await splitResponsesStatement.execute(tx, { seriesId, continuationId, from, isUnmoved })
  await splitAskedStatement.execute(tx, { seriesId, continuationId, from, isUnmoved })
  // The host who splits a series has decided on its times.
  await deleteTimeProposals(tx, seriesId).where('originalStart', '>=', from).execute()
}

type SplitResponses = { seriesId: string; continuationId: string; from: Date; isUnmoved: boolean }

/** The SEQUENCE at which the guests were asked about an occurrence; 0 where only about the series. */
export async function findAskedSequence(database: Database, meetingId: string, originalStart: Date): Promise<number> {
  const asked = await database
    .selectFrom('askedOccurrence')
    .select('askedSequence')
    .where('meetingId', '=', meetingId)
    .where('originalStart', '=', originalStart)
    .executeTakeFirst()
  return asked?.askedSequence ?? 0
}

/**
 * Whether the response of participant `p` to the series counts for the occurrence of `a`, an `asked_occurrence` or
 * null.
 */
const isForSeries = sql`(a.asked_at is null or coalesce(p.responded_at > a.asked_at, false))`

/** What participant `p` answers about the occurrence of `r`, an `occurrence_response`, and `a`; each may be null. */
export const responseToOccurrence: Fragment = sql`coalesce(r.response, case when ${isForSeries} then p.response end)`

const responseStatement = defineStatement({
  name: 'find-response-to-occurrence',
  parameters: { ...pick(tables.occurrenceResponse, 'meetingId', 'originalStart'), addressKey: 'text' },
  columns: { response: tables.participant.response },
  text: (p) => sql`select ${responseToOccurrence} as response from participant p
    left join occurrence_response r on r.meeting_id = p.meeting_id and r.email_key = p.email_key
      and r.original_start = ${p.originalStart}
    left join asked_occurrence a on a.meeting_id = p.meeting_id and a.original_start = ${p.originalStart}
    where p.meeting_id = ${p.meetingId} and p.email_key = ${p.addressKey}`,
})

/**
 * Find a guest's response to one occurrence: the response to the occurrence itself, or else to the series. Null: no
 * response.
 */
export async function findResponseTo(
  database: Database,
  { meetingId, addressKey, originalStart }: Pick<OccurrenceResponse, 'meetingId' | 'addressKey' | 'originalStart'>,
): Promise<InvitationResponse | null> {
  const [found] = await responseStatement.execute(database, { meetingId, addressKey, originalStart })
  return found?.response ?? null
}

const declinedStatement = defineStatement({
  name: 'find-declined-occurrence',
  parameters: pick(tables.occurrenceResponse, 'meetingId', 'originalStart'),
  columns: { addressKey: 'text' },
  text: (p) => sql`select p.email_key as address_key from participant p
    left join occurrence_response r on r.meeting_id = p.meeting_id and r.email_key = p.email_key
      and r.original_start = ${p.originalStart}
    left join asked_occurrence a on a.meeting_id = p.meeting_id and a.original_start = ${p.originalStart}
    where p.meeting_id = ${p.meetingId} and ${responseToOccurrence} = 'declined'`,
})

/**
 * Find the address keys of guests who have declined the occurrence, or who have declined the series and not responded
 * to the occurrence.
 */
export async function findDeclined(tx: Tx, meetingId: string, originalStart: Date): Promise<ReadonlySet<string>> {
  const rows = await declinedStatement.execute(tx, { meetingId, originalStart })
  return new Set(rows.map(({ addressKey }) => addressKey))
}

/** One guest's response to one occurrence, where it differs from the response to the series; null: asked again. */
export type OwnResponse = { originalStart: Date; response: InvitationResponse | null }

/** `OwnResponse` as JSON holds it. */
export type WrittenResponse = { originalStart: string; response: InvitationResponse | null }

/** A column of `WrittenResponse[]`, in the order of the original starts, for a participant `p`, who may be null. */
export const ownResponsesJson: Fragment = sql`(
  select coalesce(json_agg(json_build_object('originalStart', o.original_start, 'response', o.response)
    order by o.original_start), '[]')
  from (
    select r.original_start, r.response from occurrence_response r
    where r.meeting_id = p.meeting_id and r.email_key = p.email_key
    union all
    select a.original_start, null from asked_occurrence a
    where a.meeting_id = p.meeting_id and not ${isForSeries} and not exists (
      select from occurrence_response r where r.meeting_id = p.meeting_id and r.email_key = p.email_key
        and r.original_start = a.original_start)
  ) o where o.response is distinct from p.response)`

/** Whether participant `p`, who declined the series, has not declined each of its occurrences. */
export const attendsAny: Fragment = sql`(
  exists (select from occurrence_response r where r.meeting_id = p.meeting_id and r.email_key = p.email_key
    and r.response <> 'declined')
  or exists (select from asked_occurrence a where a.meeting_id = p.meeting_id and not ${isForSeries}))`

const ownStatement = defineStatement({
  name: 'find-own-responses',
  parameters: { meetingId: tables.participant.meetingId, addressKey: 'text' },
  columns: { own: typed<readonly WrittenResponse[]>('json') },
  text: (p) => sql`select ${ownResponsesJson} as own from participant p
    where p.meeting_id = ${p.meetingId} and p.email_key = ${p.addressKey}`,
})

/** Find the occurrences that a guest answered otherwise than the series. */
export async function findOwnResponses(
  database: Database,
  meetingId: string,
  addressKey: string,
): Promise<OwnResponse[]> {
  const [found] = await ownStatement.execute(database, { meetingId, addressKey })
  return readOwnResponses(found?.own ?? [])
}

export const readOwnResponses = (written: readonly WrittenResponse[]): OwnResponse[] =>
  written.map(({ originalStart, response }) => ({ originalStart: new Date(originalStart), response }))

const changesStatement = defineStatement({
  name: 'count-occurrence-responses',
  parameters: { meetingId: tables.occurrenceResponse.meetingId, starts: 'timestamptz[]' },
  columns: {
    originalStart: tables.occurrenceResponse.originalStart,
    response: tables.participant.response,
    change: 'integer',
  },
  text: (p) => sql`with own as (
    select original_start, email_key, response from occurrence_response
    where meeting_id = ${p.meetingId} and original_start = any(${p.starts})
  ), asked as (
    select a.original_start, p.response from asked_occurrence a join participant p on p.meeting_id = a.meeting_id
    where a.meeting_id = ${p.meetingId} and a.original_start = any(${p.starts}) and p.response is not null
      and not ${isForSeries}
      and not exists (select from own where own.original_start = a.original_start and own.email_key = p.email_key)
  ), change as (
    select original_start, response, 1 as by from own
    union all select own.original_start, p.response, -1 from own
      join participant p on p.meeting_id = ${p.meetingId} and p.email_key = own.email_key
    union all select original_start, null, 1 from asked
    union all select original_start, response, -1 from asked
  ) select original_start, response, sum(by)::integer as change from change
    group by original_start, response having sum(by) <> 0`,
})

/** Find the differences between the numbers of responses to these occurrences and to the series; null: no response. */
export const findResponseChanges = (database: Database, meetingId: string, starts: readonly Date[]) =>
  changesStatement.execute(database, { meetingId, starts })

/** Maximum of listed responses: enough for a large meeting's responses to a few dates. The counts are always exact. */
const maxListedResponses = 1000

/** List who answered about these occurrences apart from the series, in the order of the participants. */
export const listOccurrenceResponses = (database: Database, meetingId: string, starts: readonly Date[]) =>
  listStatement.execute(database, { meetingId, starts })

const listStatement = defineStatement({
  name: 'list-occurrence-responses',
  parameters: { meetingId: tables.occurrenceResponse.meetingId, starts: 'timestamptz[]' },
  columns: {
    ...pick(tables.occurrenceResponse, 'originalStart', 'response', 'comment'),
    email: tables.participant.email,
  },
  text: (p) => sql`select r.original_start, p.email, r.response, r.comment from occurrence_response r
    join participant p on p.meeting_id = r.meeting_id and p.email_key = r.email_key
    where r.meeting_id = ${p.meetingId} and r.original_start = any(${p.starts})
    order by r.original_start, p.position limit ${sql.lit(maxListedResponses)}`,
})
