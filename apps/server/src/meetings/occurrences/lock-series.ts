import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { type Exceptions, occurrenceAt } from '@parley/rules/recurrence/recurrence'
import { readTimestamp } from '@parley/rules/text/timestamp'
import { type Actor, actorOf, type Caller } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { findExceptions } from '../exception-store.ts'
import { requireMeetingId } from '../meeting-id.ts'
import { type MeetingRow, seriesOf } from '../meeting-row.ts'
import { lockMeeting } from '../meeting-store.ts'
import { requireVersion } from '../meeting-version.ts'
import { rightsOf, viewerOf } from '../view/meeting-viewer.ts'
import { viewOccurrence } from '../view/occurrence-view.ts'

type LockedSeries = { actor: Actor; row: MeetingRow; exceptions: Exceptions; originalStart: Date }

/**
 * Lock the meeting of an occurrence that the caller may change.
 * @throws meeting_not_found, forbidden, meeting_cancelled, stale_version, occurrence_not_found
 */
export async function lockSeries(
  tx: Tx,
  { config }: Pick<Service, 'config'>,
  {
    caller,
    params,
    ifMatch,
  }: {
    caller: Caller
    params: { meetingId: string; originalStart: string }
    ifMatch: string | undefined
  },
): Promise<LockedSeries> {
  const row = await lockMeeting(tx, requireMeetingId(params.meetingId), viewerOf(caller, config))
  if (row === undefined) throw problem('meeting_not_found')
  if (!rightsOf(row, caller).change) throw problem('forbidden')
  if (row.cancelledAt !== null) throw problem('meeting_cancelled')
  requireVersion(ifMatch, row)
  const originalStart = readTimestamp(params.originalStart)
  if (originalStart === undefined) throw problem('occurrence_not_found')
  return { actor: actorOf(caller, row.host), row, exceptions: await findExceptions(tx, row.id), originalStart }
}

/** The occurrence of a meeting that is not cancelled, as replies show it. */
export function viewOccurrenceOf(row: MeetingRow, exceptions: Exceptions, originalStart: Date) {
  const occurrence = occurrenceAt(seriesOf(row, exceptions), originalStart)
  if (occurrence === undefined) throw problem('occurrence_not_found')
  return viewOccurrence(occurrence, statusOf(occurrence, row.cancelledAt))
}
