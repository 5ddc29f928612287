import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Person, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { createClock, startApp, type TestApp } from '../../apps/server/test/start-app.ts'
import { webhookPath } from '../../apps/server/test/webhooks/manage-webhooks.ts'
import { type Received, type Receiver, startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../apps/server/test/webhooks/webhooks.ts'
import { startKilledReceiver } from './killed-receiver.ts'

const [meetingCount, changesOfMeeting] = [10, 2]
const eventCount = meetingCount * (1 + changesOfMeeting)

/** What is sent in place of an answer, and how the attempt is logged. */
const rawAnswers: Record<string, [raw: (socket: Socket) => void, logged: string]> = {
  'closes the connection': [(socket) => socket.destroy(), 'no_connection'],
  'ends in the middle of its headers': [(socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-len'), 'no_connection'],
  'speaks another protocol': [(socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'broken_answer'],
  'contradicts itself': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    'broken_answer',
  ],
  'sends endless headers': [
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'x-header: value\r\n'.repeat(2_000)}\r\n`),
    'too_large',
  ],
  'never answers': [() => {}, 'timeout'],
  'sends a byte of its headers each second': [(socket) => void trickle(socket), 'timeout'],
}

/** Bodies that cannot be read, after a status that takes the event. */
const unreadableBodies: Record<string, (socket: Socket) => void> = {
  'sends less than it has announced': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\ntaken'),
  'sends a compressed body': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nbomb'),
  'never ends its body': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\ntaken'),
}

async function trickle(socket: Socket) {
  socket.on('error', () => {})
  for (const byte of `HTTP/1.1 200 OK\r\nx-header: ${'x'.repeat(100)}`) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(1_000)
  }
}

/** Alice schedules meetings and renames each of them. */
async function changeMeetings(alice: Person): Promise<void> {
  for (let meeting = 0; meeting < meetingCount; meeting++) {
    const body = standUp({ participants: [] })
    const { meetingDetails } = await expectOk(alice.send('POST', '/api/meeting?sendUpdates=none', body))
    for (let change = 1; change <= changesOfMeeting; change++) {
      const path = `/api/meeting/meetingDetails/${meetingDetails._id}?sendUpdates=none`
      await expectOk(alice.send('PUT', path, { ...body, topic: `Change ${change}` }))
    }
  }
}

/** Deliver as a running service does: what is due is started, whatever else is still under way. */
async function deliverUntil(app: TestApp, isDone: () => boolean): Promise<void> {
  await app.publishEvents()
  while (!isDone()) {
    const nextEnd = app.webhooks.nextEnd()
    if ((await app.webhooks.startDue()) === 0) await Promise.race([nextEnd, sleep(10)])
  }
}

/** An event may arrive twice: what counts is its first arrival. */
const firstArrivals = (taken: readonly Received[]) => [...new Map(taken.map((event) => [event.id, event])).values()]

function assertComplete(taken: readonly Received[], name: string): void {
  const arrived = firstArrivals(taken).filter(({ type }) => type.startsWith('meeting.'))
  assert.equal(arrived.length, eventCount, name)
  for (const [meeting, events] of Map.groupBy(arrived, ({ subject }) => subject)) {
    const sequences = events.map(({ sequence }) => sequence)
    assert.deepEqual(sequences, [1, 2, 3], `${name}: ${meeting}`)
  }
}

const attemptsOf = async ({ database }: TestApp, webhookId: string) => {
  const rows = await database
    .selectFrom('webhookAttempt')
    .select(['error', 'status'])
    .where('webhookId', '=', webhookId)
    .execute()
  return [...new Set(rows.map(({ error, status }) => error ?? String(status)))]
}

test('receivers that die, lie, wait and refuse neither delay a good one, nor lose an event once they recover', async () => {
  const clock = createClock(new Date().toISOString())
  const app = await startApp({ clock, emails: 'dropped', environment: { ...loopbackReceivers, RATE_LIMITS: 'off' } })
  const alice = await signUp(app, 'Alice')
  const goodIsDone = Promise.withResolvers<void>()

  type Hostile = { name: string; id: string; receiver: Receiver; logged: string }
  const hostile: Hostile[] = []
  async function add(name: string, logged: string, answer: Receiver['answer']): Promise<Hostile> {
    const receiver = await startReceiver()
    receiver.answer = answer
    const added = { name, id: await insertWebhook(app, alice, receiver), receiver, logged }
    hostile.push(added)
    return added
  }
  const good = await startReceiver()
  /** What the good one had taken when the first attempt at one that hangs ended; undefined where it had everything. */
  let takenMeanwhile: number | undefined
  const whenEnded = () => {
    takenMeanwhile ??= good.taken.length
  }
  for (const [name, [raw, logged]] of Object.entries(rawAnswers)) {
    await add(name, logged, () => ({
      raw(socket) {
        if (logged === 'timeout') socket.once('close', whenEnded)
        raw(socket)
      },
    }))
  }
  const takenByStatus: { name: string; id: string; receiver: Receiver }[] = []
  for (const [name, raw] of Object.entries(unreadableBodies)) {
    const receiver = await startReceiver()
    receiver.answer = () => ({ raw })
    takenByStatus.push({ name, id: await insertWebhook(app, alice, receiver), receiver })
  }
  const inside = await startReceiver()
  const redirects = [inside.url, 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/']
  let redirectCount = 0
  await add('redirects to private addresses', '307', () => {
    const location = redirects[redirectCount++ % redirects.length] ?? ''
    return { status: 307, headers: { location } }
  })
  const slow = await add('answers after 14.9 seconds', '204', () => ({
    status: 204,
    until: Promise.all([sleep(14_900), goodIsDone.promise]),
  }))
  const gone = await add('is gone', '410', () => ({ status: 410 }))
  const seen = new Set<string>()
  const unreliable = await startReceiver()
  unreliable.answer = ({ id }) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    return { status: isFirst && seen.size % 10 === 0 ? 500 : 204 }
  }
  const unreliableId = await insertWebhook(app, alice, unreliable)
  const killed = await startKilledReceiver()
  const killedId = await insertWebhook(app, alice, await startReceiver(), { url: killed.url })
  // The last one, because older ones have no precedence.
  const goodId = await insertWebhook(app, alice, good)

  await changeMeetings(alice)
  const isEachReached = () => hostile.every(({ receiver }) => receiver.requests.length > 0)
  await deliverUntil(app, () => good.taken.length >= eventCount && isEachReached())
  assert.equal(good.requests.length, eventCount, 'each event was sent once')
  assertComplete(good.taken, 'good')
  for (const { name, receiver } of hostile) assert.equal(receiver.taken.length, 0, name)
  const taken = takenMeanwhile ?? eventCount
  assert.ok(taken > meetingCount, `while others hung, the good one took ${taken}: more than the first of each meeting`)

  // From here on, all work: those that hang or wait end their attempts first.
  goodIsDone.resolve()
  await killed.killed
  await killed.startAgain()
  for (const { receiver } of [...hostile, ...takenByStatus]) receiver.answer = () => ({ status: 204 })
  await app.webhooks.idle()
  // Each event was refused once or not at all, so that it is sent again after six seconds at most.
  for (let round = 0; round < 2; round++) {
    clock.advance(6_000)
    await deliverDue(app)
  }
  for (const { name, id, receiver, logged } of hostile) {
    if (id === gone.id) continue
    assertComplete(receiver.taken, name)
    assert.deepEqual(new Set(await statesOf(app, id)), new Set(['delivered']), name)
    // What was under way at the end of the 15 seconds may have been too slow.
    const other = id === slow.id ? ['timeout'] : []
    const attempts = (await attemptsOf(app, id)).filter((attempt) => !other.includes(attempt))
    assert.deepEqual(new Set(attempts), new Set([logged, '204']), name)
  }
  for (const { name, id, receiver } of takenByStatus) {
    assert.equal(new Set(receiver.requests.map(({ event }) => event.id)).size, eventCount, name)
    assert.deepEqual(new Set(await statesOf(app, id)), new Set(['delivered']), name)
    const attempts = (await attemptsOf(app, id)).filter((attempt) => attempt !== '204')
    assert.deepEqual(attempts, ['200'], name)
    assert.equal(receiver.requests.length, eventCount, `${name}: each event was sent once`)
  }
  assertComplete(unreliable.taken, 'unreliable')
  assert.equal(unreliable.requests.length, eventCount + eventCount / 10)
  assert.deepEqual(new Set(await statesOf(app, unreliableId)), new Set(['delivered']))
  assertComplete(killed.taken, 'killed')
  assert.deepEqual(new Set(await statesOf(app, killedId)), new Set(['delivered']))
  assert.deepEqual(new Set(await statesOf(app, goodId)), new Set(['delivered']))
  assert.equal(inside.requests.length, 0, 'no redirect was followed')

  // The owner of the one that was gone switches it on, and has everything sent again.
  assert.deepEqual(new Set(await statesOf(app, gone.id)), new Set(['failed']))
  assert.ok(gone.receiver.requests.length < eventCount, 'nothing was sent after it was switched off')
  await expectOk(alice.send('PUT', webhookPath({ _id: gone.id }), { active: true }))
  const { count } = await expectOk(alice.send('POST', webhookPath({ _id: gone.id }, '/resend'), {}), 202)
  assert.equal(count, eventCount)
  await deliverDue(app)
  assert.equal(firstArrivals(gone.receiver.taken).length, eventCount + 1, 'all events, and webhook.gap')
  assert.deepEqual(new Set(await statesOf(app, gone.id)), new Set(['delivered']))
  for (const { name, receiver } of hostile) assert.deepEqual(receiver.forged, [], name)
})
