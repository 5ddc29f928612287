import { endAppTokens } from '../../access/credentials/access-token-store.ts'
import { deleteFeed } from '../../access/credentials/calendar-feed-store.ts'
import { deletePersonalTokens } from '../../access/credentials/personal-token-store.ts'
import { deleteSessions } from '../../access/credentials/session-store.ts'
import type { Tx } from '../../tables/tables.ts'
import { decryptAccountSecrets, encryptAccountSecrets, newAccountSecrets } from '../account/account-secrets.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { deleteOauthRequest } from '../administration/oauth-request-store.ts'
import { deletePasskeys } from '../passkeys/passkey-store.ts'

/**
 * End everything that somebody else may hold of an account, when its owner comes: until its address was proven, anybody can
 * have made it and wait. Afterwards nothing that was given out before opens anything; what the account *has* (meetings,
 * apps, roles, its own room) stays its own (docs/decisions/0026). The account is locked, and its password is the caller's.
 */
export async function endAccessOfOthers(
  tx: Tx,
  service: Pick<AccountsService, 'random' | 'encryption' | 'accessEndings'>,
  account: AccountRow,
  now: Date,
): Promise<void> {
  const { id, emailKey } = account
  // First, because what is being made with a session at this moment holds it until it is made: then it is seen below.
  await endSignIns(tx, id, now)
  await tx.deleteFrom('mailedLink').where('accountId', '=', id).execute()
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('knownNetwork').where('accountId', '=', id).execute()
  await deleteOauthRequest(tx, id)
  await renewChatKey(tx, service, account)
  for (const end of service.accessEndings) await end(tx, account, now)
}

/**
 * End every way in that a password gave: sessions, personal tokens, passkeys, the address of the calendar, and the tokens,
 * though not the consents, of apps.
 */
export async function endSignIns(tx: Tx, accountId: string, now: Date, but?: string): Promise<void> {
  await deleteSessions(tx, accountId, but)
  await deletePersonalTokens(tx, accountId)
  await deletePasskeys(tx, accountId)
  await deleteFeed(tx, accountId)
  await endAppTokens(tx, accountId, now)
}

/** Whoever has read it could chat as this person. The PIN of the own room stays: its owner lets in everybody in person. */
async function renewChatKey(
  tx: Tx,
  { random, encryption }: Pick<AccountsService, 'random' | 'encryption'>,
  account: AccountRow,
) {
  const { roomPin } = decryptAccountSecrets(encryption, account)
  const { chatKey } = newAccountSecrets(random)
  const sealedSecrets = encryptAccountSecrets(encryption, account.id, { roomPin, chatKey })
  await tx.updateTable('account').set({ sealedSecrets }).where('id', '=', account.id).execute()
}
