import type { Language } from '@parley/texts/languages'
import type { Database, Tx } from '../../platform/database/database.ts'
import { endReplyAddresses } from './reply-addresses.ts'

/** The owner of a feed; the feed's content depends on the account and on whether its address is verified. */
export type FeedOwner = {
  accountId: string
  name: string
  lname: string
  language: Language | ''
  emailKey: string
  emailVerifiedAt: Date | null
}

/** Find the owner of a feed; undefined for an unknown secret and for a disabled account. */
export const findFeedOwner = (database: Database, secretHash: Buffer): Promise<FeedOwner | undefined> =>
  database
    .selectFrom('calendarFeed')
    .innerJoin('account', 'account.id', 'calendarFeed.accountId')
    .select(['calendarFeed.accountId', 'name', 'lname', 'language', 'emailKey', 'emailVerifiedAt'])
    .where('secretHash', '=', secretHash)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()

export const findFeed = (database: Database, accountId: string): Promise<{ createdAt: Date } | undefined> =>
  database.selectFrom('calendarFeed').select('createdAt').where('accountId', '=', accountId).executeTakeFirst()

/** Replace the secret of an account's feed. The previous secret stops working at commit. */
export async function replaceFeed(
  tx: Tx,
  feed: { accountId: string; secretHash: Buffer; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('calendarFeed')
    .values(feed)
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ secretHash: feed.secretHash, createdAt: feed.createdAt }),
    )
    .execute()
  await endReplyAddresses(tx, feed.accountId)
}

/** Delete an account's feed. Return false when there was none. */
export async function deleteFeed(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendarFeed')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  await endReplyAddresses(tx, accountId)
  return numDeletedRows > 0n
}
