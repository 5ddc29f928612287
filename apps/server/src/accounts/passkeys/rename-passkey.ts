import { renamePasskey } from '@parley/contract'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { nameLimits, validateText } from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { renamePasskeyRow } from './passkey-store.ts'
import { viewPasskey } from './passkey-view.ts'

export function serveRenamePasskey({ serve }: AccountsService) {
  serve(renamePasskey, {
    handle: async ({ caller, params: { passkeyId }, body: { name }, database }) => {
      const renamed = isUuid(passkeyId)
        ? await renamePasskeyRow(database, caller.accountId, passkeyId, name)
        : undefined
      if (renamed === undefined) throw problem('passkey_not_found')
      return viewPasskey(renamed)
    },
    check: ({ body: { name } }) => validateText('name', name, nameLimits),
  })
}
