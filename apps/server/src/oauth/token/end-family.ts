import { sql } from 'kysely'
import { publishAccessEnded } from '../../access/access-topic.ts'
import { sinceSignOut } from '../../access/credentials/live-grant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'

/** Families end one after the other in their grant, so that the last one is noticed. */
const lockGrantStatement = defineStatement({
  name: 'lock-grant-of-family',
  parameters: { familyId: 'uuid' },
  columns: { accountId: tables.appGrant.accountId },
  text: (
    p,
  ) => sql`select g.account_id from token_family f join app_grant g on g.id = f.grant_id where f.id = ${p.familyId}
    for no key update of g`,
})

/** An expired family counts until its row is deleted: no index finds the tokens of a family. */
const endTokensStatement = defineStatement({
  name: 'end-tokens-of-grant',
  parameters: { familyId: 'uuid', now: 'timestamptz' },
  text: (p) => sql`update app_grant g set tokens_ended_at = ${p.now}
    from token_family ended, account a
    where ended.id = ${p.familyId} and g.id = ended.grant_id and a.id = g.account_id and not exists (
      select from token_family f where f.grant_id = g.id and f.ended_at is null and ${sinceSignOut(sql`f.created_at`)})`,
})

/**
 * End a token family, including tokens that concurrent requests issue. With the last family of a grant, what its tokens
 * made ends too (`tokens_ended_at`). Returns false when the family had ended before.
 */
export async function endFamily(tx: Tx, familyId: string, because: string, now: Date): Promise<boolean> {
  const [grant] = await lockGrantStatement.execute(tx, { familyId })
  if (grant === undefined) return false
  const { numUpdatedRows } = await tx
    .updateTable('tokenFamily')
    .set({ endedAt: now, endedBecause: because })
    .where('id', '=', familyId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await endTokensStatement.execute(tx, { familyId, now })
  await publishAccessEnded(tx, grant.accountId)
  return true
}
