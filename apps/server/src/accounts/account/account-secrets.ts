import type { Random } from '../../platform/random.ts'
import type { SealedBox } from '../../platform/sealed-box.ts'
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

export const sealAccountSecrets = (box: SealedBox, accountId: string, secrets: AccountSecrets): Buffer =>
  box.seal(JSON.stringify(secrets), purposeOf(accountId))

export const openAccountSecrets = (box: SealedBox, account: { id: string; sealedSecrets: Buffer }): AccountSecrets =>
  JSON.parse(box.open(account.sealedSecrets, purposeOf(account.id)))
