import type { WithDatabase } from '../../access/service.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { findPermittedParticipants } from '../admission/find-permitted-participants.ts'
import type { MediaEngine } from './media-engine.ts'

/** A permitted connection, with the account that hosts its meeting. */
export type PermittedConnection = { hostId: string }

/**
 * Create a check whether a token may be used now: it has our signature, has not expired, and its participant may still
 * be inside. A kept token is therefore useless, even for the moment until the engine reports the participant.
 */
export function createMayConnect(
  { apiKey, apiSecret }: MediaEngine,
  service: Pick<WithDatabase, 'database' | 'config' | 'clock'>,
) {
  return async (token: string): Promise<PermittedConnection | undefined> => {
    // Loaded with the first call (decision 0106).
    const { TokenVerifier } = await import('livekit-server-sdk')
    const verifier = new TokenVerifier(apiKey, apiSecret)
    const { sub = '', video } = await verifier.verify(token, 0).catch(() => ({ sub: '', video: undefined }))
    const meetingId = video?.room ?? ''
    if (!video?.roomJoin || !isUuid(sub) || !isUuid(meetingId)) return undefined
    const permitted = await findPermittedParticipants(service, meetingId, [sub], service.clock.now())
    const participant = permitted?.get(sub)
    return participant && { hostId: participant.hostId }
  }
}
