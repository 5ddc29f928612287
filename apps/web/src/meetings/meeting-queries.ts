import { listHandOvers, listMeetings, listOccurrences, type ReplyOf, readMeeting } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'
import type { MeetingSearch } from './list/meeting-search.ts'

const meetingsOnAPage = 20
/** Enough dates to recognize the series' pattern. */
const datesOnAPage = 10
/** How far ahead to look for cancelled dates. */
const horizonYears = 10

/** Queries under ['meetings'] are invalidated after a meeting changes. */
export const meetingsQuery = ({ q, role, when }: MeetingSearch) =>
  infiniteQueryOptions({
    queryKey: ['meetings', 'list', { q, role, when }],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listMeetings, {
        params: { userId: 'me' },
        query: {
          limit: meetingsOnAPage,
          ...(pageParam !== null && { after: pageParam }),
          ...(q !== undefined && { q }),
          ...(role !== undefined && { role }),
          // Past meetings are listed latest first.
          ...(when === 'cancelled' && { status: 'cancelled', order: 'desc' }),
          ...(when === 'past' && { past: true, order: 'desc' }),
          ...(when === undefined && { past: false }),
        },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** Whether the account has any meeting, past and cancelled ones included. */
export const anyMeetingQuery = queryOptions({
  queryKey: ['meetings', 'any'],
  queryFn: () => client.call(listMeetings, { params: { userId: 'me' }, query: { status: 'all', limit: 1 } }),
})

/** One meeting with its ETag, which updates send back. */
export const meetingQuery = (meetingId: string) =>
  queryOptions({
    queryKey: ['meetings', 'one', meetingId],
    queryFn: async () => {
      const { reply, headers } = await client.callForResponse(readMeeting, { params: { meetingId } })
      const [meeting] = reply
      if (meeting === undefined) throw new TypeError('The answer holds no meeting.')
      return { meeting, etag: headers.get('etag') ?? '' }
    },
  })

/** The date of the series that starts at this instant; null when there is none. */
export const openedDateQuery = (meetingId: string, date: string) =>
  queryOptions({
    queryKey: ['meetings', 'one', meetingId, 'date', date],
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
    queryKey: ['meetings', 'one', meetingId, 'dates'],
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

export type HandOver = ReplyOf<typeof listHandOvers>['handOvers'][number]

/** Meetings that the reader is offered to host. */
export const handOversQuery = queryOptions({
  queryKey: ['hand-overs'],
  queryFn: async () => (await client.call(listHandOvers)).handOvers,
})
