import { endSession } from '@parley/contract'
import { deleteSession } from '../access/session-store.ts'
import { problem } from '../platform/problem.ts'
import { isUuid } from '../platform/uuid.ts'
import type { AccountsService } from './accounts-service.ts'
import { sessionOf } from './own-session.ts'

export function serveEndSession({ serve, sessionCookie }: AccountsService) {
  serve(endSession, async ({ caller, params: { sessionId }, database, answer }) => {
    const ended = isUuid(sessionId) && (await deleteSession(database, caller.accountId, sessionId))
    if (!ended) throw problem('session_not_found')
    if (sessionId === sessionOf(caller)) answer.header('set-cookie', sessionCookie.clear())
    return { status: 'The session is ended.' }
  })
}
