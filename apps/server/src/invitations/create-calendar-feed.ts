import { createCalendarFeed } from '@parley/contract'
import { audit } from '../access/audit.ts'
import { replaceFeed } from '../access/credentials/calendar-feed-store.ts'
import { lockCredentialForShare } from '../access/credentials/lock-credential.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/** Create the private address of a person's calendar, or replace it: the previous one ends. */
export function serveCreateCalendarFeed({ serve, clock, random, config }: Service) {
  serve(createCalendarFeed, {
    handle: ({ caller, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
        const { tenantId, accountId } = caller
        const { token, hash } = newToken('calendarFeed', random)
        await replaceFeed(tx, { accountId, secretHash: hash, createdAt: now })
        const entry = { tenantId, actorId: accountId, subjectId: accountId, detail: {}, address }
        await audit(tx, random, now, { ...entry, action: 'calendar-feed.created' })
        return { url: `${config.baseUrl}/calendar/${token}.ics`, createdOn: now.toISOString() }
      }),
  })
}
