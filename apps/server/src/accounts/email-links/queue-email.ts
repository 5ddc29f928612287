import { queueMail } from '../../email/mail-job.ts'
import type { Tx } from '../../platform/database/database.ts'
import { removeJob } from '../../platform/jobs/jobs.ts'
import type { AccountsService } from '../accounts-service.ts'
import { composeEmail, type Email } from './compose-email.ts'

/**
 * Queue an email in the transaction of the change that it reports. With a key it waits for `delayMs`, and replaces a
 * waiting email with the same key.
 */
export const queueEmail = (
  tx: Tx,
  { encryption }: Pick<AccountsService, 'encryption'>,
  message: Email,
  gathered?: { key: string; delayMs: number },
) => queueMail(tx, encryption, { to: message.to, subject: message.subject, ...composeEmail(message) }, gathered)

/** Drop the waiting email with this key. */
export const dropEmail = (tx: Tx, key: string) => removeJob(tx, key)

/** At most 48 of these emails per day reach an address, and each change is reported within this time. */
const passwordEmailIntervalMs = 30 * 60 * 1000

/**
 * Queue the email about a changed password of `account`, given as before the change. Soon after another change it is
 * delayed and covers all that follow: an email for each would let a script flood an address, and without one an
 * attacker's change would stay unnoticed.
 */
export async function queuePasswordChangedEmail(
  tx: Tx,
  { encryption, config }: Pick<AccountsService, 'encryption' | 'config'>,
  account: { id: string; passwordChangedAt: Date | null },
  message: Email,
  now: Date,
): Promise<void> {
  const mail = { to: message.to, subject: message.subject, ...composeEmail(message) }
  const sinceMs = now.getTime() - (account.passwordChangedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  const isSoon = config.rateLimits && sinceMs < passwordEmailIntervalMs
  const delayed = { key: `password-changed ${account.id}`, delayMs: passwordEmailIntervalMs }
  await queueMail(tx, encryption, mail, isSoon ? delayed : undefined)
}
