import { createHmac } from 'node:crypto'
import type { RoomMedia } from '@parley/contract'
import type { TurnConfig } from '../../platform/config/config-media.ts'
import type { Random } from '../../platform/random.ts'

/** The maximum length of a meeting: the relay checks the credentials at each refresh of an allocation. */
const lifetimeSeconds = 24 * 60 * 60
/** 128 bits, so that a name can neither be guessed nor traced to a person. */
const nameBytes = 16

/**
 * Create credentials for the operator's TURN servers, for one person (draft-uberti-behave-turn-rest-00, 2.2; coturn's
 * `use-auth-secret`). The TURN server derives them from the shared secret, without any request.
 */
export function turnServersFor(turn: TurnConfig | undefined, random: Random, now: Date): RoomMedia['iceServers'] {
  if (turn === undefined) return []
  const expiresAt = Math.floor(now.getTime() / 1000) + lifetimeSeconds
  const username = `${expiresAt}:${random.bytes(nameBytes).toString('hex')}`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  return [{ urls: [...turn.urls], username, credential }]
}
