import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { type Exceptions, occurrenceAt } from '@parley/rules/recurrence/recurrence'
import { readTimestamp } from '@parley/rules/text/timestamp'
import type { Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findExceptions } from '../exception-store.ts'
import { type MeetingRow, seriesOf } from '../meeting-row.ts'
import { requireVersion } from '../meeting-version.ts'
import type { AccessedMeeting } from '../view/meeting-access.ts'
import { viewOccurrence } from '../view/occurrence-view.ts'

type SeriesOfOccurrence = { exceptions: Exceptions; originalStart: Date }

/**
 * Find the series of an occurrence, in the transaction that has locked the meeting.
 * @throws meeting_cancelled, stale_version, occurrence_not_found
 */
export async function findSeriesOf(
  tx: Tx,
  row: MeetingRow,
  { params, ifMatch }: { params: { originalStart: string }; ifMatch: string | undefined },
): Promise<SeriesOfOccurrence> {
  if (row.cancelledAt !== null) throw problem('meeting_cancelled')
  requireVersion(ifMatch, row)
  const originalStart = readTimestamp(params.originalStart)
  if (originalStart === undefined) throw problem('occurrence_not_found')
  return { exceptions: await findExceptions(tx, row.id), originalStart }
}

/** The occurrence of a meeting that is not cancelled, as replies show it. */
export function viewOccurrenceOf({ row, rights }: AccessedMeeting, exceptions: Exceptions, originalStart: Date) {
  const occurrence = occurrenceAt(seriesOf(row, exceptions), originalStart)
  if (occurrence === undefined) throw problem('occurrence_not_found')
  return viewOccurrence(occurrence, statusOf(occurrence, row.cancelledAt), rights)
}
