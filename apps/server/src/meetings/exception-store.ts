import { mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { type CarriedCancellations, type CarriedChanges, stillDropped } from '@parley/rules/recurrence/carried-dates'
import type { Exceptions, OccurrenceChange, Series } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Actor } from '../access/caller.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { tables, typed } from '../platform/database/tables.ts'

/**
 * The cancelled and the changed occurrences of a series, as JSON holds them: short, because a list may have thousands.
 * Instants are in milliseconds since 1970.
 */
export type WrittenExceptions = { cancelled: readonly number[]; changed: readonly WrittenChange[] }

type WrittenChange = readonly [
  originalStart: number,
  startsAt: number | null,
  endsAt: number | null,
  /** In the order of `meetingTextNames`. */
  ...texts: (string | null)[],
]

/** In floating point, which is exact for milliseconds and much faster than the numeric of `extract`. */
const milliseconds = (instant: Fragment) => sql`(date_part('epoch', ${instant}) * 1000)::bigint`

/** Only exceptions that matter to occurrences which end after `after` and start before `before`. */
export type ExceptionsRange = { after?: Fragment; before?: Fragment }

/**
 * An occurrence lasts a day at most. A change that moves an occurrence out of the range matters as well, because its
 * original start is inside. The index `changed_occurrence_by_time` has these expressions.
 */
function exceptionsText(meetingId: Fragment, extent: 'whole' | 'brief', { after, before }: ExceptionsRange = {}) {
  const texts = meetingTextNames.map((name) =>
    extent === 'whole' || name === 'topic' ? sql`o.${sql.raw(name)}` : sql`null`,
  )
  const inOrderOf = (start: Fragment) => (extent === 'whole' ? sql`order by ${start}` : sql``)
  const dayBefore = after && sql`${after} - interval '1 day'`
  const cancelled = [sql`s.meeting_id = ${meetingId}`]
  const changed = [sql`o.meeting_id = ${meetingId}`]
  if (after && dayBefore) {
    cancelled.push(sql`s.starts_at > ${dayBefore}`)
    changed.push(sql`greatest(o.original_start, o.ends_at) > ${dayBefore}`)
  }
  if (before) {
    cancelled.push(sql`s.starts_at < ${before}`)
    changed.push(sql`least(o.original_start, o.starts_at) < ${before}`)
  }
  const [original, start, end] = [sql`o.original_start`, sql`o.starts_at`, sql`o.ends_at`].map(milliseconds)
  return sql`json_build_object(
  'cancelled', (select coalesce(json_agg(${milliseconds(sql`s.starts_at`)} ${inOrderOf(sql`s.starts_at`)}), '[]')
    from skipped_occurrence s where ${sql.join(cancelled, sql` and `)}),
  'changed', (select coalesce(json_agg(json_build_array(${original}, ${start}, ${end},
      ${sql.join(texts)}) ${inOrderOf(sql`o.original_start`)}), '[]')
    from changed_occurrence o where ${sql.join(changed, sql` and `)}))`
}

/** A column of `WrittenExceptions`. */
export const exceptionsJson = (meetingId: Fragment) => exceptionsText(meetingId, 'whole')

/** `exceptionsJson` with the topics alone, and in no order, for many series at once. */
export const briefExceptionsJson = (meetingId: Fragment, range?: ExceptionsRange) =>
  exceptionsText(meetingId, 'brief', range)

export const exceptionsType = typed<WrittenExceptions>('json')

export const readExceptions = ({ cancelled, changed }: WrittenExceptions): Exceptions => ({
  cancelled: cancelled.map((ms) => new Date(ms)),
  changed: changed.map(([originalStart, startsAt, endsAt, ...texts]) => ({
    originalStart: new Date(originalStart),
    times: startsAt === null || endsAt === null ? null : { startsAt: new Date(startsAt), endsAt: new Date(endsAt) },
    ...mapTexts((_, index) => texts[index] ?? null),
  })),
})

const findStatement = defineStatement({
  name: 'find-exceptions',
  parameters: { meetingId: tables.changedOccurrence.meetingId },
  columns: { exceptions: exceptionsType },
  text: (p) => sql`select ${exceptionsJson(sql`${p.meetingId}`)} as exceptions`,
})

/** The cancelled and the changed occurrences of a meeting. */
export async function findExceptions(database: Database, meetingId: string): Promise<Exceptions> {
  const [found] = await findStatement.execute(database, { meetingId })
  return found === undefined ? { cancelled: [], changed: [] } : readExceptions(found.exceptions)
}

const findManyStatement = defineStatement({
  name: 'find-exceptions-of-many',
  parameters: { ids: 'uuid[]' },
  columns: { id: 'uuid', exceptions: exceptionsType },
  text: (p) =>
    sql`select id, ${briefExceptionsJson(sql`wanted.id`)} as exceptions from unnest(${p.ids}) as wanted (id)`,
})

