import { listMeetings, listOccurrences } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** A meeting at one of its dates. */
export type DatedMeeting = { meetingId: string; topic: string; startTime: string; endTime: string }

/** As many as one answer holds of each. */
const mostMeetings = 200
const mostDates = 1000

/** What takes place between two instants, in order, series expanded by the server. */
export const datedMeetingsQuery = (from: Date, to: Date) =>
  queryOptions({
    queryKey: ['meetings', 'dated', from.toISOString(), to.toISOString()],
    queryFn: async (): Promise<DatedMeeting[]> => {
      const range = { fromDate: from.toISOString(), toDate: to.toISOString() }
      const { meetingDetails } = await client.call(listMeetings, {
        params: { userId: 'me' },
        query: { ...range, limit: mostMeetings },
      })
      const dated = await Promise.all(
        meetingDetails.map(async ({ _id: meetingId, topic, startTime, endTime, recur }) => {
          if (!recur) return [{ meetingId, topic, startTime, endTime }]
          const { occurrences } = await client.call(listOccurrences, {
            params: { meetingId },
            query: { from: range.fromDate, to: range.toDate, limit: mostDates },
          })
          return occurrences.map((date) => ({ meetingId, topic, startTime: date.startTime, endTime: date.endTime }))
        }),
      )
      return dated.flat().toSorted((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime))
    },
  })
