import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { nine, setUpEntry } from '../../../test/rooms/entry-fixture.ts'
import {
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  roomPath,
  verdictOf,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'

const { alice, app, bob, clock, mallory, media, other, waitingRoom, watchOnce } = await setUpEntry()

test('admits all waiting people at once, and no others', async () => {
  const room = await waitingRoom()
  const gone = await enterAsGuest(app, room, 'Gone')
  clock.advance(20_000)
  const denied = await enterAsGuest(app, room, 'Denied')
  await decide(app, room, denied.admissionId, 'deny', as(alice))
  const guests = await Promise.all(['Greta', 'Hugo', ''].map((name) => enterAsGuest(app, room, name)))
  const pages = await Promise.all(
    guests.map(({ admissionId, headers }, at) => watchAdmission(at === 0 ? app : other, room, admissionId, headers)),
  )
  const names = (await watchOnce(room, as(alice))).waiting.map(({ name, email }) => [name, email])
  assert.deepEqual(names.toSorted(), [
    ['', null],
    ['Greta', null],
    ['Hugo', null],
  ])
  await expectOk(sendRequest(other, 'POST', roomPath(room, 'admit-all'), undefined, as(alice)), 204)
  for (const page of pages) {
    await page.until(({ state }) => state === 'admitted')
    page.close()
  }
  const states = await Promise.all([gone, denied, ...guests].map(({ headers }) => enter(app, room, headers)))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['waiting', 'denied', 'admitted', 'admitted', 'admitted'],
  )
  media.granted.length = 0
  clock.set(nine)
})

test('allows only hosts to admit, and changes nothing when no person waits', async () => {
  const room = await waitingRoom()
  const admitAs = (headers: Headers) => sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, headers)
  await expectOk(admitAs(as(alice)), 204)
  const guest = await enterAsGuest(app, room, 'Greta')
  const verdicts = [await admitAs(as(bob)), await admitAs(guest.headers), await admitAs(as(mallory)), await admitAs({})]
  assert.deepEqual(verdicts.map(verdictOf), [
    '403 host_required',
    '403 host_required',
    '404 meeting_not_found',
    '404 meeting_not_found',
  ])
  assert.equal((await enter(app, room, guest.headers)).state, 'waiting')
})
