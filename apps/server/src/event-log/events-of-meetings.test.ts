import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventReply } from '@parley/contract'
import { countTypes, lastEvent, readEvents } from '../../test/event-reader.ts'
import { meetPeople, type Person, password, signUp, standUp } from '../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T08:00:00Z')
const app = await startApp({ emails: 'dropped', clock })
const { alice, bob } = await meetPeople(app)

const weekly = (changes: object = {}) =>
  standUp({
    repeatOptions: {
      repeat: 'weekly',
      interval: 1,
      daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
      endDate: '2030-03-04T23:59:59Z',
      timeZone: 'GMT',
    },
    ...changes,
  })

async function create(host: Person, meeting: object = standUp()) {
  const { status, body } = await host.send('POST', '/api/meeting?sendUpdates=none', meeting)
  assert.equal(status, 200, JSON.stringify(body))
  return body.meetingDetails
}

const pathOf = ({ _id }: { _id: string }) => `/api/meeting/meetingDetails/${_id}`
const eventsOf = async ({ _id }: { _id: string }) => (await readEvents(app, alice, `meetingId=${_id}`)).events
const typesOf = (events: readonly EventReply[]) => events.map(({ type }) => type)

test('meeting.created: a new meeting is the first event of its sequence, without PIN or host key', async () => {
  const meeting = await create(alice)
  const [event, ...others] = await eventsOf(meeting)
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...event, id: '' },
    {
      id: '',
      type: 'meeting.created',
      timestamp: '2030-01-01T08:00:00.000Z',
      sequence: 1,
      subject: meeting._id,
      actingGrantId: null,
      data: {
        userId: alice.profile._id,
        meetingId: meeting._id,
        svcMeetId: meeting.svcMeetId,
        __v: 0,
        topic: 'Stand-up',
        joinUrl: `${publicAddress}/j/${meeting.svcMeetId}`,
      },
    },
  )
  assert.equal(JSON.stringify(event).includes(meeting.pin), false)
})

test('meeting.updated: names the fields that have another value; a request that changes none causes no event', async () => {
  const meeting = await create(alice)
  const send = (body: object) => alice.send('PUT', `${pathOf(meeting)}?sendUpdates=none`, body)
  assert.equal((await send(standUp())).status, 200)
  assert.deepEqual(typesOf(await eventsOf(meeting)), ['meeting.created'])
  const changed = standUp({
    topic: 'Retrospective',
    endTime: '2030-01-07T10:30:00Z',
    participants: ['carol@example.org'],
    reminderMinutes: 30,
    advancedOptions: { waitingRoom: true },
  })
  assert.equal((await send(changed)).status, 200)
  const event = await lastEvent(app, alice, 'meeting.updated')
  assert.deepEqual(
    [event.data.changed, event.data.topic, event.data.__v, event.sequence],
    [['topic', 'endTime', 'participants', 'advancedOptions', 'reminderMinutes'], 'Retrospective', 1, 2],
  )
  assert.equal((await send({ ...changed, cohosts: ['bob@example.org'] })).status, 200)
  assert.deepEqual((await lastEvent(app, alice, 'meeting.updated')).data.changed, ['cohosts'])
})

test('a change that a cohost makes belongs to the host', async () => {
  const meeting = await create(alice, standUp({ cohosts: ['bob@example.org'] }))
  const before = await countTypes(app, bob)
  const update = standUp({ cohosts: ['bob@example.org'], topic: 'By Bob' })
  assert.equal((await bob.send('PUT', `${pathOf(meeting)}?sendUpdates=none`, update)).status, 200)
  assert.equal((await lastEvent(app, alice, 'meeting.updated')).data.topic, 'By Bob')
  assert.deepEqual(await countTypes(app, bob), before)
})

test('a split series is updated, and the meeting that continues it is created', async () => {
  const series = await create(alice, weekly())
  const occurrence = '2030-01-21T09:00:00.000Z'
  const { status, body: rest } = await alice.send('POST', `${pathOf(series)}/split?sendUpdates=none`, { occurrence })
  assert.equal(status, 200, JSON.stringify(rest))
  const [, shortened] = await eventsOf(series)
  assert.deepEqual([shortened?.type, shortened?.data.changed], ['meeting.updated', ['repeatOptions']])
  const [created] = await eventsOf(rest)
  assert.deepEqual([created?.type, created?.data.continues, created?.sequence], ['meeting.created', series._id, 1])
})

test('a series is updated when this and all following dates are cancelled', async () => {
  const series = await create(alice, weekly())
  const body = { cancel: 'following', occurrence: '2030-01-21T09:00:00.000Z' }
  assert.equal((await alice.send('POST', `/api/meeting/cancel/${series._id}?sendUpdates=none`, body)).status, 200)
  assert.deepEqual((await lastEvent(app, alice, 'meeting.updated')).data.changed, ['repeatOptions'])
})

