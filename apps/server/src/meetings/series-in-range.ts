import { occurrences } from '@parley/rules/recurrence'
import type { Database } from '../../migrations/tables.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { findSeriesAround, type SeriesRow } from './meeting-list-store.ts'

/** Few enough to hold at once; a person with more series has them read in several turns. */
const batchSize = 1000

/** The owner's series that could have an occurrence in the filter's range, so many at a time. */
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

/** The ids of the owner's series of which an occurrence overlaps the filter's range (meetings.md 6). */
export async function findSeriesInRange(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
): Promise<readonly string[]> {
  if (filter.from === undefined && filter.to === undefined) return []
  const found: string[] = []
  for await (const batch of seriesAround(database, owner, filter)) {
    for (const row of batch) if (occursWithin(row, filter.from, filter.to)) found.push(row.id)
  }
  return found
}
function occursWithin(row: SeriesRow, from: Date | undefined, to: Date | undefined): boolean {
  const durationMs = row.endsAt.getTime() - row.startsAt.getTime()
  const excluded = row.excluded.map((text) => new Date(text))
  for (const occurrence of occurrences({ ...row, durationMs, excluded }, from)) {
    if (to !== undefined && occurrence.startsAt >= to) return false
    if (!occurrence.excluded) return true
  }
  return false
}
