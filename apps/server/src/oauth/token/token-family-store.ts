import type { Tx } from '../../tables/tables.ts'

/** Ends all that came from one code, whatever is being made of it at this moment. False when it had ended before. */
export async function endFamily(tx: Tx, familyId: string, because: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tokenFamily')
    .set({ endedAt: now, endedBecause: because })
    .where('id', '=', familyId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
