import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../test/replies.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enterAsGuest } from '../../../test/rooms/rooms.ts'

// The part that needs no engine: the rows, the notified people, and the audit log.
const { olga, alice, bob, app, meet, act, enterRoom, control, auditedOf, update } = await setUpHost()

test('each lasting action is audited once, with its actor and subject', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await enterRoom(room, as(bob))
  const guest = await enterAsGuest(app, room, 'Guest')
  for (const locked of [true, true, false, false]) await expectOk(update(room, { locked }))
  for (const action of [
    'lift_hard_mute',
    'lift_hard_mute',
    'make_cohost',
    'make_cohost',
    'remove_cohost',
    'remove_cohost',
    'remove',
  ]) {
    await expectOk(control(room, admissionId, action), 204)
  }
  await expectOk(control(room, guest.admissionId, 'remove'), 204)
  await expectOk(act(room, 'end'), 204)
  const [byAlice, toBob] = [alice.profile._id, bob.profile._id]
  assert.deepEqual(await auditedOf(room), [
    ['room.locked', byAlice, null],
    ['room.unlocked', byAlice, null],
    ['participant.hard-mute-lifted', byAlice, toBob],
    ['participant.made-cohost', byAlice, toBob],
    ['participant.removed-as-cohost', byAlice, toBob],
    ['participant.removed', byAlice, toBob],
    ['participant.removed', byAlice, null],
    ['room.ended', byAlice, null],
  ])
  const log = await olga.send('GET', '/api/admin/audit-log?limit=50')
  assert.ok(log.body.entries.some(({ action }: { action: string }) => action === 'participant.removed'))
})
