import type { Tx } from '../tables/tables.ts'
import { disableForGood } from './health/disable-for-good.ts'

/**
 * Switch off the webhooks that a person has made when their sign-ins end: another person, who was signed in, may have made
 * them. What waits is given up, and none is probed; the owner switches on those that are theirs.
 */
export async function disableWebhooksOfPerson(tx: Tx, accountId: string, now: Date): Promise<void> {
  const webhooks = await tx
    .selectFrom('webhook')
    .select('id')
    .where('accountId', '=', accountId)
    .where('owner', '=', 'person')
    .orderBy('id')
    .execute()
  for (const { id } of webhooks) await disableForGood(tx, id, now)
}
