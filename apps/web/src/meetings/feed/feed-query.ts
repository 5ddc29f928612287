import { readCalendarFeed } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Whether the calendar has a private address, and since when. The address itself is returned on creation only. */
export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: () => client.call(readCalendarFeed),
})
