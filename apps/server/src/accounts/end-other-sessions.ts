import { endOtherSessions } from '@parley/contract'
import { deleteSessions } from '../access/session-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { sessionOf } from './own-session.ts'

export function serveEndOtherSessions({ serve }: AccountsService) {
  serve(endOtherSessions, async ({ caller, database }) => {
    await deleteSessions(database, caller.accountId, sessionOf(caller))
    return { status: 'All your other sessions are ended.' }
  })
}
