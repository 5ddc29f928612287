import type { CalendarSeries } from '@parley/rules/meetings/calendar'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { nextOccurrence, type Occurrence, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import type { Database } from '../../platform/database/database.ts'
import { findExceptionsOf, readExceptions } from '../exception-store.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { aheadHorizonMs, findSeriesAround, type SeriesAhead, type SeriesRow } from './meeting-list-store.ts'

/** What a list needs of a series and only its recurrence rule gives. */
export type SeriesOfList = {
  /** The ids of series with an occurrence in the filter's range; empty without a range. */
  inRange: readonly string[]
  /** The series with an occurrence ahead, each with its next one. */
  ahead: readonly (SeriesAhead & { next: Occurrence | undefined })[]
}

/**
 * Expand the owner's series if the filter depends on their occurrences. Nothing is stored, because the next occurrence
 * changes with time, and a thousand series take only a few milliseconds.
 */
export async function readSeriesOfList(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
): Promise<SeriesOfList> {
  const hasRange = filter.from !== undefined || filter.to !== undefined
  const inRange: string[] = []
  const ahead: SeriesOfList['ahead'][number][] = []
  if (!hasRange && filter.past) return { inRange, ahead }
  // Without a range, only series ahead are expanded: a person may have many that are over.
  const expanded = hasRange ? filter : { ...filter, past: false }
  for await (const batch of seriesAround(database, owner, expanded)) {
    if (!hasRange) {
      ahead.push(...(await findAhead(database, batch, filter.now)))
      continue
    }
    const found = batch.filter((row) => occursWithin(seriesInFilter(row, filter), filter.from, filter.to))
    inRange.push(...found.map(({ id }) => id))
    if (!filter.past) ahead.push(...(await findAheadAfterRange(database, found, filter.now)))
  }
  return { inRange, ahead }
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
  return { id: row.id, next, listedAt: next?.startsAt ?? now }
}

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
export async function* seriesAround(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
): AsyncGenerator<readonly SeriesRow[]> {
  let afterId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const batch = await findSeriesAround(database, owner, filter, afterId, batchSize)
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
