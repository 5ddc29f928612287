import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, decide, enter, enterAsGuest, verdictOf, watchAdmission, watchRoom } from '../../../test/rooms/rooms.ts'
import { startApp } from '../../../test/start-app.ts'

const { alice, carol, app, clock, meet, act, assertHostsOnly, auditedOf } = await setUpHost()
const other = await startApp({ clock, beside: app })

test('publishes the requirement of approval at once on another instance; ending it admits people who wait only for that', async () => {
  const room = await meet({})
  const list = await watchRoom(other, room, as(alice))
  assert.equal((await list.next()).asksNewGuests, false)
  await act(room, 'ask-new-guests')
  await list.until(({ asksNewGuests }) => asksNewGuests)
  const gus = await enterAsGuest(app, room, 'Gus')
  const page = await watchAdmission(other, room, gus.admissionId, gus.headers)
  assert.equal((await page.next()).state, 'waiting')
  const answer = await act(room, 'stop-asking-new-guests')
  assert.deepEqual([answer.status, answer.body], [200, { status: 'New guests come in directly again.' }])
  await list.until(({ asksNewGuests }) => !asksNewGuests)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, gus.headers)).state, 'admitted')
  for (const stream of [list, page]) stream.close()
})

test('a cohost ends what the host began, audited once; a guest whom a host has denied stays outside', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  assert.equal(verdictOf(await act(room, 'stop-asking-new-guests')), '200', 'nobody asks yet')
  await act(room, 'ask-new-guests')
  const mia = await enterAsGuest(app, room, 'Mia')
  assert.equal(verdictOf(await decide(app, room, mia.admissionId, 'deny', as(alice))), '200')
  for (const by of [carol, alice]) assert.equal(verdictOf(await act(room, 'stop-asking-new-guests', as(by))), '200')
  assert.equal((await enter(app, room, mia.headers)).state, 'denied')
  assert.deepEqual(await auditedOf(room), [
    ['room.new-guests-asked', alice.profile._id, null],
    ['room.new-guests-not-asked', carol.profile._id, null],
  ])
})

test('allows only hosts to stop it', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'stop-asking-new-guests')
})
