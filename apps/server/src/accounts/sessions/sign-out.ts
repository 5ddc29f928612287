import { signOut } from '@parley/contract'
import type { AccountsService } from '../accounts-service.ts'
import { endOwnSession } from './end-own-session.ts'
import { sessionOf } from './own-session.ts'

export function serveSignOut(service: AccountsService) {
  const { serve, sessionCookie } = service
  serve(signOut, {
    handle: async ({ caller, request, answer, database }) => {
      await endOwnSession(database, service, caller, sessionOf(caller), request.address)
      answer.header('set-cookie', sessionCookie.clear())
      return { status: 'You are signed out.' }
    },
  })
}
