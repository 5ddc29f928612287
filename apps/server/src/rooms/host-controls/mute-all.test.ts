import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, verdictOf } from '../../../test/rooms/rooms.ts'

// controls.test.ts tests with the engine that microphones really are silent.
const { bob, carol, meet, act, enterRoom, assertHostsOnly, auditedOf } = await setUpHost()

test('a host and a cohost mute all, also without any microphone on; it is no lasting action', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const answer = await act(room, 'mute-all')
  assert.deepEqual([answer.status, answer.body], [200, { status: 'Everybody but the hosts is muted.' }])
  await enterRoom(room, as(bob))
  assert.equal(verdictOf(await act(room, 'mute-all', as(carol))), '200')
  assert.deepEqual(await auditedOf(room), [])
})

test('allows only hosts to mute all', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'mute-all')
})
