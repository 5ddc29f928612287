import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../test/replies.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as } from '../../../test/rooms/rooms.ts'

// controls.test.ts tests with the engine that microphones really are silent.
const { bob, carol, meet, act, enterRoom, assertHostsOnly, auditedOf } = await setUpHost()

test('a host and a cohost mute all, also without any microphone on; it is no lasting action', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const answer = await act(room, 'mute-all')
  await expectOk(answer, 204)
  await enterRoom(room, as(bob))
  await expectOk(act(room, 'mute-all', as(carol)), 204)
  assert.deepEqual(await auditedOf(room), [])
})

test('allows only hosts to mute all', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'mute-all')
})
