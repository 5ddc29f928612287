import { queueMail } from '../../email/mail-job.ts'
import type { Tx } from '../../tables/tables.ts'
import type { AccountsService } from '../accounts-service.ts'
import { composeEmail, type Email } from './compose-email.ts'

/** Queues a letter in the transaction of the change that it tells of. */
export const queueEmail = (tx: Tx, { encryption }: Pick<AccountsService, 'encryption'>, letter: Email) =>
  queueMail(tx, encryption, { to: letter.to, subject: letter.subject, ...composeEmail(letter) })

/** At most 48 of these a day reach an address, however often the password changes; and each change is told within this. */
const passwordEmailIntervalMs = 30 * 60 * 1000

/**
 * Queues the letter about a new password of `account`, which is as it was before the change. Soon after another change it
 * waits, and tells of all that follow: a mail for each would let a script flood an address, and without one a change by
 * somebody else would stay unnoticed.
 */
export async function queuePasswordChangedEmail(
  tx: Tx,
  { encryption, config }: Pick<AccountsService, 'encryption' | 'config'>,
  account: { id: string; passwordChangedAt: Date | null },
  letter: Email,
  now: Date,
): Promise<void> {
  const mail = { to: letter.to, subject: letter.subject, ...composeEmail(letter) }
  const sinceMs = now.getTime() - (account.passwordChangedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  const isSoon = config.rateLimits && sinceMs < passwordEmailIntervalMs
  const gathered = { key: `password-changed ${account.id}`, delayMs: passwordEmailIntervalMs }
  await queueMail(tx, encryption, mail, isSoon ? gathered : undefined)
}
