import type { InvitationResponse } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import { recordOccurrenceResponse } from '../../meetings/occurrence-response-store.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { wholeSecond } from './response-store.ts'

type OccurrenceAnswer = {
  meetingId: string
  addressKey: string
  /** Names the occurrence. */
  originalStart: Date
  response: InvitationResponse
  comment: string | null
  respondedAt: Date
  /** The grant by which an app gave it; null if a person did. */
  actingGrantId: string | null
}

/**
 * Record a response to one occurrence of a meeting that is not cancelled, wherever it was given, or say why not. A
 * later response to the series leaves it (docs/decisions/0136).
 */
export async function respondToOccurrence(database: Database, series: Series, answer: OccurrenceAnswer, now: Date) {
  const found = findAnswerable(series, answer.originalStart, now)
  if (found.kind !== 'answerable') return found.kind
  return inTransaction(database, async (tx) => {
    const email = await lockParticipant(tx, answer)
    if (email === undefined) return 'outdated'
    const former = await findOccurrenceResponse(tx, answer)
    const respondedAt = wholeSecond(answer.respondedAt)
    const outcome = await recordOccurrenceResponse(tx, { ...answer, respondedAt }, now)
    const { meetingId, originalStart, response, actingGrantId } = answer
    if (outcome === 'recorded' && former !== response) {
      const more = { email, response, originalStartTime: originalStart.toISOString() }
      await recordMeetingEvent(tx, { type: 'participant.responded', meetingId, more, actingGrantId, now })
    }
    return outcome
  })
}

/** Lock a participant, so that one response is recorded at a time. @returns the address; undefined if removed meanwhile */
async function lockParticipant(tx: Tx, { meetingId, addressKey }: OccurrenceAnswer): Promise<string | undefined> {
  const found = await tx
    .selectFrom('participant')
    .select('email')
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .forUpdate()
    .executeTakeFirst()
  return found?.email
}

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
