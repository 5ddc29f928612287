import type { Series } from '@parley/rules/recurrence/recurrence'
import type { Database } from '../../platform/database/database.ts'
import { readExceptions } from '../exception-store.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { findSeriesAround, type SeriesRow } from './meeting-list-store.ts'

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

export const seriesOfListed = ({ exceptions, ...row }: SeriesRow): Series => ({
  ...row,
  ...readExceptions(exceptions),
  durationMs: row.endsAt.getTime() - row.startsAt.getTime(),
})
