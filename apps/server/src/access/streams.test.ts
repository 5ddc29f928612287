import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../../test/event-stream.ts'
import { meetPeople, password, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { admissionPath, as, createRecordingMedia, enterAsGuest, roomPath, watchRoom } from '../../test/rooms/rooms.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({
  emails: 'dropped',
  media: createRecordingMedia(),
  environment: { TRUST_PROXY: '127.0.0.1' },
})
const { alice, mallory } = await meetPeople(app)
const room = await schedule(alice, standUp({ advancedOptions: { joinBeforeHost: false } }))

/** The number of streams that one account may open. */
const maxOfAccount = 32

test('sends a stream as it is produced, without caching, with a message every few seconds', async () => {
  const list = await watchRoom(app, room, as(alice))
  assert.equal(list.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(list.headers.get('cache-control'), 'no-store')
  assert.equal(list.headers.get('x-accel-buffering'), 'no')
  assert.match(list.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/)
  await list.untilSent(/^retry: 1000\ndata: \{"locked":false.*\}\n\n:\n\n/)
  list.close()
})

test('answers a refusal with a problem, as elsewhere', async () => {
  const refused = await sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, as(mallory))
  await expectProblem(refused, 'meeting_not_found')
  assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const nonsense = await sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, { authorization: 'nonsense' })
  await expectProblem(nonsense, 'unauthorized')
})

test('answers HEAD with the same headers, and holds nothing open', async () => {
  const head = async () => {
    const { status, headers } = await fetch(`${app.base}${roomPath(room, 'waiting')}`, {
      method: 'HEAD',
      headers: as(alice),
    })
    return `${status} ${headers.get('content-type')}`
  }
  const answers: string[] = []
  // One after the other: each takes a place, and gives it back.
  for (let times = 0; times < 2 * maxOfAccount; times++) answers.push(await head())
  assert.deepEqual([...new Set(answers)], ['200 text/event-stream; charset=utf-8'])
})

test('signing out ends the streams of that session, with a token and with a cookie', async () => {
  const signIn = async () =>
    (await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password })).body.token
  const sessions: Record<string, string>[] = [
    { authorization: await signIn() },
    { cookie: `parley_session=${await signIn()}`, origin: app.config.baseUrl },
  ]
  for (const headers of sessions) {
    const list = await watchRoom(app, room, headers)
    await list.next()
    await expectOk(sendRequest(app, 'POST', '/api/auth/sign-out', undefined, headers))
    await list.ended()
  }
  const kept = await watchRoom(app, room, as(alice))
  await kept.untilSent(/:\n\n/)
  kept.close()
})

test('an account has 32 streams, not 33; closing one makes room for another', async () => {
  const open = () => watchRoom(app, room, as(alice))
  const pages = await Promise.all(Array.from({ length: maxOfAccount }, open))
  const refused = await sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, as(alice))
  await expectProblem(refused, 'too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const others = await enterAsGuest(app, room, 'Gwen')
  const guest = await openStream(app, `${admissionPath(room, others.admissionId)}/events`, others.headers)
  await guest.next()
  guest.close()
  pages[0]?.close()
  await untilOpen(open)
  for (const page of pages) page.close()
})

/** The service notices a closed page a moment later. */
async function untilOpen(open: () => ReturnType<typeof watchRoom>) {
  for (;;) {
    try {
      const page = await open()
      return page.close()
    } catch (error) {
      assert.match(String(error), /429/)
    }
  }
}

test('a stopping service ends its streams, and accepts no more', async () => {
  const ending = await startApp({ beside: app })
  const list = await watchRoom(ending, room, as(alice))
  await list.next()
  const closed = ending.close()
  await list.ended()
  await closed
})