test('meeting.cancelled: once, however often it is asked for', async () => {
  const meeting = await create(alice)
  for (let times = 0; times < 2; times++) {
    await alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'all' })
  }
  const events = await eventsOf(meeting)
  assert.deepEqual(typesOf(events), ['meeting.created', 'meeting.cancelled'])
  assert.deepEqual(
    events.map(({ data }) => data.__v),
    [0, 1],
  )
})

test('meeting.occurrence.*: one date is changed, changed back, cancelled and restored; idle requests cause no event', async () => {
  const series = await create(alice, weekly())
  const originalStartTime = '2030-01-14T09:00:00.000Z'
  const path = `${pathOf(series)}/occurrences/${originalStartTime}`
  const twice = async (method: string, address: string, body?: object) => {
    for (let times = 0; times < 2; times++) {
      const answer = await alice.send(method, `${address}?sendUpdates=none`, body)
      assert.ok(answer.status === 200 || answer.body.code === 'invalid_request', JSON.stringify(answer.body))
    }
  }
  await twice('PUT', path, { topic: 'Planning', startTime: '2030-01-14T10:00:00Z' })
  await twice('DELETE', path)
  await twice('POST', `/api/meeting/cancel/${series._id}`, { cancel: 'current', occurrence: originalStartTime })
  await twice('POST', `${path}/restore`)
  const [, ...events] = await eventsOf(series)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.originalStartTime, data.changed]),
    [
      ['meeting.occurrence.updated', originalStartTime, ['startTime', 'endTime', 'topic']],
      ['meeting.occurrence.updated', originalStartTime, ['startTime', 'endTime', 'topic']],
      ['meeting.occurrence.cancelled', originalStartTime, undefined],
      ['meeting.occurrence.restored', originalStartTime, undefined],
    ],
  )
})

test('an update of a single event of a series changes one occurrence', async () => {
  const series = await create(alice, weekly())
  const body = weekly({ topic: 'Only this', editOptions: { singleEvent: true } })
  assert.equal((await alice.send('PUT', `${pathOf(series)}?sendUpdates=none`, body)).status, 200)
  const event = await lastEvent(app, alice, 'meeting.occurrence.updated')
  assert.deepEqual([event.data.originalStartTime, event.data.changed], ['2030-01-07T09:00:00.000Z', ['topic']])
})

test('a repeated request with one Idempotency-Key causes one event, and a refused one none', async () => {
  const before = await countTypes(app, alice, 'type=meeting.created&limit=200')
  for (let times = 0; times < 2; times++) {
    await alice.send('POST', '/api/meeting?sendUpdates=none', standUp(), { 'idempotency-key': 'once' })
  }
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ endTime: '2029-01-01T00:00:00Z' }))
  const after = await countTypes(app, alice, 'type=meeting.created&limit=200')
  assert.equal(after['meeting.created'], (before['meeting.created'] ?? 0) + 1)
})

test('a change that is refused after its event was recorded leaves none', async () => {
  const meeting = await create(alice)
  const many = Array.from({ length: 201 }, (_, number) => `guest${number}@elsewhere.example`)
  // On an account's first day 200 emails are allowed; the limit is checked after the meeting was changed.
  const { status } = await alice.send('PUT', pathOf(meeting), standUp({ participants: many }))
  assert.equal(status, 429)
  assert.deepEqual(typesOf(await eventsOf(meeting)), ['meeting.created'])
})

test('the deletion of an account cancels its meetings, or a cohost accepts to host them', async () => {
  for (const [meetings, name] of [
    ['cancel', 'Dora'],
    ['hand_over', 'Erin'],
  ] as const) {
    const [host, cohost] = [await signUp(app, name), await signUp(app, `${name}Cohost`)]
    const confirmed = { emailVerifiedAt: clock.now() }
    await app.database.updateTable('account').set(confirmed).where('email', '=', cohost.email).execute()
    const { body } = await host.send('POST', '/api/meeting', standUp({ cohosts: [cohost.email] }))
    const meeting: { _id: string } = body.meetingDetails
    // Guests who were invited get a cancellation before the account is erased.
    await app.mails()
    await readEvents(app, host)
    const deletion = await host.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings })
    assert.equal(deletion.status, 200, JSON.stringify(deletion.body))
    await app.mails()
    if (meetings === 'hand_over') {
      const accepted = await cohost.send('POST', `/api/meeting/hand-overs/${meeting._id}`, { answer: 'accepted' })
      assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
      const { events } = await readEvents(app, cohost)
      assert.deepEqual(
        events.map(({ type, subject, sequence, data }) => [type, subject, sequence, data.changed]),
        [['meeting.updated', meeting._id, 2, ['userId']]],
      )
    } else {
      // Webhooks deliver it; the account cannot sign in to read it, and its events are erased with it.
      const rows = await app.database.selectFrom('event').select('type').where('subject', '=', meeting._id).execute()
      assert.deepEqual(
        rows.map(({ type }) => type),
        ['meeting.created', 'meeting.cancelled'],
      )
    }
  }
})
