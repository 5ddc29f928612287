import { deleteCalendarFeed } from '@parley/contract'
import { audit } from '../access/audit.ts'
import { deleteFeed } from '../access/credentials/calendar-feed-store.ts'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/** Delete the private address of a person's calendar. */
export function serveDeleteCalendarFeed({ serve, clock, random }: Service) {
  serve(deleteCalendarFeed, {
    handle: ({ caller: { tenantId, accountId }, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        if (!(await deleteFeed(tx, accountId))) throw problem('calendar_not_found')
        const entry = { tenantId, actorId: accountId, subjectId: accountId, detail: {}, address }
        await audit(tx, random, clock.now(), { ...entry, action: 'calendar-feed.deleted' })
        return { status: 'The address of your calendar is ended.' }
      }),
  })
}
