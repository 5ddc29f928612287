import { endSession } from '@parley/contract'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { endOwnSession } from './end-own-session.ts'
import { sessionOf } from './own-session.ts'

export function serveEndSession(service: AccountsService) {
  const { serve, sessionCookie } = service
  serve(endSession, {
    handle: async ({ caller, params: { sessionId }, request, answer, database }) => {
      const ended = isUuid(sessionId) && (await endOwnSession(database, service, caller, sessionId, request.address))
      if (!ended) throw problem('session_not_found')
      if (sessionId === sessionOf(caller)) answer.header('set-cookie', sessionCookie.clear())
      return { status: 'The session is ended.' }
    },
  })
}
