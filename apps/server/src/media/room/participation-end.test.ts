import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisconnectReason } from '@livekit/protocol'
import { type Connections, participationEndOf } from './participation-end.ts'

const present: Connections = {
  joinedMs: 0,
  isActive: true,
  awaySinceMs: undefined,
  lostSinceMs: undefined,
  lastCheckMs: 0,
}

const cases: [string, Partial<Connections>, number, DisconnectReason | undefined][] = [
  ['somebody who checks', {}, 30_000, undefined],
  ['somebody who checks no more', {}, 30_001, DisconnectReason.CONNECTION_TIMEOUT],
  ['no socket for a while', { awaySinceMs: 0 }, 20_000, undefined],
  ['no socket for too long', { awaySinceMs: 0 }, 20_001, DisconnectReason.SIGNAL_CLOSE],
  ['not connected, and no socket for a moment', { isActive: false, awaySinceMs: 0 }, 2000, undefined],
  ['not connected, and no socket for longer', { isActive: false, awaySinceMs: 0 }, 2001, DisconnectReason.SIGNAL_CLOSE],
  ['no transport for a moment', { lostSinceMs: 0 }, 2000, undefined],
  ['no transport for longer', { lostSinceMs: 0 }, 2001, DisconnectReason.CONNECTION_TIMEOUT],
  ['neither of both', { awaySinceMs: 5, lostSinceMs: 5 }, 5, DisconnectReason.SIGNAL_CLOSE],
  ['still connecting', { isActive: false, lastCheckMs: undefined }, 20_000, undefined],
  ['never connected', { isActive: false, lastCheckMs: undefined }, 20_001, DisconnectReason.JOIN_FAILURE],
]
for (const [what, known, atMs, reason] of cases) {
  test(`${what}: ${reason === undefined ? 'stays' : DisconnectReason[reason]}`, () =>
    assert.equal(participationEndOf({ ...present, ...known }, atMs)?.reason, reason))
}
