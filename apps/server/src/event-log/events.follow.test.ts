import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextEvent, openLog, readEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  type Person,
  schedule,
  sendRequest,
  signUp,
  standUp,
} from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { watchRoom } from '../../test/rooms/rooms.ts'
import { startApp, type TestApp } from '../../test/start-app.ts'
import { inTransaction } from '../platform/database/database.ts'
import { deleteOldEvents } from './event-store.ts'
import { recordMeetingEvent } from './record-event.ts'

/** Longer than any test: what a stream sends, it sends because it was notified. */
const never = 10 * 60_000

const app = await startApp({ emails: 'dropped', checkEveryMs: never })
const { olga, alice, bob, carol } = await meetPeople(app)
await permit(olga, alice, { oauthEnabled: true })
const planner = await approvedApp(app, alice)

/** Schedule a meeting, whose event is published. */
async function create(host: Person, topic: string) {
  const { meetingDetails } = await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic })))
  await app.publishEvents()
  return meetingDetails as { _id: string }
}

const follow = (person: Person, query = '') =>
  sendRequest(app, 'GET', `/api/events?follow=true&${query}`, undefined, { authorization: `Bearer ${person.token}` })

const topicOf = async (log: Awaited<ReturnType<typeof openLog>>) => (await nextEvent(log)).event.data.topic

