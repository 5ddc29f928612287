import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { meetPeople, schedule, signUp, standUp } from '../../../test/people.ts'
import {
  as,
  createRecordingMedia,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, media: createRecordingMedia(), emails: 'dropped' })
const { alice, bob, carol } = await meetPeople(app)
beforeEach(() => clock.set('2030-01-07T09:00:00Z'))
const dora = await signUp(app, 'Dora')
const eve = await signUp(app, 'Eve')
const meet = (advancedOptions: object = {}): Promise<Room & { pin: string }> =>
  schedule(alice, standUp({ participants: [], advancedOptions }))

/** Report that their page has connected, or has left. */
const note = async (admissionId: string | undefined, changes: { enteredAt?: Date; leftAt: Date | null }) =>
  app.database.updateTable('admission').set(changes).where('id', '=', String(admissionId)).execute()
const enterRoom = async (room: Room, headers: Headers) => {
  const entering = await enter(app, room, headers)
  await note(entering.admissionId, { enteredAt: clock.now(), leftAt: null })
  return entering
}

const named = (name: string) => ({ name: `${name} Test`, guest: false })

test('shows a person who may enter three names and the number of people inside', async () => {
  const room = await meet()
  assert.deepEqual((await enter(app, room, as(bob))).inside, { count: 0, people: [] })
  for (const person of [alice, bob, carol]) {
    await enterRoom(room, as(person))
    clock.advance(1_000)
  }
  const three = { count: 3, people: [named('Alice'), named('Bob'), named('Carol')] }
  assert.deepEqual((await enter(app, room, as(dora))).inside, three)
  assert.deepEqual((await enter(app, room, as(alice))).inside, { count: 2, people: [named('Bob'), named('Carol')] })
  await enterRoom(room, as(dora))
  assert.deepEqual((await enter(app, room, as(eve))).inside, { ...three, count: 4 })
})

test('shows a waiting person only whether a host is inside', async () => {
  const room = await meet({ waitingRoom: true })
  const asked = await enter(app, room, as(bob))
  assert.deepEqual([asked.state, asked.hostInside, asked.inside, asked.pin], ['waiting', false, undefined, undefined])
  const page = await watchAdmission(app, room, asked.admissionId, as(bob))
  assert.equal((await page.next()).hostInside, false)
  const { admissionId } = await enterRoom(room, as(alice))
  assert.equal((await page.until(({ hostInside }) => hostInside === true)).state, 'waiting')
  assert.equal((await enter(app, room, as(bob))).hostInside, true)
  await note(admissionId, { leftAt: clock.now() })
  await page.until(({ hostInside }) => hostInside === false)
  page.close()
})

test('tells a person that they are inside on another page, which would be disconnected', async () => {
  const room = await meet()
  const { admissionId, insideElsewhere } = await enterRoom(room, as(bob))
  assert.equal(insideElsewhere, undefined)
  assert.equal((await enter(app, room, as(bob))).insideElsewhere, true)
  assert.equal((await enter(app, room, as(carol))).insideElsewhere, undefined)
  await note(admissionId, { leftAt: clock.now() })
  assert.equal((await enter(app, room, as(bob))).insideElsewhere, undefined)
})

test('gives the PIN to a host who needs none, to pass it to guests, and not to others', async () => {
  const room = await meet()
  assert.equal((await enter(app, { ...room, pin: '' }, as(alice))).pin, room.pin)
  assert.equal((await enter(app, room, as(bob))).pin, undefined)
  assert.equal((await enterAsGuest(app, room, 'Gita')).reply.pin, undefined)
})
