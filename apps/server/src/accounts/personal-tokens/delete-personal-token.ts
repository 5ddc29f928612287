import { deletePersonalToken } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { deletePersonalTokenRow } from '../../access/credentials/personal-token-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'

export function serveDeletePersonalToken({ serve, clock, random }: AccountsService) {
  serve(deletePersonalToken, {
    handle: ({ caller, params: { tokenId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const name = isUuid(tokenId) ? await deletePersonalTokenRow(tx, caller.accountId, tokenId) : undefined
        if (name === undefined) throw problem('token_not_found')
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const detail = { tokenId, name }
        const { address } = request
        await audit(tx, random, clock.now(), { ...entry, action: 'personal-token.deleted', detail, address })
        return { status: 'The token is deleted.' }
      }),
  })
}
