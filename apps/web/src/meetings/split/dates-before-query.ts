import { listOccurrences, type SingleMeetingReply } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** The page size of the API, and the highest count of a series. */
const maxDates = 1000

type Series = Pick<SingleMeetingReply, '_id' | 'startTime'>

/** How many dates a series has before one of them, and whether any of them takes place or took place. */
export const datesBeforeQuery = ({ _id: meetingId, startTime }: Series, originalStartTime: string) =>
  queryOptions({
    queryKey: ['meetings', 'one', meetingId, 'before', originalStartTime],
    queryFn: async () => {
      if (Date.parse(startTime) >= Date.parse(originalStartTime)) return { count: 0, hasActive: false }
      const query = { from: startTime, to: originalStartTime, limit: maxDates, status: 'all' } as const
      const { occurrences } = await client.call(listOccurrences, { params: { meetingId }, query })
      const before = occurrences.filter((date) => Date.parse(date.originalStartTime) < Date.parse(originalStartTime))
      return { count: before.length, hasActive: before.some(({ status }) => status !== 'cancelled') }
    },
  })
