import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { lockPasskey } from './passkey-store.ts'
import { countPasskeyUse, type PasskeyCredential, verifyPasskey } from './verify-passkey.ts'

type PasskeyConfirmation = {
  account: AccountRow
  sessionId: string
  credential: PasskeyCredential
  address: string
  now: Date
}

/**
 * Require that one of the account's passkeys has signed a challenge of this session.
 * @throws wrong_passkey
 */
export async function confirmByPasskey(
  database: Database,
  service: AccountsService,
  { account, sessionId, credential, address, now }: PasskeyConfirmation,
): Promise<void> {
  const { passkey, use } = await verifyPasskey(database, service, { credential, sessionId, now })
  if (passkey.accountId !== account.id) throw problem('wrong_passkey')
  const isConfirmed = await inTransaction(database, async (tx) => {
    const locked = await lockPasskey(tx, passkey.id)
    if (locked === undefined || locked.suspectedAt !== null) return false
    return countPasskeyUse(tx, service, locked, { ...use, account, address, now })
  })
  if (!isConfirmed) throw problem('wrong_passkey')
}
