import type { Tx } from '../../tables/tables.ts'
import type { Caller } from '../caller.ts'

/**
 * Lock the caller's credential until commit, so that what is created with it cannot outlive it: a transaction that ends
 * the credential waits, and then sees what was created. Returns false when it has ended. The locks do not block the
 * recording of its last use.
 */
export async function lockCredentialForShare(tx: Tx, { credential }: Caller): Promise<boolean> {
  switch (credential.kind) {
    case 'session':
      return exists(tx.selectFrom('session').select('id').where('id', '=', credential.sessionId).forKeyShare())
    case 'personal':
      return exists(tx.selectFrom('personalToken').select('id').where('id', '=', credential.tokenId).forKeyShare())
    case 'oauth':
      return exists(
        tx
          .selectFrom('appGrant')
          .select('id')
          .where('id', '=', credential.grantId)
          .where('revokedAt', 'is', null)
          .forShare(),
      )
  }
}

const exists = async (query: { executeTakeFirst(): Promise<unknown> }) => (await query.executeTakeFirst()) !== undefined
