import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'
import { newPin } from './access-codes.ts'

/** Secrets that the account's owner can read again; encrypted in the database. */
export type AccountSecrets = {
  /** The PIN of the person's own room. */
  roomPin: string
  /** The key for a chat system (`jcKey` on the wire). */
  chatKey: string
}

export const newAccountSecrets = (random: Random): AccountSecrets => ({
  roomPin: newPin(random),
  chatKey: random.bytes(32).toString('base64url'),
})

const purpose = 'account secrets'

/** Bound to the account, so that one account cannot use the secrets of another. */
export const encryptAccountSecrets = (encryption: Encryption, accountId: string, secrets: AccountSecrets): Buffer =>
  encryption.encrypt(JSON.stringify(secrets), purpose, accountId)

export const decryptAccountSecrets = (
  encryption: Encryption,
  account: { id: string; sealedSecrets: Buffer },
): AccountSecrets => JSON.parse(encryption.decrypt(account.sealedSecrets, purpose, account.id))
