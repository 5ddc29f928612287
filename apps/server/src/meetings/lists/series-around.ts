import type { Database } from '../../tables/tables.ts'
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
