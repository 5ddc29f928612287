import { readStartPage } from '@parley/contract'
import type { Dependencies } from '../accounts/dependencies.ts'
import { viewSession } from '../accounts/sessions/sessions.ts'
import { viewService } from '../accounts/set-up.ts'
import { hasAnyMeeting, readAgenda } from '../meetings/lists/agenda.ts'
import { viewHandOvers } from './hand-overs.ts'

/** Register the one request of the start page, which several modules answer. */
export function registerStartPage(dependencies: Dependencies): void {
  const { serve, clock } = dependencies
  serve(readStartPage, {
    handle: async ({ caller, database }) => {
      const [session, service] = await Promise.all([
        viewSession(database, dependencies, caller),
        viewService(database, dependencies),
      ])
      if (session.user === null || caller === undefined) return { ...session, service }
      const [hasAny, ahead, invitations, offered] = await Promise.all([
        hasAnyMeeting(database, dependencies, caller),
        readAgenda(database, dependencies, caller, {}),
        readAgenda(database, dependencies, caller, { list: 'invitations' }),
        viewHandOvers(database, caller, clock.now()),
      ])
      return { ...session, service, meetings: { hasAny, ahead, invitations, ...offered } }
    },
  })
}
