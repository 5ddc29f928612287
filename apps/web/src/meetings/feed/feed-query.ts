import { readCalendarFeed } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Whether the calendar has a private address, and since when; the address itself is told once. */
export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: () => client.call(readCalendarFeed),
})
