import { networkOf } from '../../access/network.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'

/** Home, work, a phone and a few cafés; the least recently used is replaced. */
const maxNetworks = 20

/** Networks unused for longer than this are deleted. */
export const knownNetworkRetentionMs = 90 * 24 * 60 * 60 * 1000

/** A keyed hash, so that the table does not reveal where people are. */
export const networkHash = (encryption: Encryption, address: string): Buffer =>
  encryption.mac('known network', networkOf(address))

/**
 * Whether the account has signed in from a network: failures elsewhere then do not lock its owner out
 * (docs/decisions/0006).
 */
export async function isKnownNetwork(database: Database, accountId: string, hash: Buffer): Promise<boolean> {
  const known = await database
    .selectFrom('knownNetwork')
    .select('accountId')
    .where('accountId', '=', accountId)
    .where('networkHash', '=', hash)
    .executeTakeFirst()
  return known !== undefined
}

export async function rememberNetwork(tx: Tx, accountId: string, hash: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto('knownNetwork')
    .values({ accountId, networkHash: hash, lastUsedAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'networkHash']).doUpdateSet({ lastUsedAt: now }))
    .execute()
  await tx
    .deleteFrom('knownNetwork')
    .where('accountId', '=', accountId)
    .where('networkHash', 'in', (networks) =>
      networks
        .selectFrom('knownNetwork')
        .select('networkHash')
        .where('accountId', '=', accountId)
        .orderBy('lastUsedAt', 'desc')
        .offset(maxNetworks),
    )
    .execute()
}
