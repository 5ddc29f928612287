import type { InvitationResponse } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { recordOccurrenceResponse } from '../../meetings/responses/occurrence-response-store.ts'
import type { Database } from '../../tables/tables.ts'
import { wholeSecond } from './response-store.ts'

type OccurrenceAnswer = {
  meetingId: string
  addressKey: string
  /** Names the occurrence. */
  originalStart: Date
  response: InvitationResponse
  comment: string | null
  respondedAt: Date
}

/**
 * Record a response to one occurrence of a meeting that is not cancelled, wherever it was given, or say why not. A later
 * response to the series leaves it (docs/decisions/0136).
 */
export async function respondToOccurrence(database: Database, series: Series, answer: OccurrenceAnswer, now: Date) {
  const found = findAnswerable(series, answer.originalStart, now)
  if (found.kind !== 'answerable') return found.kind
  return recordOccurrenceResponse(database, { ...answer, respondedAt: wholeSecond(answer.respondedAt) }, now)
}
