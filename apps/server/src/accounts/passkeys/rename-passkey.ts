import { renamePasskey } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { readRequired } from '@parley/rules/text/reading'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { nameLimits } from '../account/person-fields.ts'
import type { AccountsService } from '../accounts-service.ts'
import { renamePasskeyRow } from './passkey-store.ts'
import { viewPasskey } from './passkey-view.ts'

export function serveRenamePasskey({ serve }: AccountsService) {
  serve(renamePasskey, {
    read: ({ body }) => readRequired(body.name, (text) => readPlainText('/name', text, nameLimits)),
    handle: async ({ caller, params: { passkeyId }, input: name, database }) => {
      const renamed = isUuid(passkeyId)
        ? await renamePasskeyRow(database, caller.accountId, passkeyId, name)
        : undefined
      if (renamed === undefined) throw problem('passkey_not_found')
      return viewPasskey(renamed)
    },
  })
}