test('sends what lies after the cursor and then each event as it is published, as the list has it', async () => {
  await create(bob, 'Before')
  const { nextCursor } = await readEvents(app, bob)
  await create(bob, 'Missed')
  const log = await openLog(app, bob, `after=${nextCursor}`)
  assert.equal(log.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(log.headers.get('cache-control'), 'no-store')
  const missed = await nextEvent(log)
  const meeting = await create(bob, 'Live')
  const live = await nextEvent(log)
  await expectOk(bob.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' }))
  await app.publishEvents()
  const cancelled = await nextEvent(log)
  log.close()

  const listed = await readEvents(app, bob, `after=${nextCursor}`)
  assert.deepEqual([missed.event, live.event, cancelled.event], listed.events)
  assert.deepEqual(
    listed.events.map(({ type, data }) => [type, data.topic]),
    [
      ['meeting.created', 'Missed'],
      ['meeting.created', 'Live'],
      ['meeting.cancelled', 'Live'],
    ],
  )
  // An id is a cursor of the list as well.
  const afterMissed = await readEvents(app, bob, `after=${missed.cursor}`)
  assert.deepEqual(afterMissed.events, listed.events.slice(1))
})

test('without a cursor it begins now, and says from where to go on before the first event', async () => {
  await create(alice, 'Long ago')
  const log = await openLog(app, alice)
  const { cursor, event } = await log.next()
  assert.equal(event, undefined)
  await log.untilSent(/^retry: 1000\nid: \S+\n\n/)
  await create(alice, 'From now on')
  assert.equal(await topicOf(log), 'From now on')
  log.close()
  const again = await openLog(app, alice, `after=${cursor}`)
  assert.equal(await topicOf(again), 'From now on')
  again.close()
})

test('an event that another instance publishes arrives, wherever its change was made', async () => {
  const other = await startApp({ beside: app, checkEveryMs: never })
  const log = await openLog(app, bob)
  await log.next()
  await expectOk(bob.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Made here' })))
  await other.publishEvents()
  assert.equal(await topicOf(log), 'Made here')
  const { meetingDetails: meeting } = await expectOk(
    sendRequest(other, 'POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Made there' }), {
      authorization: `Bearer ${bob.token}`,
    }),
  )
  await other.publishEvents()
  const { event } = await nextEvent(log)
  assert.deepEqual([event.subject, event.data.topic], [meeting._id, 'Made there'])
  log.close()
})

test('sends only events of the account, the types and the meeting that were asked for', async () => {
  const [kept, other] = [await create(alice, 'Kept'), await create(alice, 'Other')]
  const ofType = await openLog(app, alice, 'type=meeting.updated,meeting.cancelled')
  const ofMeeting = await openLog(app, alice, `meetingId=${kept._id}`)
  const ofBob = await openLog(app, bob)
  for (const log of [ofType, ofMeeting, ofBob]) await log.next()
  await create(bob, 'Of Bob')
  await create(alice, 'Third')
  for (const meeting of [other, kept]) {
    await expectOk(alice.send('PUT', `${detailsPath(meeting)}?sendUpdates=none`, standUp({ topic: 'Renamed' })))
  }
  await app.publishEvents()
  const subjects = [(await nextEvent(ofType)).event.subject, (await nextEvent(ofType)).event.subject]
  assert.deepEqual(subjects, [other._id, kept._id])
  const { event } = await nextEvent(ofMeeting)
  assert.deepEqual([event.type, event.subject], ['meeting.updated', kept._id])
  assert.equal(await topicOf(ofBob), 'Of Bob')
  for (const log of [ofType, ofMeeting, ofBob]) log.close()
})

test('a token receives the types of its scopes, and is refused others that it asks for before the stream begins', async () => {
  const withMeetings = { token: (await tokensFor(app, planner, carol, { scopes: ['meeting:read'] })).access_token }
  const without = { token: (await tokensFor(app, planner, carol, { scopes: ['user:read'] })).access_token }
  await app.publishEvents()
  const [reading, blind] = [await openLog(app, withMeetings), await openLog(app, without)]
  await Promise.all([reading.next(), blind.next()])
  await create(carol, 'Seen by one')
  assert.equal(await topicOf(reading), 'Seen by one')
  // Another consent is an event that both may read: it is the first that the other token receives.
  await tokensFor(app, planner, carol, { scopes: ['meeting:read', 'meeting:create'] })
  await app.publishEvents()
  assert.equal((await nextEvent(reading)).event.type, 'grant.changed')
  assert.equal((await nextEvent(blind)).event.type, 'grant.changed')
  for (const log of [reading, blind]) log.close()

  const ask = (reader: { token: string }, type: string) =>
    sendRequest(app, 'GET', `/api/events?follow=true&type=${type}`, undefined, {
      authorization: `Bearer ${reader.token}`,
    })
  await expectProblem(ask(without, 'meeting.created'), 'insufficient_scope')
  await expectProblem(ask(withMeetings, 'app.suspended'), 'app_token_refused')
  await expectProblem(sendRequest(app, 'GET', '/api/events?follow=true'), 'unauthorized')
})

test('a program that reconnects with Last-Event-ID misses nothing and gets nothing twice, while others write and publish', async () => {
  const other = await startApp({ beside: app, checkEveryMs: never })
  const dora = await signUp(app, 'Dora')
  const meeting = await create(dora, 'Busy')
  const written = 400
  let isWriting = true
  const write = async () => {
    for (let times = 0; times < written / 4; times++) {
      await inTransaction(app.database, (tx) =>
        recordMeetingEvent(tx, {
          type: 'meeting.cancelled',
          actingGrantId: null,
          meetingId: meeting._id,
          more: {},
          now: new Date(),
        }),
      )
    }
  }
  const publish = async (instance: TestApp) => {
    while (isWriting) await instance.publishEvents()
    await instance.publishEvents()
  }
  const writing = Promise.all(Array.from({ length: 4 }, write)).then(() => {
    isWriting = false
  })
  const publishing = Promise.all([publish(app), publish(other)])

  const sequences: (number | null)[] = []
  const start = await readEvents(app, dora, 'limit=1')
  let cursor = start.nextCursor
  sequences.push(...start.events.map(({ sequence }) => sequence))
  for (let openings = 0; sequences.length < written + 1; openings++) {
    // The address keeps its first cursor, as that of an EventSource does: the header counts.
    const log = await openLog(openings % 2 === 0 ? app : other, dora, `after=${start.nextCursor}`, {
      'last-event-id': cursor,
    })
    for (let taken = 0; taken < 7 * (1 + (openings % 5)) && sequences.length < written + 1; taken++) {
      const next = await nextEvent(log)
      sequences.push(next.event.sequence)
      cursor = next.cursor
    }
    log.close()
  }
  await Promise.all([writing, publishing])
  assert.deepEqual(
    sequences,
    Array.from(sequences, (_, at) => at + 1),
  )
  const rest = await readEvents(app, dora, `after=${cursor}`)
  assert.deepEqual(rest.events, [])
})

test('an instance that has lost its notifications goes on with what it has missed', async () => {
  const log = await openLog(app, bob)
  await log.next()
  await create(bob, 'Heard')
  assert.equal(await topicOf(log), 'Heard')
  await app.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
  )
  await create(bob, 'Not heard')
  assert.equal(await topicOf(log), 'Not heard')
  log.close()
})

test('moves the cursor of an account for which nothing happens on, so that it does not expire', async () => {
  const checking = await startApp({ beside: app, checkEveryMs: 250 })
  const log = await openLog(checking, carol)
  const first = await log.next()
  await create(bob, 'Of another account')
  const second = await log.next()
  assert.equal(second.event, undefined)
  assert.notEqual(second.cursor, first.cursor)
  log.close()
  const { nextCursor } = await readEvents(app, carol)
  assert.equal(second.cursor, nextCursor)
})

