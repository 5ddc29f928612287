import type { Service } from '../../access/service.ts'
import type { MediaAccess } from '../media-access.ts'
import type { MediaEngine } from './media-engine.ts'
import { mediaTokenFor } from './media-token.ts'
import { turnServersFor } from './turn-credentials.ts'

/** Create media access over an engine: a LiveKit token, and credentials for TURN servers. */
export const createMediaAccess = (
  engine: MediaEngine,
  { config, random, clock }: Pick<Service, 'config' | 'random' | 'clock'>,
): MediaAccess => ({
  async grant(person) {
    // Fail here with 503 if the engine is not available, rather than with a failing connection.
    await engine.apiAddress()
    const token = await mediaTokenFor(engine, person)
    return { url: engine.url, token, iceServers: turnServersFor(config.turn, random, clock.now()) }
  },
})
