import { publishAccessEnded } from '../../access/access-topic.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { Tx } from '../../tables/tables.ts'
import type { Exchange } from './exchange.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenService } from './token-service.ts'

type Replay = { familyId: string | undefined; kind: 'code_replayed' | 'refresh_replayed'; cause: string }

/**
 * End the token family of a code or refresh token that was used twice, because one of the uses is a theft (RFC 9700,
 * 4.14.2), and report it to the developer.
 */
export async function endReplayedFamily(
  { database, random }: TokenService,
  { client, now, requestId }: Exchange,
  { familyId, kind, cause }: Replay,
): Promise<TokenRefusal> {
  if (familyId !== undefined) {
    const { appId, sandbox } = client
    await inTransaction(database, async (tx) => {
      const ended = await endFamily(tx, familyId, 'something of it was used twice', now)
      if (ended) await recordAppEvent(tx, { appId, sandbox, kind, cause, requestId, now, random })
    })
  }
  return new TokenRefusal('invalid_grant', cause, { event: null })
}

/** End a token family, including tokens that concurrent requests issue. Returns false when it had ended before. */
async function endFamily(tx: Tx, familyId: string, because: string, now: Date): Promise<boolean> {
  const ended = await tx
    .updateTable('tokenFamily')
    .from('appGrant')
    .set({ endedAt: now, endedBecause: because })
    .where('tokenFamily.id', '=', familyId)
    .where('endedAt', 'is', null)
    .whereRef('appGrant.id', '=', 'tokenFamily.grantId')
    .returning('appGrant.accountId')
    .executeTakeFirst()
  if (ended !== undefined) await publishAccessEnded(tx, ended.accountId)
  return ended !== undefined
}
