import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEvents } from '../../test/event-reader.ts'
import { type Person, standUp } from '../../test/people.ts'
import { useApp } from '../../test/use-app.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createLog } from '../platform/log.ts'
import { publishEvents, startEventPublisher } from './publish-events.ts'
import { recordMeetingEvent } from './record-event.ts'

const { app, meet } = await useApp({ emails: 'dropped' })
const nothingMore = async () => {}

async function create(host: Person) {
  const { body } = await host.send('POST', '/api/meeting?sendUpdates=none', standUp())
  return body.meetingDetails as { _id: string }
}

const update = (tx: Tx, { _id }: { _id: string }) =>
  recordMeetingEvent(tx, { type: 'meeting.cancelled', actingGrantId: null, meetingId: _id, more: {}, now: new Date() })

test('an event that commits late is read after those that a reader has seen, and is not missed', async () => {
  const [alice] = await meet('Alice')
  const [slow, quick] = [await create(alice), await create(alice)]
  const { nextCursor } = await readEvents(app, alice)
  const mayCommit = Promise.withResolvers<void>()
  const hasInserted = Promise.withResolvers<void>()
  const late = inTransaction(app.database, async (tx) => {
    await update(tx, slow)
    hasInserted.resolve()
    await mayCommit.promise
  })
  await hasInserted.promise
  await inTransaction(app.database, (tx) => update(tx, quick))
  const before = await readEvents(app, alice, `after=${nextCursor}`)
  assert.deepEqual(
    before.events.map(({ subject }) => subject),
    [quick._id],
  )
  mayCommit.resolve()
  await late
  const after = await readEvents(app, alice, `after=${before.nextCursor}`)
  assert.deepEqual(
    after.events.map(({ subject }) => subject),
    [slow._id],
  )
  const numbers = await app.database
    .selectFrom('event')
    .select(['number', 'position', 'subject'])
    .where('type', '=', 'meeting.cancelled')
    .where('subject', 'in', [slow._id, quick._id])
    .orderBy('number')
    .execute()
  assert.deepEqual(
    numbers.map(({ subject }) => subject),
    [slow._id, quick._id],
  )
  assert.ok(Number(numbers[0]?.position) > Number(numbers[1]?.position))
})

test('several publishers number the events of each meeting from 1 without gaps, in order of their positions', async () => {
  const [bob] = await meet('Bob')
  const meetings = await Promise.all([create(bob), create(bob), create(bob)])
  const write = async () => {
    for (let times = 0; times < 100; times++) {
      const meeting = meetings[times % 3] ?? meetings[0]
      await inTransaction(app.database, (tx) => update(tx, meeting))
    }
  }
  let isWriting = true
  const publish = async () => {
    while (isWriting) await publishEvents(app.database, nothingMore, createLog({ level: 'silent' }))
  }
  const publishing = [publish(), publish()]
  await Promise.all([write(), write()])
  isWriting = false
  await Promise.all(publishing)
  const { events } = await readEvents(app, bob, 'limit=200')
  const { events: more } = await readEvents(
    app,
    bob,
    `limit=200&after=${(await readEvents(app, bob, 'limit=200')).nextCursor}`,
  )
  const bySubject = Map.groupBy([...events, ...more], ({ subject }) => subject)
  for (const { _id } of meetings) {
    const sequences = bySubject.get(_id)?.map(({ sequence }) => sequence) ?? []
    assert.deepEqual(
      sequences,
      Array.from(sequences, (_, index) => index + 1),
    )
  }
  assert.equal([...bySubject.values()].flat().length, 203)
  const positions = await app.database.selectFrom('event').select('position').orderBy('position').execute()
  assert.deepEqual(
    positions.map(({ position }) => Number(position)),
    Array.from(positions, (_, index) => index + 1),
  )
})

test('more events than a batch holds are published at once', async () => {
  const [alice] = await meet('Alice')
  const meeting = await create(alice)
  await inTransaction(app.database, async (tx) => {
    for (let times = 0; times < 1_001; times++) await update(tx, meeting)
  })
  await publishEvents(app.database, nothingMore, createLog({ level: 'silent' }))
  const waiting = await app.database.selectFrom('event').select('id').where('position', 'is', null).execute()
  assert.deepEqual(waiting, [])
})

test('a running service publishes by itself, and stops', async () => {
  const [alice] = await meet('Alice')
  const log = createLog({ level: 'silent' })
  const databaseFailures = createDatabaseFailureLog(log)
  const publisher = startEventPublisher({ database: app.database, log, databaseFailures, onPublished: nothingMore })
  const meeting = await create(alice)
  const isPublished = async () =>
    (await app.database.selectFrom('event').select('position').where('subject', '=', meeting._id).execute()).every(
      ({ position }) => position !== null,
    )
  while (!(await isPublished()));
  await publisher.stop()
  await create(alice)
  assert.equal((await app.database.selectFrom('event').where('position', 'is', null).selectAll().execute()).length, 1)
})

test('a failure of the database is one of those that are logged once a second, and the event waits', async () => {
  const [alice] = await meet('Alice')
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  const databaseFailures = createDatabaseFailureLog(log)
  await create(alice)
  const onPublished = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: '53100' }))
  const publisher = startEventPublisher({ database: app.database, log, databaseFailures, onPublished })
  while (databaseFailures.countOf('out-of-resources') === 0) await sleep(10)
  await publisher.stop()
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).failure),
    ['out-of-resources'],
  )
  await publishEvents(app.database, nothingMore, createLog({ level: 'silent' }))
  assert.deepEqual(await app.database.selectFrom('event').where('position', 'is', null).selectAll().execute(), [])
})

test('reports that a batch has more notifications than are written at once', async () => {
  const [alice] = await meet('Alice')
  const guests = 1_000
  await app.pool.query(
    `insert into account select guest.* from account a, generate_series(1, $1) number, jsonb_populate_record(a,
      jsonb_build_object('id', gen_random_uuid(), 'email_key', 'guest' || number || '@example.com',
      'room_id', gen_random_uuid(), 'room_code', 'code' || number)) guest where a.id = $2`,
    [guests, alice.profile._id],
  )
  const meeting = await create(alice)
  await app.publishEvents()
  await app.pool.query(
    `insert into participant select guest.* from participant p, generate_series(1, $1) number, jsonb_populate_record(p,
      jsonb_build_object('email_key', 'guest' || number || '@example.com')) guest where p.meeting_id = $2`,
    [guests, meeting._id],
  )
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  for (const [events, reports] of [
    [19, 0],
    [21, 1],
  ] as const) {
    await inTransaction(app.database, async (tx) => {
      for (let event = 0; event < events; event++) await update(tx, meeting)
    })
    await publishEvents(app.database, nothingMore, log)
    assert.equal(lines.length, reports, lines.join(''))
  }
})
