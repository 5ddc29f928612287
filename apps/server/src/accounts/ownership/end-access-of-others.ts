import { endAppTokens } from '../../access/credentials/access-token-store.ts'
import { deleteFeed } from '../../access/credentials/calendar-feed-store.ts'
import { deletePersonalTokens } from '../../access/credentials/personal-token-store.ts'
import { deleteSessions } from '../../access/credentials/session-store.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decryptAccountSecrets, encryptAccountSecrets, newAccountSecrets } from '../account/account-secrets.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { deleteOauthRequest } from '../administration/oauth-request-store.ts'
import { deletePasskeys } from '../passkeys/passkey-store.ts'

/**
 * End all access of others when an account's owner claims it: before the address was verified, another person may have
 * created the account. What the account owns (meetings, apps, roles, its own room) stays (docs/decisions/0026). The
 * caller locks the account and sets its password.
 */
export async function endAccessOfOthers(
  tx: Tx,
  service: Pick<AccountsService, 'random' | 'encryption' | 'accessEndings' | 'signInEndings'>,
  account: AccountRow,
  now: Date,
): Promise<void> {
  const { id, emailKey } = account
  // End sign-ins first: transactions that create something with a session lock it, so that the deletions below see what
  // they created.
  await endSignIns(tx, service, id, now)
  await tx.deleteFrom('mailedLink').where('accountId', '=', id).execute()
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  await tx.deleteFrom('knownNetwork').where('accountId', '=', id).execute()
  await deleteOauthRequest(tx, id)
  await renewChatKey(tx, service, account)
  for (const end of service.accessEndings) await end(tx, account, now)
}

/**
 * End every credential that a password gave access to: sessions, personal tokens, passkeys, the calendar feed and the
 * tokens of apps; and what other modules do by them. Consents to apps stay.
 */
export async function endSignIns(
  tx: Tx,
  { signInEndings }: Pick<AccountsService, 'signInEndings'>,
  accountId: string,
  now: Date,
  exceptSessionId?: string,
): Promise<void> {
  await deleteSessions(tx, accountId, exceptSessionId)
  await deletePersonalTokens(tx, accountId)
  await deletePasskeys(tx, accountId)
  await deleteFeed(tx, accountId)
  await endAppTokens(tx, accountId, now)
  for (const end of signInEndings) await end(tx, accountId, now)
}

/**
 * Replace the chat key, with which others could chat as this person. The PIN of the own room stays: the owner admits
 * people there in person.
 */
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
