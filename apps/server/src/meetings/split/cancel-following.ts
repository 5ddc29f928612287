import { carryChanges, carryExclusions } from '@parley/rules/recurrence/exclusions'
import { noExceptions, type Series } from '@parley/rules/recurrence/recurrence'
import type { Actor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findDroppedDates, replaceChanges, replaceExclusions } from '../exclusion-store.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { deleteOccurrenceResponses } from '../responses/occurrence-response-store.ts'
import { endSeriesBefore } from './end-series-before.ts'

type CancelledFollowing = {
  row: MeetingRow
  series: Series
  /** The original start of the first occurrence that is cancelled. */
  occurrence: Date
  /** What the series keeps. */
  before: Series
  actor: Actor
  notifies: boolean
  waitUntil: Date | undefined
}

/** Cancel an occurrence of a series and all that follow, in the caller's transaction, which has locked the meeting. */
export async function cancelFollowing(
  tx: Tx,
  service: Pick<Service, 'config'>,
  { row, series, occurrence, before, actor, notifies, waitUntil }: CancelledFollowing,
  now: Date,
): Promise<void> {
  const after = { ...before, ...noExceptions }
  const carried = carryExclusions(series, after)
  await replaceExclusions(tx, row.id, { carried, droppedDates: await findDroppedDates(tx, row.id), after, now })
  await replaceChanges(tx, row.id, carryChanges(series, after))
  await deleteOccurrenceResponses(tx, row.id, { from: occurrence })
  const shortening = { seriesId: row.id, actor, now }
  await endSeriesBefore(tx, service, shortening, { row, series, before, notifies, isRefusable: false, waitUntil })
}
