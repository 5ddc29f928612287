import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import type { Caller } from '../caller.ts'
import { sinceSignOut } from './live-grant.ts'

/**
 * Lock the caller's credential until commit, so that what is created with it cannot outlive it: a transaction that ends
 * the credential waits, and then sees what was created. Return false when it has ended. The locks do not block the
 * recording of its last use.
 */
export async function lockCredentialForShare(tx: Tx, { credential }: Caller): Promise<boolean> {
  switch (credential.kind) {
    case 'session':
      return exists(tx.selectFrom('session').select('id').where('id', '=', credential.sessionId).forKeyShare())
    case 'personal':
      return exists(tx.selectFrom('personalToken').select('id').where('id', '=', credential.tokenId).forKeyShare())
    case 'oauth':
      return lockGrantForShare(tx, credential.grantId)
  }
}

/** The tokens are looked up after the lock: the app may have revoked them, or the user signed out, while it waited. */
async function lockGrantForShare(tx: Tx, grantId: string): Promise<boolean> {
  const locked = await exists(
    tx.selectFrom('appGrant').select('id').where('id', '=', grantId).where('revokedAt', 'is', null).forShare(),
  )
  if (!locked) return false
  const [row] = await findLiveFamilyStatement.execute(tx, { grantId })
  return row !== undefined
}

const findLiveFamilyStatement = defineStatement({
  name: 'find-live-token-family',
  parameters: { grantId: tables.tokenFamily.grantId },
  columns: { id: tables.appGrant.id },
  text: (p) => sql`select f.id from app_grant g join account a on a.id = g.account_id
    join token_family f on f.grant_id = g.id
    where g.id = ${p.grantId} and f.ended_at is null and ${sinceSignOut(sql`f.created_at`)} limit 1`,
})

const exists = async (query: { executeTakeFirst(): Promise<unknown> }) => (await query.executeTakeFirst()) !== undefined
