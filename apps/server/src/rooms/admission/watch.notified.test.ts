import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { meetPeople, password, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import {
  as,
  createRecordingMedia,
  decide,
  enter,
  enterAsGuest,
  type Room,
  roomPath,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

// Polling is off here: every change arrives by notification, from one instance to the other.
const never = 24 * 60 * 60 * 1000
const clock = createClock('2030-01-07T09:00:00Z')
const shown = {
  clock,
  media: createRecordingMedia(),
  checkEveryMs: never,
  presenceTimes: { recordEveryMs: never, goneAfterMs: 1_000 },
}
const app = await startApp({ ...shown, emails: 'dropped' })
const other = await startApp({ ...shown, beside: app })
const { alice, bob } = await meetPeople(app)
beforeEach(() => clock.set('2030-01-07T09:00:00Z'))
const waitingRoom = (): Promise<Room> => schedule(alice, standUp({ advancedOptions: { waitingRoom: true } }))

test('shows arriving people to the host at once, in the order of their arrival', async () => {
  const room = await waitingRoom()
  const list = await watchRoom(other, room, as(alice))
  assert.deepEqual((await list.next()).waiting, [])
  const names = ['Greta', 'Hugo', 'Ida']
  for (const [at, name] of names.entries()) {
    clock.advance(1_000)
    await enterAsGuest(app, room, name)
    const { waiting } = await list.until((seen) => seen.waiting.length === at + 1)
    assert.deepEqual(
      waiting.map((person) => person.name),
      names.slice(0, at + 1),
    )
  }
  list.close()
})

test('shows the new name of a person who enters again under another name', async () => {
  const room = await waitingRoom()
  const list = await watchRoom(other, room, as(alice))
  const guest = await enterAsGuest(app, room, '')
  await list.until(({ waiting }) => waiting[0]?.name === '')
  await enter(app, room, guest.headers, { name: ' Gerd ' })
  await list.until(({ waiting }) => waiting[0]?.name === 'Gerd')
  await enter(app, room, guest.headers)
  list.close()
})

test('notifies the person and every host of each decision at once', async () => {
  const room = await waitingRoom()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  const list = await watchRoom(app, room, as(alice))
  await page.until(({ state }) => state === 'waiting')
  await list.until(({ waiting }) => waiting.length === 1)
  await decide(other, room, admissionId, 'deny', as(alice))
  await page.until(({ state }) => state === 'denied')
  await list.until(({ denied }) => denied.length === 1)
  await decide(other, room, admissionId, 'admit', as(alice))
  await page.until(({ state }) => state === 'admitted')
  await list.until(({ denied }) => denied.length === 0)
  page.close()
  list.close()
})

test('notifies all waiting people of their admission at once', async () => {
  const room = await waitingRoom()
  const guests = await Promise.all(Array.from({ length: 20 }, (_, at) => enterAsGuest(app, room, `Guest ${at}`)))
  const pages = await Promise.all(
    guests.map(({ admissionId, headers }, at) => watchAdmission(at % 2 ? app : other, room, admissionId, headers)),
  )
  await sendRequest(other, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))
  await Promise.all(pages.map((page) => page.until(({ state }) => state === 'admitted')))
  for (const page of pages) page.close()
})

test('reports a page that reloads while waiting no second time', async () => {
  const room = await waitingRoom()
  const list = await watchRoom(other, room, as(alice))
  await list.next()
  const guest = await enterAsGuest(app, room, 'Greta')
  await list.until(({ waiting }) => waiting.length === 1)
  for (let times = 0; times < 3; times++) await enter(app, room, guest.headers, { name: 'Greta' })
  await enterAsGuest(app, room, 'Hugo')
  const next = await list.next()
  assert.deepEqual(
    next.waiting.map(({ name }) => name),
    ['Greta', 'Hugo'],
  )
  list.close()
})

test('removes a person from the list soon after the page closes, unless another page of theirs is open', async () => {
  const room = await waitingRoom()
  const list = await watchRoom(other, room, as(alice))
  const greta = await enterAsGuest(app, room, 'Greta')
  const hugo = await enterAsGuest(app, room, 'Hugo')
  const closing = await watchAdmission(app, room, greta.admissionId, greta.headers)
  const closingToo = await watchAdmission(app, room, hugo.admissionId, hugo.headers)
  await Promise.all([closing.next(), closingToo.next()])
  clock.advance(1_000)
  const open = await watchAdmission(other, room, hugo.admissionId, hugo.headers)
  await open.next()
  await list.until(({ waiting }) => waiting.length === 2)
  closing.close()
  closingToo.close()
  const { waiting } = await list.until((seen) => seen.waiting.length < 2)
  assert.deepEqual(
    waiting.map(({ name }) => name),
    ['Hugo'],
  )
  open.close()
  list.close()
})

test("ends the streams at once on every instance after a sign-out or a token's revocation", async () => {
  const room = await waitingRoom()
  const signedIn = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password })
  const session = { authorization: signedIn.body.token }
  const list = await watchRoom(other, room, session)
  await list.next()
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-out', undefined, session))
  await list.ended()
})
