import { listOccurrences } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** More are told as 'and later ones'; nobody reads a longer list before pressing a button. */
export const maxDatesShown = 100
/** Of a series without an end: the horizon within which its next dates are looked for. */
const horizonYears = 10

/** The dates of a meeting that have not ended, in order: what a cancellation can take away (meetings.md 5 and 6). */
export const aheadQuery = (meetingId: string, now: Date) =>
  queryOptions({
    queryKey: ['meetings', 'one', meetingId, 'ahead'],
    // What goes must be what is there when the question is asked.
    staleTime: 0,
    gcTime: 0,
    queryFn: () => {
      const to = new Date(now)
      to.setUTCFullYear(to.getUTCFullYear() + horizonYears)
      return client.call(listOccurrences, {
        params: { meetingId },
        query: { limit: maxDatesShown, to: to.toISOString() },
      })
    },
  })
