import { type MeetingRequest, previewMeeting, type SingleMeetingReply } from '@parley/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Enough to see the rhythm of a series, and mostly the next change of the clocks. */
const datesShown = 10

type Previewed = Pick<MeetingRequest, 'startTime' | 'endTime' | 'repeatOptions'>
/** The version of a meeting that is changed: its cancelled dates are others after each change. */
export type ChangedMeeting = Pick<SingleMeetingReply, '_id' | '__v'>

/** When a meeting would take place: expanded by the server, as it will be. The last answer stays until the next is there. */
export const previewQuery = ({ startTime, endTime, repeatOptions }: Previewed, was?: ChangedMeeting) =>
  queryOptions({
    queryKey: ['preview', startTime, endTime, repeatOptions, was?._id, was?.__v],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: () => {
      const body = { startTime, endTime, repeatOptions, limit: datesShown, ...(was && { meetingId: was._id }) }
      return client.call(previewMeeting, { body })
    },
  })
