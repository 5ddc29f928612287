import type { Caller } from '../../access/caller.ts'
import { requireMeetingId } from '../../meetings/meeting-id.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { rightsOf, viewerOf } from '../../meetings/view/meeting-viewer.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'

/**
 * Require that the caller is host or cohost of a meeting, and return its id: only hosts may see attendance.
 * @throws meeting_not_found, host_required
 */
export async function requireHostOfMeeting(database: Database, caller: Caller, text: string, config: Config) {
  const meetingId = requireMeetingId(text)
  const row = await findMeeting(database, meetingId, viewerOf(caller, config))
  if (row === undefined) throw problem('meeting_not_found')
  if (!rightsOf(row, caller).has('seeHostFields')) throw problem('host_required')
  return meetingId
}
