import { type MeetingRequest, previewMeeting } from '@parley/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Enough to see the rhythm of a series, and mostly the next change of the clocks. */
const datesShown = 10

type Previewed = Pick<MeetingRequest, 'startTime' | 'endTime' | 'repeatOptions'>

/** When a meeting would take place: expanded by the server, as it will be. The last answer stays until the next is there. */
export const previewQuery = ({ startTime, endTime, repeatOptions }: Previewed) =>
  queryOptions({
    queryKey: ['preview', startTime, endTime, repeatOptions],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: () => client.call(previewMeeting, { body: { startTime, endTime, repeatOptions, limit: datesShown } }),
  })
