import { listAgenda, listHandOvers, listMeetings, type ReplyOf, readStartPage } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { organisationQuery } from '../../session/organisation.ts'
import { serviceQuery, sessionQuery } from '../../session/session.ts'
import { meetingKeys } from '../meeting-keys.ts'
import type { MeetingSearch } from '../search-params.ts'

/** Queries of the lists of meetings. They are in the first load, and those of other pages (meeting-queries.ts) are not. */

const datesOfAgenda = 30

/** One date in the list of meetings, or one meeting where it is listed once. */
export type AgendaDate = ReplyOf<typeof listAgenda>['dates'][number]

const agendaPage = ({ q, role, when }: MeetingSearch) => ({
  limit: datesOfAgenda,
  ...(when !== undefined && { list: when }),
  ...(q !== undefined && { q }),
  ...(role !== undefined && { role }),
})

/** One of the lists of meetings, page by page. */
export const agendaQuery = (search: MeetingSearch) =>
  infiniteQueryOptions({
    queryKey: meetingKeys.agenda(search),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAgenda, { query: { ...agendaPage(search), ...(pageParam !== null && { after: pageParam }) } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** How many dates a search finds in one of the lists, up to a page. */
export const foundQuery = (search: MeetingSearch) =>
  queryOptions({
    queryKey: [...meetingKeys.agenda(search), 'found'],
    queryFn: async () => {
      const { dates, moreAvailable } = await client.call(listAgenda, { query: agendaPage(search) })
      return { count: dates.length, isMore: moreAvailable }
    },
  })

/** How often to refetch: people join and leave, and hosts end meetings, independently of the clock. */
const checkRoomsEveryMs = 20_000

/** The running dates and the next ones, with the state of their rooms. */
export const currentDatesQuery = queryOptions({
  queryKey: meetingKeys.current,
  queryFn: async () => (await client.call(listAgenda, { query: { limit: datesOfAgenda } })).dates,
  refetchInterval: checkRoomsEveryMs,
  // The reader may come back from a room that has been ended.
  staleTime: 5_000,
})

/** Whether the account has any meeting, past and cancelled ones included. */
export const anyMeetingQuery = queryOptions({
  queryKey: meetingKeys.any,
  queryFn: async () => {
    const { totalCount } = await client.call(listMeetings, {
      params: { userId: 'me' },
      query: { status: 'all', limit: 1 },
    })
    return totalCount > 0
  },
})

export type HandOver = ReplyOf<typeof listHandOvers>['handOvers'][number]

/** Meetings that the reader is offered to host. */
export const handOversQuery = queryOptions({
  queryKey: meetingKeys.handOvers,
  queryFn: async () => (await client.call(listHandOvers)).handOvers,
})

/**
 * What the start page shows first, in one request from which the queries of the page and of its frame are filled. Its
 * own data is empty.
 */
export const startPageQuery = queryOptions({
  queryKey: meetingKeys.start,
  queryFn: async ({ client: queryClient }) => {
    const { user, organisation, service, meetings } = await client.call(readStartPage)
    queryClient.setQueryData(serviceQuery.queryKey, service)
    // That the session has ended is reported by the next 401.
    if (user !== null || queryClient.getQueryData(sessionQuery.queryKey) === undefined) {
      queryClient.setQueryData(sessionQuery.queryKey, user)
      queryClient.setQueryData(organisationQuery.queryKey, organisation)
    }
    if (meetings === undefined) return null
    const { hasAny, ahead, invitations, handOvers } = meetings
    queryClient.setQueryData(anyMeetingQuery.queryKey, hasAny)
    queryClient.setQueryData(handOversQuery.queryKey, handOvers)
    queryClient.setQueryData(currentDatesQuery.queryKey, ahead.dates)
    // A list that was read further keeps its pages, and its place on the screen.
    const fill = (search: MeetingSearch, page: typeof ahead) =>
      queryClient.setQueryData(agendaQuery(search).queryKey, (kept) =>
        kept !== undefined && kept.pages.length > 1 ? undefined : { pages: [page], pageParams: [null] },
      )
    fill({}, ahead)
    fill({ when: 'invitations' }, invitations)
    return null
  },
})
