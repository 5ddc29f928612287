import { createHmac } from 'node:crypto'
import type { RoomMedia } from '@parley/contract'
import type { TurnConfig } from '../../platform/config/config-media.ts'
import type { Random } from '../../platform/random.ts'

/** The longest meeting: a relay asks again whenever an allocation is renewed. */
const lifetimeSeconds = 24 * 60 * 60
/** 128 bits. Nobody guesses another one's, and it says nothing of whose it is. */
const nameBytes = 16

/**
 * Credentials for the operator's relays, made for one person (draft-uberti-behave-turn-rest-00, 2.2, as coturn's
 * `use-auth-secret` reads it): the relay knows the secret, and needs to be told nothing.
 */
export function turnServersFor(turn: TurnConfig | undefined, random: Random, now: Date): RoomMedia['iceServers'] {
  if (turn === undefined) return []
  const expiresAt = Math.floor(now.getTime() / 1000) + lifetimeSeconds
  const username = `${expiresAt}:${random.bytes(nameBytes).toString('hex')}`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  return [{ urls: [...turn.urls], username, credential }]
}
