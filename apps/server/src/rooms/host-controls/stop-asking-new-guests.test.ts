import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../test/replies.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, decide, enter, enterAsGuest, watchAdmission, watchRoom } from '../../../test/rooms/rooms.ts'
import { startApp } from '../../../test/start-app.ts'

const { alice, carol, app, clock, meet, auditedOf, update } = await setUpHost()
const other = await startApp({ clock, beside: app })

test('publishes the requirement of approval at once on another instance; ending it admits people who wait only for that', async () => {
  const room = await meet({})
  const list = await watchRoom(other, room, as(alice))
  assert.equal((await list.next()).approvalRequired, false)
  await update(room, { approvalRequired: true })
  await list.until(({ approvalRequired }) => approvalRequired)
  const gus = await enterAsGuest(app, room, 'Gus')
  const page = await watchAdmission(other, room, gus.admissionId, gus.headers)
  assert.equal((await page.next()).state, 'waiting')
  const answer = await update(room, { approvalRequired: false })
  assert.deepEqual(await expectOk(answer), { locked: false, approvalRequired: false })
  await list.until(({ approvalRequired }) => !approvalRequired)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, gus.headers)).state, 'admitted')
  for (const stream of [list, page]) stream.close()
})

test('a cohost ends what the host began, audited once; a guest whom a host has denied stays outside', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await expectOk(update(room, { approvalRequired: false }))
  await update(room, { approvalRequired: true })
  const mia = await enterAsGuest(app, room, 'Mia')
  await expectOk(decide(app, room, mia.admissionId, 'deny', as(alice)), 204)
  for (const by of [carol, alice]) await expectOk(update(room, { approvalRequired: false }, as(by)))
  assert.equal((await enter(app, room, mia.headers)).state, 'denied')
  assert.deepEqual(await auditedOf(room), [
    ['room.new-guests-asked', alice.profile._id, null],
    ['room.new-guests-not-asked', carol.profile._id, null],
  ])
})
