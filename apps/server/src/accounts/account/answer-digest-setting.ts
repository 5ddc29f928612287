import { type Database, inTransaction } from '../../platform/database/database.ts'
import { lockAccount } from './account-store.ts'

/** Switch the daily digest of answers on or off, as the profile does. */
export async function setAnswerDigest(database: Database, accountId: string, on: boolean, now: Date): Promise<void> {
  await inTransaction(database, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (account === undefined) return
    const settings = { ...account.settings, answerDigest: on }
    await tx
      .updateTable('account')
      .set({ settings: JSON.stringify(settings), modifiedAt: now })
      .where('id', '=', accountId)
      .execute()
  })
}
