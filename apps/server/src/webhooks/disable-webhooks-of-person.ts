import type { WithDatabase } from '../access/service.ts'
import type { SignInEnding } from '../accounts/accounts-service.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { recordWebhookEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { disableForGood } from './health/disable-for-good.ts'
import { webhooksSwitchedOffEmail } from './webhook-emails.ts'

/**
 * Switch off all webhooks that a person has made, those of apps and of the organisation included, when their sign-ins end:
 * another person, who was signed in, may have made them. What waits is given up, and none is probed. Those that were made
 * with tokens end with them. Returns the others that this has switched off.
 */
export async function disableWebhooksOfPerson(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ id: string; url: string }[]> {
  const webhooks = await tx
    .selectFrom('webhook')
    .select(['id', 'url', 'owner', 'personalTokenId'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  const disabled = []
  for (const { id, url, owner, personalTokenId } of webhooks) {
    const isChanged = await disableForGood(tx, id, now, 'signed_out')
    if (isChanged && owner !== 'grant' && personalTokenId === null) disabled.push({ id, url })
  }
  return disabled
}

/** Switch off the webhooks of a person who goes on using the account, and email what is off to them. */
export const createDisableWebhooksOfPerson =
  ({ encryption, config: { baseUrl } }: Pick<WithDatabase, 'encryption' | 'config'>): SignInEnding =>
  async (tx, accountId, now) => {
    const disabled = await disableWebhooksOfPerson(tx, accountId, now)
    if (disabled.length === 0) return
    for (const { id: webhookId } of disabled) {
      await recordWebhookEvent(tx, { type: 'webhook.disabled', webhookId, accountId, data: {}, now })
    }
    const { email: to, language } = await tx
      .selectFrom('account')
      .select(['email', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const receivers = [...new Set(disabled.map(({ url }) => new URL(url).host))]
    const email = webhooksSwitchedOffEmail({ baseUrl, to, language: emailLanguage(language), receivers })
    await queueEmail(tx, { encryption }, email)
  }
