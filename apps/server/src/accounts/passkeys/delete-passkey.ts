import { deletePasskey } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { deletePasskeyRow } from './passkey-store.ts'

/** Delete a passkey. Sessions that it began continue; they are ended in the list of sessions. */
export function serveDeletePasskey({ serve, clock, random }: AccountsService) {
  serve(deletePasskey, {
    handle: ({ caller, params: { passkeyId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const name = isUuid(passkeyId) ? await deletePasskeyRow(tx, caller.accountId, passkeyId) : undefined
        if (name === undefined) throw problem('passkey_not_found')
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const detail = { passkeyId, name }
        const { address } = request
        await audit(tx, random, clock.now(), { ...entry, action: 'passkey.removed', detail, address })
        return { status: 'The passkey is removed.' }
      }),
  })
}
