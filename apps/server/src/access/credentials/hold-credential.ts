import type { Tx } from '../../tables/tables.ts'
import type { Caller } from '../caller.ts'

/**
 * Hold what a caller was recognised by until commit, so that what is made with it cannot outlive its end: whoever ends it
 * waits, and then sees what was made. False when it has ended. Noting its use does not wait.
 */
export async function holdCredential(tx: Tx, { credential }: Caller): Promise<boolean> {
  switch (credential.kind) {
    case 'session':
      return isThere(tx.selectFrom('session').select('id').where('id', '=', credential.sessionId).forKeyShare())
    case 'personal':
      return isThere(tx.selectFrom('personalToken').select('id').where('id', '=', credential.tokenId).forKeyShare())
    case 'oauth':
      return isThere(
        tx
          .selectFrom('appGrant')
          .select('id')
          .where('id', '=', credential.grantId)
          .where('revokedAt', 'is', null)
          .forShare(),
      )
  }
}

const isThere = async (query: { executeTakeFirst(): Promise<unknown> }) =>
  (await query.executeTakeFirst()) !== undefined
