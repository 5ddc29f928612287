import { listOccurrences } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Further dates are summarized as "and later ones". */
const maxDatesShown = 100
/** How far ahead to look for the dates of a series without an end. */
const horizonYears = 10

/** The dates of a meeting that have not ended, in order: those that can be cancelled. */
export const remainingDatesQuery = (meetingId: string, now: Date) =>
  queryOptions({
    queryKey: ['meetings', 'one', meetingId, 'ahead'],
    // Always refetched: the dialog must show the current dates.
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
