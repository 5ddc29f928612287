import type { InvitationResponse } from '@parley/contract'
import { seriesOf } from '@parley/rules/meetings/meeting-request'
import { nextOccurrence } from '@parley/rules/recurrence/recurrence'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import { findExceptions } from '../../meetings/exception-store.ts'
import type { MeetingRow } from '../../meetings/meeting-row.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'

type ParticipantResponse = {
  meetingId: string
  addressKey: string
  response: InvitationResponse
  /** What the guest wrote with it, for the host. */
  comment: string | null
  respondedAt: Date
  recordedAt: Date
  /** The grant by which an app gave it; null if a person did. */
  actingGrantId: string | null
}

/**
 * Record a response to an invitation, wherever it was given. Returns false where a later one is recorded: mails may
 * arrive in another order.
 */
export async function recordResponse(
  database: Database,
  { meetingId, addressKey, response, comment, respondedAt, recordedAt, actingGrantId }: ParticipantResponse,
): Promise<boolean> {
  const at = wholeSecond(respondedAt)
  return inTransaction(database, async (tx) => {
    const former = await tx
      .selectFrom('participant')
      .select(['email', 'response', 'respondedAt'])
      .where('meetingId', '=', meetingId)
      .where('emailKey', '=', addressKey)
      .forUpdate()
      .executeTakeFirst()
    if (former === undefined || (former.respondedAt !== null && former.respondedAt > at)) return false
    await tx
      .updateTable('participant')
      .set({ response, responseComment: comment, respondedAt: at, responseRecordedAt: recordedAt })
      .where('meetingId', '=', meetingId)
      .where('emailKey', '=', addressKey)
      .execute()
    if (former.response === response) return true
    const more = { email: former.email, response }
    await recordMeetingEvent(tx, { type: 'participant.responded', meetingId, more, actingGrantId, now: recordedAt })
    return true
  })
}

/** DTSTAMP has no more (RFC 5545, 3.3.5): of two answers in a second, the one that arrives later counts. */
export const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000)

/**
 * Find the date that a response given now is about: the next one. Undefined when none is left, or the meeting is
 * cancelled.
 */
export async function findDateToRespondTo(database: Database, meeting: MeetingRow, now: Date) {
  const series = seriesOf(meeting, await findExceptions(database, meeting.id))
  const next = meeting.cancelledAt === null ? nextOccurrence(series, now) : undefined
  return { series, next }
}
