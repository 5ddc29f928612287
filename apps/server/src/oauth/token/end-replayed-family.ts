import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { endFamily } from './end-family.ts'
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
