import { signOut } from '@parley/contract'
import { deleteSession } from '../access/session-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { sessionOf } from './own-session.ts'

export function serveSignOut({ serve, sessionCookie }: AccountsService) {
  serve(signOut, async ({ caller, database, answer }) => {
    await deleteSession(database, caller.accountId, sessionOf(caller))
    answer.header('set-cookie', sessionCookie.clear())
    return { status: 'You are signed out.' }
  })
}
