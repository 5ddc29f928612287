import { readCalendarFeed } from '@parley/contract'
import { findFeed } from '../access/credentials/calendar-feed-store.ts'
import type { Service } from '../access/service.ts'

/** Tell since when a person's calendar has a private address. The address itself is not stored. */
export function serveReadCalendarFeed({ serve }: Service) {
  serve(readCalendarFeed, {
    handle: async ({ caller, database }) => {
      const feed = await findFeed(database, caller.accountId)
      return { createdOn: feed?.createdAt.toISOString() ?? null }
    },
  })
}
