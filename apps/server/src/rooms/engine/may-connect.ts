import type { Service } from '../../access/service.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { findPermittedParticipants } from '../admission/find-permitted-participants.ts'
import type { MediaEngine } from './media-engine.ts'

/** A connection that may be made, and the account that hosts the meeting it leads to. */
export type PermittedConnection = { hostId: string }

/**
 * Whether a token opens anything at this moment: it is one of ours, has not expired, and who it names may still be inside.
 * So a token that somebody kept is of no use, not even for the moment until the engine reports that they came.
 */
export function createMayConnect(
  { apiKey, apiSecret }: MediaEngine,
  service: Pick<Service, 'database' | 'config' | 'clock'>,
) {
  return async (token: string): Promise<PermittedConnection | undefined> => {
    // Loaded with the first call (decision 0106).
    const { TokenVerifier } = await import('livekit-server-sdk')
    const verifier = new TokenVerifier(apiKey, apiSecret)
    const { sub = '', video } = await verifier.verify(token, 0).catch(() => ({ sub: '', video: undefined }))
    const meetingId = video?.room ?? ''
    if (!video?.roomJoin || !isUuid(sub) || !isUuid(meetingId)) return undefined
    const allowed = await findPermittedParticipants(service, meetingId, [sub], service.clock.now())
    const inside = allowed?.get(sub)
    return inside && { hostId: inside.hostId }
  }
}
