import {
  listAttendance,
  listCalendar,
  listConflicts,
  listOccurrences,
  listTimeProposals,
  type MeetingRequest,
  previewMeeting,
  type ReplyOf,
  readCalendarFeed,
  readMeeting,
  type SingleMeetingReply,
} from '@parley/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'
import { meetingKeys } from './meeting-keys.ts'

/** Queries of one meeting, and of the dates in the calendar and the form. Those of the lists are in list/list-queries.ts. */

/** Enough dates to recognize the series' pattern. */
const datesOnAPage = 10
/** How far ahead to look for cancelled dates, and for the dates of a series without an end. */
const horizonYears = 10

/** One meeting with its ETag, which updates send back. */
export const meetingQuery = (meetingId: string) =>
  queryOptions({
    queryKey: meetingKeys.one(meetingId),
    queryFn: async () => {
      const { reply, headers } = await client.callForResponse(readMeeting, { params: { meetingId } })
      const [meeting] = reply
      if (meeting === undefined) throw new TypeError('The answer holds no meeting.')
      return { meeting, etag: headers.get('etag') ?? '' }
    },
  })

/** The meeting as it is when a form or a question opens. A change in between is answered with 412. */
export const meetingSnapshotQuery = (meetingId: string, use: 'edited' | 'moved') => ({
  ...meetingQuery(meetingId),
  queryKey: meetingKeys.snapshot(meetingId, use),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

/** The date of the series that starts at this instant; null when there is none. */
export const openedDateQuery = (meetingId: string, date: string) =>
  queryOptions({
    queryKey: meetingKeys.date(meetingId, date),
    queryFn: async () => {
      const to = new Date(Date.parse(date) + 1_000).toISOString()
      const query = { from: date, to, limit: 1, status: 'all' } as const
      const { occurrences } = await client.call(listOccurrences, { params: { meetingId }, query })
      return occurrences.find(({ startTime }) => Date.parse(startTime) === Date.parse(date)) ?? null
    },
  })

/**
 * The next dates, however far ahead, and the cancelled ones of the next years among them. `active` has only dates that
 * take place; it is empty only when none is left.
 */
export const nextDatesQuery = (meetingId: string) =>
  queryOptions({
    queryKey: meetingKeys.nextDates(meetingId),
    queryFn: async () => {
      const to = new Date(readClockMs())
      to.setUTCFullYear(to.getUTCFullYear() + horizonYears)
      const query = { to: to.toISOString(), limit: datesOnAPage, status: 'all' } as const
      const [[meeting], listed] = await Promise.all([
        client.call(readMeeting, { params: { meetingId }, query: { occurrences: datesOnAPage + 1 } }),
        client.call(listOccurrences, { params: { meetingId }, query }),
      ])
      const active = meeting?.occurrences ?? []
      const all = [...active, ...listed.occurrences]
      const dates = [...new Map(all.map((date) => [date.originalStartTime, date])).values()]
      return {
        active,
        occurrences: dates.toSorted((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime)).slice(0, datesOnAPage),
        moreAvailable: listed.moreAvailable || dates.length > datesOnAPage,
      }
    },
  })

/** Two months of a weekly meeting, a month of a daily one. */
const laterDatesOnAPage = 20

/** The dates that end after an instant, page by page, cancelled ones among them. */
export const laterDatesQuery = (meetingId: string, after: string) =>
  infiniteQueryOptions({
    queryKey: meetingKeys.laterDates(meetingId, after),
    initialPageParam: after,
    queryFn: ({ pageParam: from }) => {
      const to = new Date(readClockMs())
      to.setUTCFullYear(to.getUTCFullYear() + horizonYears)
      const query = { from, to: to.toISOString(), limit: laterDatesOnAPage, status: 'all' } as const
      return client.call(listOccurrences, { params: { meetingId }, query })
    },
    getNextPageParam: ({ occurrences, moreAvailable }) => (moreAvailable ? occurrences.at(-1)?.endTime : undefined),
  })

/** The page size of the API, and the highest count of a series. */
export const maxDates = 1000

/**
 * The meetings between two instants at most 100 days apart: the first `limit` dates in order, and whether more follow.
 */
export const datedMeetingsQuery = (from: Date, to: Date, limit = maxDates) =>
  queryOptions({
    queryKey: meetingKeys.dated(from, to, limit),
    queryFn: () =>
      client.call(listCalendar, {
        params: { userId: 'me' },
        query: { fromDate: from.toISOString(), toDate: to.toISOString(), limit },
      }),
  })

export type TimeProposal = ReplyOf<typeof listTimeProposals>['proposals'][number]

/** The times that participants propose. */
export const timeProposalsQuery = (meetingId: string) =>
  queryOptions({
    queryKey: meetingKeys.proposals(meetingId),
    queryFn: () => client.call(listTimeProposals, { params: { meetingId } }),
  })

/** One page is a month of a weekly meeting. */
const sessionsOnAPage = 5

/** The past sessions of a meeting with their attendance, newest first. */
export const historyQuery = (meetingId: string) =>
  infiniteQueryOptions({
    queryKey: meetingKeys.history(meetingId),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAttendance, {
        params: { meetingId },
        query: { limit: sessionsOnAPage, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** People come and go while the dialog is open. */
const readPeopleEveryMs = 5_000

/** The number of people in the meeting's room now; fails for administrators, who may not see who is inside. */
export const peopleInsideQuery = (meetingId: string) =>
  queryOptions({
    queryKey: meetingKeys.peopleInside(meetingId),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: readPeopleEveryMs,
    queryFn: async () => {
      const { sessions } = await client.call(listAttendance, { params: { meetingId }, query: { limit: 1 } })
      return sessions.flatMap(({ stays }) => stays).filter(({ leftOn }) => leftOn === null).length
    },
  })

/** Further dates are summarized as "and later ones". */
const maxDatesShown = 100

/** The dates of a meeting that have not ended, in order: those that can be cancelled. */
export const remainingDatesQuery = (meetingId: string, now: Date) =>
  queryOptions({
    queryKey: meetingKeys.remainingDates(meetingId),
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

type Series = Pick<SingleMeetingReply, '_id' | 'startTime'>

/** How many dates a series has before one of them, and whether any of them takes place or took place. */
export const datesBeforeQuery = ({ _id: meetingId, startTime }: Series, originalStartTime: string) =>
  queryOptions({
    queryKey: meetingKeys.datesBefore(meetingId, originalStartTime),
    queryFn: async () => {
      if (Date.parse(startTime) >= Date.parse(originalStartTime)) return { count: 0, hasActive: false }
      const query = { from: startTime, to: originalStartTime, limit: maxDates, status: 'all' } as const
      const { occurrences } = await client.call(listOccurrences, { params: { meetingId }, query })
      const before = occurrences.filter((date) => Date.parse(date.originalStartTime) < Date.parse(originalStartTime))
      return { count: before.length, hasActive: before.some(({ status }) => status !== 'cancelled') }
    },
  })

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

/** Whether the calendar has a private address, and since when. The address itself is returned on creation only. */
export const feedQuery = queryOptions({
  queryKey: meetingKeys.feed,
  queryFn: () => client.call(readCalendarFeed),
})
