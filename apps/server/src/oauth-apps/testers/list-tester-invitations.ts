import { listTesterInvitations } from '@parley/contract'
import type { AppsService } from '../apps-service.ts'
import { listInvitationRows, viewInvitation } from './tester-invitation-store.ts'

export function serveListTesterInvitations({ serve }: AppsService) {
  serve(listTesterInvitations, {
    handle: async ({ caller, database }) => ({
      invitations: (await listInvitationRows(database, caller)).map(viewInvitation),
    }),
  })
}
