import { deleteOwnAccount } from '@parley/contract'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { closeAccount } from './close-account.ts'
import { requireConfirmation } from './require-confirmation.ts'

/** Close the caller's own account, and clear the browser's session cookie. */
export function serveDeleteOwnAccount(service: AccountsService) {
  const { serve, clock, sessionCookie } = service
  serve(deleteOwnAccount, {
    handle: async ({ caller, body, request, answer, database }) => {
      const now = clock.now()
      const { address } = request
      await requireConfirmation(database, service, { caller, proof: body, address, now })
      const { accountId, tenantId } = caller
      const closing = { accountId, tenantId, actorId: accountId, meetings: body.meetings ?? 'cancel', address, now }
      await inTransaction(database, (tx) => closeAccount(tx, service, closing))
      answer.header('set-cookie', sessionCookie.clear())
      return { status: 'Your account is deleted. Everything but ids is erased when your guests have been told.' }
    },
  })
}
