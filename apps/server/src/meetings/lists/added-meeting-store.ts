import type { Tx } from '../../platform/database/database.ts'

/** More than a person needs; past meetings can be removed. */
export const maxAdded = 1000

export async function countAddedMeetings(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('addedMeeting')
    .select((added) => added.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** Add a meeting to an account's list. False if it is there already. */
export async function insertAddedMeeting(tx: Tx, added: { accountId: string; meetingId: string; now: Date }) {
  const { accountId, meetingId, now } = added
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('addedMeeting')
    .values({ accountId, meetingId, addedAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'meetingId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Remove a meeting from an account's list. False if it is not there. */
export async function deleteAddedMeeting(tx: Tx, accountId: string, meetingId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('addedMeeting')
    .where('accountId', '=', accountId)
    .where('meetingId', '=', meetingId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