/** The exceptions of many meetings, with the topics alone of the texts of changed occurrences. */
export async function findExceptionsOf(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WrittenExceptions>> {
  const rows = ids.length === 0 ? [] : await findManyStatement.execute(database, { ids: [...ids] })
  return new Map(rows.map(({ id, exceptions }) => [id, exceptions]))
}

export async function insertCancelledDates(
  tx: Tx,
  meetingId: string,
  starts: readonly Date[],
  actor: Actor,
  now: Date,
): Promise<void> {
  if (starts.length === 0) return
  const rows = starts.map((startsAt) => ({ meetingId, startsAt, skippedBy: actor.accountId, skippedAt: now }))
  await tx.insertInto('skippedOccurrence').values(rows).execute()
}

/** Delete the cancellation of a date, and return when it was cancelled. */
export async function deleteCancelledDate(tx: Tx, meetingId: string, startsAt: Date): Promise<Date> {
  const { skippedAt } = await tx
    .deleteFrom('skippedOccurrence')
    .where('meetingId', '=', meetingId)
    .where('startsAt', '=', startsAt)
    .returning('skippedAt')
    .executeTakeFirstOrThrow()
  return skippedAt
}

/** Write the change of one occurrence, in place of an earlier one. */
export async function putChange(tx: Tx, meetingId: string, change: OccurrenceChange, actor: Actor, now: Date) {
  const { originalStart, times, ...texts } = change
  const values = {
    startsAt: times?.startsAt ?? null,
    endsAt: times?.endsAt ?? null,
    ...texts,
    changedBy: actor.accountId,
    changedAt: now,
  }
  await tx
    .insertInto('changedOccurrence')
    .values({ meetingId, originalStart, ...values })
    .onConflict((conflict) => conflict.columns(['meetingId', 'originalStart']).doUpdateSet(values))
    .execute()
}

export const deleteChange = (tx: Tx, meetingId: string, originalStart: Date) =>
  tx
    .deleteFrom('changedOccurrence')
    .where('meetingId', '=', meetingId)
    .where('originalStart', '=', originalStart)
    .execute()

/** The local dates of cancellations that earlier changes of the series have dropped. */
export async function findDroppedDates(database: Database, meetingId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('droppedCancellation')
    .select('localDate')
    .where('meetingId', '=', meetingId)
    .execute()
  return rows.map(({ localDate }) => localDate)
}

type ReplacedCancellations = {
  carried: CarriedCancellations
  /** The local dates that earlier changes have dropped. */
  droppedDates: readonly string[]
  /** The series with the change. */
  after: Series
  now: Date
}

/** Store the cancellations of a changed series, and the dates of the dropped cancellations. */
export async function replaceCancellations(
  tx: Tx,
  meetingId: string,
  { carried, droppedDates, after, now }: ReplacedCancellations,
): Promise<void> {
  const moved = carried.kept.filter(({ from, to }) => from.getTime() !== to.getTime())
  const gone = [...moved, ...carried.dropped].map(({ from }) => from)
  if (gone.length > 0) {
    const deleted = await tx
      .deleteFrom('skippedOccurrence')
      .where('meetingId', '=', meetingId)
      .where('startsAt', 'in', gone)
      .returningAll()
      .execute()
    const startsIn = new Map(moved.map(({ from, to }) => [from.getTime(), to]))
    const rows = deleted.flatMap((row) => {
      const startsAt = startsIn.get(row.startsAt.getTime())
      return startsAt === undefined ? [] : [{ ...row, startsAt }]
    })
    if (rows.length > 0) await tx.insertInto('skippedOccurrence').values(rows).execute()
  }
  await replaceDropped(tx, meetingId, { carried, droppedDates, after, now })
}

/** Store the changes of occurrences that a changed series keeps. */
export async function replaceChanges(tx: Tx, meetingId: string, { kept, dropped }: CarriedChanges): Promise<void> {
  const moved = kept.filter(({ from, change }) => from.getTime() !== change.originalStart.getTime())
  const gone = [...moved.map(({ from }) => from), ...dropped]
  if (gone.length === 0) return
  const deleted = await tx
    .deleteFrom('changedOccurrence')
    .where('meetingId', '=', meetingId)
    .where('originalStart', 'in', gone)
    .returningAll()
    .execute()
  const startOf = new Map(moved.map(({ from, change }) => [from.getTime(), change.originalStart]))
  const rows = deleted.flatMap((row) => {
    const originalStart = startOf.get(row.originalStart.getTime())
    return originalStart === undefined ? [] : [{ ...row, originalStart }]
  })
  if (rows.length > 0) await tx.insertInto('changedOccurrence').values(rows).execute()
}

async function replaceDropped(
  tx: Tx,
  meetingId: string,
  { carried, droppedDates, after, now }: ReplacedCancellations,
): Promise<void> {
  const dropped = stillDropped([...droppedDates, ...carried.dropped.map(({ localDate }) => localDate)], after)
  const removed = droppedDates.filter((date) => !dropped.includes(date))
  if (removed.length > 0) {
    await tx
      .deleteFrom('droppedCancellation')
      .where('meetingId', '=', meetingId)
      .where('localDate', 'in', removed)
      .execute()
  }
  const added = dropped.filter((date) => !droppedDates.includes(date))
  if (added.length > 0) {
    await tx
      .insertInto('droppedCancellation')
      .values(added.map((localDate) => ({ meetingId, localDate, droppedAt: now })))
      .execute()
  }
}
