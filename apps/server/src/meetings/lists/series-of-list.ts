import type { CalendarSeries } from '@parley/rules/meetings/calendar'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { nextOccurrence, type Occurrence, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import type { Database } from '../../platform/database/database.ts'
import { findExceptionsOf, readExceptions } from '../exception-store.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import {
  aheadHorizonMs,
  findSeries,
  findSeriesAround,
  listSeriesAhead,
  type SeriesAhead,
  type SeriesRow,
  type SeriesVersion,
} from './meeting-list-store.ts'

/** What a list needs of a series and only its recurrence rule gives. */
export type SeriesOfList = {
  /** The ids of series with an occurrence in the filter's range; empty without a range. */
  inRange: readonly string[]
  /** The series with an occurrence ahead, each with its next one. */
  ahead: readonly (SeriesAhead & { next: Occurrence | undefined })[]
}

/** Expand the owner's series if the filter depends on their occurrences. */
export async function readSeriesOfList(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
): Promise<SeriesOfList> {
  const inRange: string[] = []
  const ahead: SeriesOfList['ahead'][number][] = []
  if (filter.from === undefined && filter.to === undefined) {
    if (filter.past) return { inRange, ahead }
    // Only series ahead are expanded: a person may have many that are over.
    const listAfter = (afterId: string) => listSeriesAhead(database, owner, filter, afterId, batchSize)
    for await (const batch of inBatches(listAfter)) ahead.push(...(await readAhead(database, batch, filter.now)))
    return { inRange, ahead }
  }
  for await (const batch of seriesAround(database, owner, filter)) {
    const found = batch.filter((row) => occursWithin(seriesInFilter(row, filter), filter.from, filter.to))
    inRange.push(...found.map(({ id }) => id))
    if (!filter.past) ahead.push(...(await findAheadAfterRange(database, found, filter.now)))
  }
  return { inRange, ahead }
}

/** A next occurrence that was found: it is the same from `since` to its end, as long as its series has this version. */
type KnownNext = { version: number; modifiedAt: number; since: number; next: Occurrence | undefined }

/** Series whose next occurrence an instance remembers, about 5 MB: expanding the rules of a hundred takes a millisecond. */
const maxKnownSeries = 20_000

/**
 * The next occurrences of series that lists have asked for, by the id of the series. Each read of a list reads the
 * versions of its series, and with them whether an entry still holds. A transaction is a database of its own: what it
 * has not committed stays in its own entries.
 */
const knownOf = new WeakMap<Database, Map<string, KnownNext>>()

/** Find the next occurrences of series, and expand only those that have changed or whose occurrence is over. */
async function readAhead(
  database: Database,
  versions: readonly SeriesVersion[],
  now: Date,
): Promise<SeriesOfList['ahead']> {
  const known = knownOf.get(database) ?? new Map<string, KnownNext>()
  knownOf.set(database, known)
  const isKnown = ({ id, version, modifiedAt }: SeriesVersion) => {
    const one = known.get(id)
    if (one === undefined || one.version !== version || one.modifiedAt !== modifiedAt.getTime()) return false
    return one.since <= now.getTime() && (one.next === undefined || one.next.endsAt > now)
  }
  const missing = versions.filter((series) => !isKnown(series)).map(({ id }) => id)
  const rows = missing.length === 0 ? [] : await findSeries(database, missing, now)
  const found = new Map((await findAhead(database, rows, now)).map((one) => [one.id, one]))
  for (const { id, version, modifiedAt } of rows) {
    known.delete(id)
    known.set(id, { version, modifiedAt: modifiedAt.getTime(), since: now.getTime(), next: found.get(id)?.next })
  }
  const ahead = versions.map(({ id }) => found.get(id) ?? listedAt(id, known.get(id)?.next, now))
  for (const id of known.keys()) {
    if (known.size <= maxKnownSeries) break
    known.delete(id)
  }
  return ahead
}

/** Find the next occurrences, which may be outside the range with whose exceptions the series were read. */
async function findAheadAfterRange(
  database: Database,
  found: readonly SeriesRow[],
  now: Date,
): Promise<SeriesOfList['ahead']> {
  const rows = found.filter(({ isAhead }) => isAhead)
  const ids = rows.map(({ id }) => id)
  const exceptions = await findExceptionsOf(database, ids)
  return rows.map((row) => aheadOf({ ...row, exceptions: exceptions.get(row.id) ?? row.exceptions }, now))
}

/** Find the next occurrences of series that were read with the exceptions of the next two months. */
async function findAhead(database: Database, rows: readonly SeriesRow[], now: Date): Promise<SeriesOfList['ahead']> {
  const horizonMs = now.getTime() + aheadHorizonMs
  const found = rows.map((row) => ({ row, ahead: aheadOf(row, now) }))
  const isUncertain = ({ ahead: { next } }: (typeof found)[number]) =>
    next === undefined || next.startsAt.getTime() >= horizonMs
  const exceptions = await findExceptionsOf(
    database,
    found.filter(isUncertain).map(({ row }) => row.id),
  )
  return found.map(({ row, ahead }) => {
    const all = exceptions.get(row.id)
    return all === undefined ? ahead : aheadOf({ ...row, exceptions: all }, now)
  })
}

/** A cancelled series is found by the dates that it would have had, an active series by the dates that it has. */
function seriesInFilter(row: SeriesRow, { status }: ListFilter): Series | undefined {
  const series = seriesOfListed(row)
  return row.cancelledAt === null || status !== 'active' ? series : heldSeries(series, row.cancelledAt)
}

function aheadOf(row: SeriesRow, now: Date) {
  const series = seriesOfListed(row)
  const held = row.cancelledAt === null ? series : heldSeries(series, row.cancelledAt)
  const next = held && nextOccurrence(held, now)
  return listedAt(row.id, next, now)
}

const listedAt = (id: string, next: Occurrence | undefined, now: Date) => ({
  id,
  next,
  listedAt: next?.startsAt ?? now,
})

function occursWithin(series: Series | undefined, from: Date | undefined, to: Date | undefined): boolean {
  if (series === undefined) return false
  for (const occurrence of occurrences(series, from)) {
    if (to !== undefined && occurrence.startsAt >= to) return false
    if (!occurrence.cancelled) return true
  }
  return false
}

/** Few enough to hold in memory; more series are read in batches. */
const batchSize = 1000

/** The owner's series that may have an occurrence in the filter's range, in batches. */
export const seriesAround = (database: Database, owner: ListOwner, filter: ListFilter) =>
  inBatches((afterId) => findSeriesAround(database, owner, filter, afterId, batchSize))

async function* inBatches<Row extends { id: string }>(
  listAfter: (afterId: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let afterId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const batch = await listAfter(afterId)
    yield batch
    const last = batch.at(-1)
    if (last === undefined || batch.length < batchSize) return
    afterId = last.id
  }
}

const seriesOfListed = ({ exceptions, ...row }: SeriesRow): Series => ({
  ...row,
  ...readExceptions(exceptions),
  durationMs: row.endsAt.getTime() - row.startsAt.getTime(),
})

export const calendarSeriesOf = (row: SeriesRow): CalendarSeries => ({
  id: row.id,
  cancelledAt: row.cancelledAt,
  series: seriesOfListed(row),
})
