import type { Tx } from '../../tables/tables.ts'

/** More links than anybody follows; what is over can be taken off. */
export const maxAdded = 1000

export async function countAddedMeetings(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('addedMeeting')
    .select((added) => added.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether it was not there before. */
export async function insertAddedMeeting(tx: Tx, added: { accountId: string; meetingId: string; now: Date }) {
  const { accountId, meetingId, now } = added
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('addedMeeting')
    .values({ accountId, meetingId, addedAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'meetingId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Whether there was one: what others have added is not found. */
export async function deleteAddedMeeting(tx: Tx, accountId: string, meetingId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('addedMeeting')
    .where('accountId', '=', accountId)
    .where('meetingId', '=', meetingId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
