import { issueToken } from '../room/livekit-token.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { grantOfPermission } from '../room/permission.ts'
import type { ServerDependencies } from './server-dependencies.ts'

/**
 * Tokens live as long as the tokens that the service issues. Each participant gets a new token after half of that time.
 */
const tokenLifetimeMs = 120_000
export const refreshIntervalMs = 60_000

/** Send the token that a reconnect needs, with the participant's current permissions. */
export function sendToken(room: MediaRoom, participant: Participant, { apiKey, nowMs }: ServerDependencies): void {
  const { identity, name, metadata, attributes, permission } = participant.profile
  const video = grantOfPermission(permission, room.name)
  const token = issueToken({ identity, name, metadata, attributes, video }, apiKey, nowMs(), tokenLifetimeMs)
  participant.send({ case: 'refreshToken', value: token })
}
