import type { InvitationResponse, OccurrenceReply, ResponseCounts } from '@parley/contract'
import type { Database } from '../../platform/database/database.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { findOwnResponses, findResponseChanges, listOccurrenceResponses } from './occurrence-response-store.ts'

/** Count responses as the host sees them; `none` have not responded. */
export function countResponses(people: readonly { response: InvitationResponse | null }[]): ResponseCounts {
  const counts = { accepted: 0, tentative: 0, declined: 0, none: 0 }
  for (const { response } of people) counts[response ?? 'none']++
  return counts
}

/**
 * Add the responses to occurrences: to a guest their own, to who sees the host's fields the counts, and who answered
 * about the occurrence apart from the series.
 */
export async function withResponses<Shown extends OccurrenceReply>(
  database: Database,
  row: MeetingRow,
  { addressKey, seeHostFields }: { addressKey: string | null; seeHostFields: boolean },
  shown: readonly Shown[],
): Promise<Shown[]> {
  const guest = row.people.find((person) => person.addressKey === addressKey)
  // A single meeting is answered as a whole.
  if (row.rule.repeat === 'none' || shown.length === 0 || (guest === undefined && !seeHostFields)) return [...shown]
  const starts = shown.map(({ originalStartTime }) => new Date(originalStartTime))
  const own = guest === undefined ? [] : await findOwnResponses(database, row.id, guest.addressKey)
  const ownByStart = new Map(own.map(({ originalStart, response }) => [originalStart.getTime(), response]))
  const changes = seeHostFields ? await findResponseChanges(database, row.id, starts) : []
  const changesByStart = Map.groupBy(changes, ({ originalStart }) => originalStart.getTime())
  const listed = seeHostFields ? await listOccurrenceResponses(database, row.id, starts) : []
  const listedByStart = Map.groupBy(listed, ({ originalStart }) => originalStart.getTime())
  const ofSeries = countResponses(row.people)
  return shown.map((occurrence) => {
    const startMs = Date.parse(occurrence.originalStartTime)
    const response = ownByStart.has(startMs) ? ownByStart.get(startMs) : guest?.response
    const counts = { ...ofSeries }
    for (const { response: counted, change } of changesByStart.get(startMs) ?? []) counts[counted ?? 'none'] += change
    const responses = listedByStart.get(startMs) ?? []
    return {
      ...occurrence,
      ...(response && { response }),
      ...(seeHostFields && {
        responseCounts: counts,
        responses: responses.map(({ email, response: given, comment }) => ({
          email,
          response: given,
          ...(comment !== null && { comment }),
        })),
      }),
    }
  })
}
