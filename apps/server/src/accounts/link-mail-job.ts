import { addressKey } from '@parley/rules/email-address'
import type { Database, Tx } from '../../migrations/tables.ts'
import { inTransaction } from '../platform/database.ts'
import { jobQueue, type Task } from '../platform/jobs.ts'
import { confirmAddressLetter, resetPasswordLetter } from './account-letters.ts'
import { findAccountByAddress } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { keepMailedLink, type LinkPurpose } from './mailed-link-store.ts'
import { findPendingPerson, keepPendingSignUp } from './pending-sign-up.ts'
import { queueLetter } from './queue-letter.ts'

export const linkMailTask = 'mail-account-link'

type LinkRequest = { email: string; link: LinkPurpose }
type Means = Pick<AccountsService, 'random' | 'config' | 'sealedBox'>

/** Asks for a link by mail. All who ask wait for the same one insert, whether the address has an account or not. */
export const requestLinkMail = (database: Database, request: LinkRequest): Promise<void> =>
  jobQueue.add(database, { task: linkMailTask, payload: request })

/** Looks the address up and mails the link if there is something to open with it; run twice, it mails two good links. */
export function createLinkMailTask(service: Pick<AccountsService, 'database' | 'clock'> & Means): Task {
  return async (payload) => {
    // Only `requestLinkMail` writes these.
    const { email, link } = payload as LinkRequest
    const key = addressKey(email)
    const now = service.clock.now()
    await inTransaction(service.database, (tx) =>
      link === 'reset-password' ? mailReset(tx, service, key, now) : mailConfirmation(tx, service, key, now),
    )
  }
}

/** A disabled account stays closed. */
async function mailReset(tx: Tx, service: Means, key: string, now: Date) {
  const account = await findAccountByAddress(tx, key)
  if (account === undefined || account.disabledAt !== null) return
  const token = await keepMailedLink(tx, service.random, { accountId: account.id, purpose: 'reset-password', now })
  await queueLetter(tx, service, resetPasswordLetter({ baseUrl: service.config.baseUrl, to: account.email, token }))
}

/** For an account that is not confirmed, or a sign-up that waits. */
async function mailConfirmation(tx: Tx, service: Means, key: string, now: Date) {
  const { baseUrl } = service.config
  const account = await findAccountByAddress(tx, key)
  if (account !== undefined) {
    if (account.disabledAt !== null || account.emailVerifiedAt !== null) return
    const token = await keepMailedLink(tx, service.random, { accountId: account.id, purpose: 'verify-email', now })
    return queueLetter(tx, service, confirmAddressLetter({ baseUrl, to: account.email, token }))
  }
  const pending = await findPendingPerson(tx, key, now)
  if (pending === undefined) return
  const token = await keepPendingSignUp(tx, service, pending, now)
  await queueLetter(tx, service, confirmAddressLetter({ baseUrl, to: pending.email, token }))
}
