import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'
import { newPin } from './pin.ts'

/** What an account's owner is shown again and nobody else may read in the database. */
export type AccountSecrets = {
  /** The PIN of the person's own room. */
  roomPin: string
  /** The key for a chat system (service.md 2.6, `jcKey`). */
  chatKey: string
}

export const newAccountSecrets = (random: Random): AccountSecrets => ({
  roomPin: newPin(random),
  chatKey: random.bytes(32).toString('base64url'),
})

/** Bound to the account, so that nobody who can write the table reads one person's secrets as another. */
const purposeOf = (accountId: string) => `account secrets ${accountId}`

export const encryptAccountSecrets = (encryption: Encryption, accountId: string, secrets: AccountSecrets): Buffer =>
  encryption.encrypt(JSON.stringify(secrets), purposeOf(accountId))

export const decryptAccountSecrets = (
  encryption: Encryption,
  account: { id: string; sealedSecrets: Buffer },
): AccountSecrets => JSON.parse(encryption.decrypt(account.sealedSecrets, purposeOf(account.id)))
