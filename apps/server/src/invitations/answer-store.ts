import type { InvitationResponse } from '@parley/contract'
import { nextOccurrence } from '@parley/rules/recurrence/recurrence'
import { type MeetingRow, seriesOf } from '../meetings/meeting-row.ts'
import { findSkipped } from '../meetings/meeting-store.ts'
import type { Database } from '../tables/tables.ts'

type Answer = { meetingId: string; addressKey: string; response: InvitationResponse }

/** Record a response to an invitation, wherever it was given. */
export async function recordAnswer(database: Database, { meetingId, addressKey, response }: Answer): Promise<void> {
  await database
    .updateTable('participant')
    .set({ response })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .execute()
}

/**
 * Find the date that a response given now is about: the next one. Undefined when none is left, or the meeting is
 * cancelled.
 */
export async function findDateToAnswer(database: Database, meeting: MeetingRow, now: Date) {
  const series = seriesOf(meeting, await findSkipped(database, meeting.id))
  const next = meeting.cancelledAt === null ? nextOccurrence(series, now) : undefined
  return { series, next }
}
