import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  roomPath,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'

const { alice, app, bob, clock, mallory, waitingRoom, watchOnce } = await useRooms()

test('a waiting entry ends 20 seconds after it was last seen, and can no longer be admitted', async () => {
  const room = await waitingRoom()
  const admit = (admissionId: string | undefined) => decide(app, room, admissionId, 'admit', as(alice))
  const { admissionId } = await enter(app, room, as(bob))
  clock.advance(19_999)
  assert.equal((await watchOnce(room, as(alice))).waiting.length, 1)
  clock.advance(1)
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [])
  await expectProblem(admit(admissionId), 'admission_not_found')
  await expectProblem(decide(app, room, admissionId, 'deny', as(alice)), 'admission_not_found')
  const late = await sendRequest(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, as(bob))
  await expectProblem(late, 'admission_not_found')
  await expectOk(sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, as(alice)), 204)
  assert.equal((await enter(app, room, as(bob))).state, 'waiting', 'nobody has let him in')

  clock.advance(19_999)
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.next()
  page.close()
  clock.advance(19_999)
  await expectOk(admit(admissionId), 204)
})

test('keeps an entry waiting for as long as its page is open', async () => {
  const room = await waitingRoom()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.next()
  // The database was unavailable, or the machine slept: the page is still open.
  clock.advance(60_000)
  const seenAt = async () =>
    (await app.database.selectFrom('admission').select('seenAt').where('id', '=', String(admissionId)).execute())[0]
      ?.seenAt
  while ((await seenAt())?.getTime() !== clock.now().getTime()) await sleep(100)
  const { waiting } = await watchOnce(room, as(alice))
  assert.deepEqual(
    waiting.map((person) => person.askedOn),
    ['2030-01-07T09:00:00.000Z'],
    'and is where it was in the line',
  )
  page.close()
  // The service notices a moment later.
  do {
    await sleep(100)
    clock.advance(10_000)
  } while ((await watchOnce(room, as(alice))).waiting.length > 0)
})

test('shows an admission to its own person, and not to others who send its id', async () => {
  const room = await waitingRoom()
  const gwen = await enterAsGuest(app, room, 'Gwen')
  const mia = await enterAsGuest(app, room, 'Mia')
  const askAs = (headers: Headers, admissionId = gwen.admissionId) =>
    sendRequest(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, headers)
  for (const headers of [mia.headers, as(mallory), as(alice), {}]) {
    await expectProblem(askAs(headers), 'admission_not_found')
  }
  for (const id of ['nonsense', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(askAs(gwen.headers, id), 'admission_not_found')
  }
  const elsewhere = await waitingRoom()
  const wrongRoom = await sendRequest(
    app,
    'GET',
    `${admissionPath(elsewhere, gwen.admissionId)}/events`,
    undefined,
    gwen.headers,
  )
  await expectProblem(wrongRoom, 'admission_not_found')
  // A person with an account enters as that account, even with a guest's cookie.
  await expectProblem(askAs({ ...gwen.headers, ...as(mallory) }), 'admission_not_found')
})
