import type { Service } from '../../access/service.ts'
import type { MediaAccess } from '../media-access.ts'
import type { MediaEngine } from './media-engine.ts'
import { mediaTokenFor } from './media-token.ts'
import { turnServersFor } from './turn-credentials.ts'

/** Hands whoever is admitted what it takes to be heard and seen. */
export const createMediaAccess = (
  engine: MediaEngine,
  { config, random, clock }: Pick<Service, 'config' | 'random' | 'clock'>,
): MediaAccess => ({
  async grant(person) {
    // An engine that is away is told here, and not by a connection that fails.
    await engine.apiAddress()
    const token = await mediaTokenFor(engine, person)
    return { url: engine.url, token, iceServers: turnServersFor(config.turn, random, clock.now()) }
  },
})
