import { renamePasskey } from '@parley/contract'
import { problem } from '../platform/problem.ts'
import { isUuid } from '../platform/uuid.ts'
import type { AccountsService } from './accounts-service.ts'
import { judgeText, nameLimits } from './field-checks.ts'
import { renamePasskeyRow } from './passkey-store.ts'
import { viewPasskey } from './passkey-view.ts'

export function serveRenamePasskey({ serve }: AccountsService) {
  serve(
    renamePasskey,
    async ({ caller, params: { passkeyId }, body: { name }, database }) => {
      const renamed = isUuid(passkeyId)
        ? await renamePasskeyRow(database, caller.accountId, passkeyId, name)
        : undefined
      if (renamed === undefined) throw problem('passkey_not_found')
      return viewPasskey(renamed)
    },
    ({ body: { name } }) => judgeText('name', name, nameLimits),
  )
}
