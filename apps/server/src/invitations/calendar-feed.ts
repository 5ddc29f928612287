import { createCalendarFeed, deleteCalendarFeed, readCalendarFeed } from '@parley/contract'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { deleteFeed, findFeed, replaceFeed } from '../access/credentials/calendar-feed-store.ts'
import { holdCredential } from '../access/credentials/hold-credential.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/** Create, renew, read and delete the private address of a person's calendar, from a session of theirs. */
export function serveCalendarFeed({ serve, clock, random, config }: Service) {
  serve(createCalendarFeed, {
    handle: ({ caller, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        if (!(await holdCredential(tx, caller))) throw problem('unauthorized')
        const { token, hash } = newToken('calendarFeed', random)
        await replaceFeed(tx, { accountId: caller.accountId, secretHash: hash, createdAt: now })
        const { address } = request
        await audit(tx, random, now, { ...subject(caller), action: 'calendar-feed.created', detail: {}, address })
        return { url: `${config.baseUrl}/calendar/${token}.ics`, createdOn: now.toISOString() }
      }),
  })

  serve(readCalendarFeed, {
    handle: async ({ caller, database }) => {
      const feed = await findFeed(database, caller.accountId)
      return { createdOn: feed?.createdAt.toISOString() ?? null }
    },
  })

  serve(deleteCalendarFeed, {
    handle: ({ caller, request, database }) =>
      inTransaction(database, async (tx) => {
        if (!(await deleteFeed(tx, caller.accountId))) throw problem('calendar_not_found')
        const { address } = request
        await audit(tx, random, clock.now(), {
          ...subject(caller),
          action: 'calendar-feed.deleted',
          detail: {},
          address,
        })
        return { status: 'The address of your calendar is ended.' }
      }),
  })
}

const subject = ({ tenantId, accountId }: Caller) => ({ tenantId, actorId: accountId, subjectId: accountId })
