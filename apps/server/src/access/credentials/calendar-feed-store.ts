import type { Language } from '@parley/rules/text/language'
import type { Database, Tx } from '../../tables/tables.ts'

/** Whose calendar it is: what is shown depends on who they are and which address is theirs for sure. */
export type FeedOwner = {
  accountId: string
  name: string
  lname: string
  language: Language | ''
  emailKey: string
  emailVerifiedAt: Date | null
}

/** Undefined too for a disabled account: it is let in nowhere. */
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

/** Puts a new secret in the place of the one before, which opens nothing from here on. */
export const replaceFeed = (tx: Tx, feed: { accountId: string; secretHash: Buffer; createdAt: Date }) =>
  tx
    .insertInto('calendarFeed')
    .values(feed)
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ secretHash: feed.secretHash, createdAt: feed.createdAt }),
    )
    .execute()

/** Whether there was one. */
export async function deleteFeed(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendarFeed')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
