import { listSessions } from '@parley/contract'
import { listLiveSessions } from '../../access/credentials/session-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from './own-session.ts'

export function serveListSessions({ serve, clock }: AccountsService) {
  serve(listSessions, {
    handle: async ({ caller, database }) => {
      const sessions = await listLiveSessions(database, caller.accountId, clock.now())
      return {
        sessions: sessions.map((session) => ({
          _id: session.id,
          createdOn: session.createdAt.toISOString(),
          lastUsedOn: session.lastUsedAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
          address: session.address,
          userAgent: session.userAgent,
          current: session.id === sessionOf(caller),
        })),
      }
    },
  })
}
