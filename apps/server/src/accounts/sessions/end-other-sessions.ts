import { endOtherSessions } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { deleteSessions } from '../../access/credentials/session-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from './own-session.ts'

export function serveEndOtherSessions({ serve, clock, random }: AccountsService) {
  serve(endOtherSessions, {
    handle: ({ caller, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        await deleteSessions(tx, caller.accountId, sessionOf(caller))
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        await audit(tx, random, clock.now(), { ...entry, action: 'sessions.ended', detail: {}, address })
        return { status: 'All your other sessions are ended.' }
      }),
  })
}
