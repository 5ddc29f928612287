import { deleteAccount } from '@parley/contract'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { closeAccount } from './close-account.ts'
import { requireConfirmation } from './require-confirmation.ts'

/** Close an account of the administrator's own organisation. */
export function serveDeleteAccount(service: AccountsService) {
  const { serve, clock } = service
  serve(deleteAccount, {
    handle: async ({ caller, params: { userId }, body, request, database }) => {
      const now = clock.now()
      const { address } = request
      await requireConfirmation(database, service, { caller, proof: body, address, now })
      if (!isUuid(userId)) throw problem('account_not_found')
      const { accountId: actorId, tenantId } = caller
      const closing = { accountId: userId, tenantId, actorId, meetings: body.meetings ?? 'cancel', address, now }
      await inTransaction(database, (tx) => closeAccount(tx, service, closing))
      return { status: 'The account is deleted. Everything but ids is erased when its guests have been told.' }
    },
  })
}
