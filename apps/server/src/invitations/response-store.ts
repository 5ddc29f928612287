import type { InvitationResponse } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { nextOccurrence, type Series } from '@parley/rules/recurrence/recurrence'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import type { MeetingRow } from '../meetings/meeting-row.ts'
import { recordOccurrenceResponse } from '../meetings/occurrence-response-store.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'

type ParticipantResponse = {
  meetingId: string
  addressKey: string
  response: InvitationResponse
  /** What the guest wrote with it, for the host. */
  comment: string | null
  respondedAt: Date
  recordedAt: Date
  /** The grant by which an app responded; null for a person. */
  actingGrantId: string | null
}

/**
 * Record a response to an invitation, whether it was given in the app, by a link or by a calendar program. Return false
 * where a later response is recorded already, because mails may arrive in another order.
 */
export async function recordResponse(
  database: Database,
  { meetingId, addressKey, response, comment, respondedAt, recordedAt, actingGrantId }: ParticipantResponse,
): Promise<boolean> {
  const at = wholeSecond(respondedAt)
  return inTransaction(database, async (tx) => {
    const former = await tx
      .selectFrom('participant')
      .select(['email', 'displayName', 'response', 'respondedAt'])
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
    const more = { ...namedGuest(former), response }
    await recordMeetingEvent(tx, { type: 'participant.responded', meetingId, more, actingGrantId, now: recordedAt })
    return true
  })
}

/**
 * Cut a time to the precision of DTSTAMP (RFC 5545, 3.3.5). Of two answers in one second, the later to arrive counts.
 */
export const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000)

/**
 * Find the date that a response given now is about: the next date of the meeting. Undefined when no date is left, or the
 * meeting is cancelled.
 */
export async function findDateToRespondTo(database: Database, meeting: MeetingRow, now: Date) {
  const series = seriesOf(meeting, await findExceptions(database, meeting.id))
  const next = meeting.cancelledAt === null ? nextOccurrence(series, now) : undefined
  return { series, next }
}

type OccurrenceAnswer = {
  meetingId: string
  addressKey: string
  /** Names the occurrence. */
  originalStart: Date
  response: InvitationResponse
  comment: string | null
  respondedAt: Date
  /** The grant by which an app responded; null for a person. */
  actingGrantId: string | null
}

/**
 * Record a response to one occurrence of a meeting that is not cancelled, or return why it cannot be recorded. A later
 * response to the series does not replace it, as in calendar programs: a REPLY without RECURRENCE-ID is about the series
 * alone, and the guest's calendar still shows the response to the occurrence.
 */
export async function respondToOccurrence(database: Database, series: Series, answer: OccurrenceAnswer, now: Date) {
  const found = findAnswerable(series, answer.originalStart, now)
  if (found.kind !== 'answerable') return found.kind
  return inTransaction(database, async (tx) => {
    const guest = await lockParticipant(tx, answer)
    if (guest === undefined) return 'outdated'
    const former = await findOccurrenceResponse(tx, answer)
    const respondedAt = wholeSecond(answer.respondedAt)
    const outcome = await recordOccurrenceResponse(tx, { ...answer, respondedAt }, now)
    const { meetingId, originalStart, response, actingGrantId } = answer
    if (outcome === 'recorded' && former !== response) {
      const more = { ...namedGuest(guest), response, originalStartTime: originalStart.toISOString() }
      await recordMeetingEvent(tx, { type: 'participant.responded', meetingId, more, actingGrantId, now })
    }
    return outcome
  })
}

/** Lock a participant, so that one response is recorded at a time. @returns undefined if removed meanwhile */
function lockParticipant(tx: Tx, { meetingId, addressKey }: OccurrenceAnswer): Promise<Guest | undefined> {
  return tx
    .selectFrom('participant')
    .select(['email', 'displayName'])
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .forUpdate()
    .executeTakeFirst()
}

type Guest = { email: string; displayName: string }

const namedGuest = ({ email, displayName }: Guest) => ({ email, ...(displayName !== '' && { displayName }) })

async function findOccurrenceResponse(tx: Tx, { meetingId, addressKey, originalStart }: OccurrenceAnswer) {
  const found = await tx
    .selectFrom('occurrenceResponse')
    .select('response')
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('originalStart', '=', originalStart)
    .executeTakeFirst()
  return found?.response
}