test('an expired or malformed cursor is refused before the stream begins, also as Last-Event-ID', async () => {
  const { nextCursor: old } = await readEvents(app, bob)
  await create(bob, 'Deleted soon')
  await deleteOldEvents(app.database, new Date(Date.now() + 31 * 24 * 60 * 60_000))
  await expectProblem(follow(bob, `after=${old}`), 'cursor_expired')
  const ahead = Buffer.from('position.999999').toString('base64url')
  await expectProblem(follow(bob, `after=${ahead}`), 'cursor_expired')

  const ask = (query: string, last: string) =>
    bob.send('GET', `/api/events?${query}`, undefined, { 'last-event-id': last })
  const { nextCursor: young } = await readEvents(app, bob)
  await expectProblem(ask(`follow=true&after=${young}`, old), 'cursor_expired')
  for (const wrong of ['x', `${'x'.repeat(201)}`]) {
    const { errors } = await expectProblem(ask('follow=true', wrong), 'invalid_request')
    assert.deepEqual(
      errors.map(({ path }: { path: string }) => path),
      ['/after'],
    )
  }
  await expectOk(ask('limit=1', 'x'))
  const log = await openLog(app, bob, `after=${young}`, { 'last-event-id': '' })
  await log.next()
  log.close()
  const { errors } = await expectProblem(follow(bob, 'after=x&type=meeting.*'), 'invalid_request')
  assert.deepEqual(
    errors.map(({ path }: { path: string }) => path),
    ['/after', '/type'],
  )
  await expectProblem(bob.send('GET', '/api/events?follow=perhaps'), 'invalid_request')
  assert.deepEqual((await expectOk(bob.send('GET', '/api/events?follow=false'))).events, [])
})

test('a client that does not read for a while gets every event in order when it reads on', async () => {
  const emil = await signUp(app, 'Emil')
  const meeting = await create(emil, 'Long')
  const { nextCursor } = await readEvents(app, emil)
  // More than the buffers of the system hold.
  const written = 4_000
  const bytesOfEach = 4_000
  await app.pool.query(
    `insert into event (type, occurred_at, account_id, subject, meeting_id, data)
     select 'meeting.started', now(), account_id, subject, meeting_id, jsonb_build_object('topic', repeat('x', $3))
     from event, generate_series(1, $2) where subject = $1`,
    [meeting._id, written, bytesOfEach],
  )
  await app.publishEvents()
  const socket = connect(Number(new URL(app.base).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `GET /api/events?follow=true&after=${nextCursor} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${emil.token}\r\n\r\n`,
  )
  socket.pause()
  await sleep(500)

  let text = ''
  let expected = 2
  for await (const chunk of socket) {
    text += chunk
    const found = [...text.matchAll(/"sequence":(\d+),/g)]
    for (const [, sequence] of found) assert.equal(Number(sequence), expected++)
    const last = found.at(-1)
    if (last !== undefined) text = text.slice(last.index + last[0].length)
    if (expected === written + 2) break
  }
})

test('answers HEAD with the headers of the stream, and holds nothing open', async () => {
  for (let times = 0; times < 20; times++) {
    const { status, headers } = await fetch(`${app.base}/api/events?follow=true`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${bob.token}` },
    })
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  }
})

test('a stopping instance ends the stream, and the program goes on at another one', async () => {
  const ending = await startApp({ beside: app, checkEveryMs: never })
  const log = await openLog(ending, bob)
  const { cursor } = await log.next()
  const closed = ending.close()
  await log.ended()
  await create(bob, 'Meanwhile')
  const again = await openLog(app, bob, '', { 'last-event-id': cursor })
  assert.equal(await topicOf(again), 'Meanwhile')
  again.close()
  await closed
})

test('an account follows with 10 streams, and each app for it with 10 more; rooms are counted apart', async () => {
  const gina = await signUp(app, 'Gina')
  const planning = { token: (await tokensFor(app, planner, gina)).access_token }
  const sandbox = { token: (await tokensFor(app, planner, gina, { sandbox: true })).access_token }
  const opened = []
  for (const reader of [gina, planning, sandbox]) {
    for (let times = 0; times < 10; times++) opened.push(await openLog(app, reader))
    const answer = await sendRequest(app, 'GET', '/api/events?follow=true', undefined, {
      authorization: `Bearer ${reader.token}`,
    })
    await expectProblem(answer, 'too_many_requests')
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    await expectOk(sendRequest(app, 'GET', '/api/events', undefined, { authorization: `Bearer ${reader.token}` }))
  }
  const room = await schedule(gina)
  const inRoom = await watchRoom(app, room, { authorization: gina.token })
  await inRoom.next()
  inRoom.close()
  for (const log of opened) log.close()
})
