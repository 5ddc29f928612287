import { Type } from 'typebox'
import { endAppTokens } from '../access/credentials/access-token-store.ts'
import { deleteFeed } from '../access/credentials/calendar-feed-store.ts'
import { deletePersonalTokens } from '../access/credentials/personal-token-store.ts'
import { deleteSessions } from '../access/credentials/session-store.ts'
import type { Executor, Tx } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { decryptAccountSecrets, encryptAccountSecrets, newAccountSecrets } from './account/account-secrets.ts'
import type { AccountRow } from './account/account-store.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteOauthRequest } from './oauth-access-request-store.ts'
import { deletePasskeys } from './passkeys/passkey-store.ts'

/**
 * End all access of others when an account's owner claims it: before the address was verified, another person may have
 * created the account. What the account owns (meetings, apps, roles, its own room) stays: most accounts that are
 * claimed were created by their owners, and others use their apps. The caller locks the account and sets its password.
 */
export async function endAccessOfOthers(
  tx: Tx,
  service: Pick<Dependencies, 'random' | 'encryption' | 'onAccessRevoked' | 'onSignedOut'>,
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
  for (const end of service.onAccessRevoked) await end(tx, account, now)
}

/**
 * End every credential that a password gave access to: sessions, personal tokens, passkeys, the calendar feed and the
 * tokens of apps; and what other modules do by them: webhooks are switched off, because another person may have made
 * them, and not deleted, because the owner may have. Consents to apps stay.
 */
export async function endSignIns(
  tx: Tx,
  { onSignedOut }: Pick<Dependencies, 'onSignedOut'>,
  accountId: string,
  now: Date,
  exceptSessionId?: string,
): Promise<void> {
  await deleteSessions(tx, accountId, exceptSessionId)
  await deletePersonalTokens(tx, accountId)
  await deletePasskeys(tx, accountId)
  await deleteFeed(tx, accountId)
  await endAppTokens(tx, accountId, now)
  for (const end of onSignedOut) await end(tx, accountId, now)
}

/**
 * Replace the chat key, with which others could chat as this person. The PIN of the own room stays: the owner admits
 * people there in person.
 */
async function renewChatKey(
  tx: Tx,
  { random, encryption }: Pick<Dependencies, 'random' | 'encryption'>,
  account: AccountRow,
) {
  const { roomPin } = decryptAccountSecrets(encryption, account)
  const { chatKey } = newAccountSecrets(random)
  const sealedSecrets = encryptAccountSecrets(encryption, account.id, { roomPin, chatKey })
  await tx.updateTable('account').set({ sealedSecrets }).where('id', '=', account.id).execute()
}

/** End all access of a disabled account, and disconnect it from its rooms. Enabling the account does not restore it. */
export async function endAccess(tx: Tx, accountId: string, now: Date) {
  await queueReconcileRoomsOfAccount(tx, accountId)
  await deleteSessions(tx, accountId)
  await deletePersonalTokens(tx, accountId)
  await endAppTokens(tx, accountId, now)
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).execute()
}

/** The job that reconciles every room that an account is in, and its own; the rooms module handles it. */
export const reconcileRoomsOfAccountJob = defineJob(
  'reconcile-rooms-of-account',
  Type.Object({ accountId: Type.String() }),
)

export const queueReconcileRoomsOfAccount = (executor: Executor, accountId: string) =>
  reconcileRoomsOfAccountJob.queue(executor, { accountId })
