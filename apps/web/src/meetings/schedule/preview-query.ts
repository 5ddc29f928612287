import { listConflicts, type MeetingRequest, previewMeeting, type SingleMeetingReply } from '@parley/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Delay between the last change of a draft and the request about its dates. */
export const askAfterMs = 300

/** Enough to recognize the pattern of a series, and mostly its next clock change. */
const datesShown = 10

type Previewed = Pick<MeetingRequest, 'startTime' | 'endTime' | 'repeatOptions'>
/** The version of the edited meeting: its cancelled dates differ after each change. */
type ChangedMeeting = Pick<SingleMeetingReply, '_id' | '__v'>

/** The dates of a draft, expanded by the server. The previous answer stays until the next one arrives. */
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

/** The person's own meetings during a date. */
export const conflictsQuery = ({ startTime, endTime }: { startTime: string; endTime: string }) =>
  queryOptions({
    queryKey: ['conflicts', startTime, endTime],
    queryFn: () => client.call(listConflicts, { query: { start: startTime, end: endTime } }),
  })
