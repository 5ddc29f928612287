import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, requestEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { deleteOldEvents } from './event-store.ts'

const { app, clock, meet } = await useApp({ emails: 'dropped', start: '2030-01-01T08:00:00Z' })

async function create(host: Person, topic: string) {
  const { meetingDetails } = await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic })))
  return meetingDetails
}

const personalToken = (person: Person, ...scopes: string[]) =>
  expectOk(person.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)

const retentionMs = 30 * 24 * 60 * 60 * 1000

const topicsOf = ({ events }: { events: readonly { data: Record<string, unknown> }[] }) =>
  events.map(({ data }) => data.topic)

test('pages lead through the events, oldest first, and the last cursor on to later ones', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  for (const topic of ['One', 'Two', 'Three']) await create(bob, topic)
  const first = await readEvents(app, bob, 'limit=2')
  assert.deepEqual([topicsOf(first), first.moreAvailable], [['One', 'Two'], true])
  const second = await readEvents(app, bob, `limit=2&after=${first.nextCursor}`)
  assert.deepEqual([topicsOf(second), second.moreAvailable], [['Three'], false])
  const third = await readEvents(app, bob, `after=${second.nextCursor}`)
  assert.deepEqual([topicsOf(third), third.moreAvailable], [[], false])
  await create(alice, 'Not of Bob')
  await create(bob, 'Four')
  assert.deepEqual(topicsOf(await readEvents(app, bob, `after=${third.nextCursor}`)), ['Four'])
  const [exact, beyond] = [await readEvents(app, bob, 'limit=4'), await readEvents(app, bob, 'limit=5')]
  assert.deepEqual([exact.moreAvailable, beyond.moreAvailable], [false, false])
})

test('a new account gets a cursor from which it misses nothing', async () => {
  const [mallory] = await meet('Mallory')
  const { events, nextCursor } = await readEvents(app, mallory)
  assert.deepEqual(events, [])
  await create(mallory, 'First')
  assert.deepEqual(topicsOf(await readEvents(app, mallory, `after=${nextCursor}`)), ['First'])
})

test('filters by type and by meeting', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await create(alice, 'Filtered')
  await create(alice, 'Another')
  await alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'all' })
  const cancelled = await readEvents(app, alice, `type=meeting.cancelled,meeting.updated`)
  assert.deepEqual(topicsOf(cancelled), ['Filtered'])
  const ofMeeting = await readEvents(app, alice, `meetingId=${meeting._id}`)
  assert.deepEqual(
    ofMeeting.events.map(({ type, sequence }) => [type, sequence]),
    [
      ['meeting.created', 1],
      ['meeting.cancelled', 2],
    ],
  )
  assert.deepEqual((await readEvents(app, bob, `meetingId=${meeting._id}`)).events, [])
  await expectProblem(
    requestEvents(app, alice, 'type=meeting.*,meeting.created&meetingId=1&after=x&limit=201'),
    'invalid_request',
    ['/limit too_large', '/after bad_format', '/type unknown_type', '/meetingId bad_format'],
  )
})

test('a token reads the types of its scopes, and is refused others that it asks for', async () => {
  const [alice] = await meet('Alice')
  const typesOf = async (reader: { token: string }) => [
    ...new Set((await readEvents(app, reader)).events.map(({ type }) => type.replace(/\..*/, ''))),
  ]
  const planner = await approvedApp(app, alice)
  await create(alice, 'Planned')
  const [reading, managing, creating] = [
    await personalToken(alice, 'meeting:read'),
    await personalToken(alice, 'apps:manage'),
    await personalToken(alice, 'meeting:create'),
  ]
  const withMeetings = await tokensFor(app, planner, alice, { scopes: ['meeting:read'], clock })
  const without = await tokensFor(app, planner, alice, { scopes: ['user:read'], clock })
  const [planning, profiling] = [{ token: withMeetings.access_token }, { token: without.access_token }]
  await app.database
    .insertInto('event')
    .values({
      type: 'app.suspended',
      occurredAt: clock.now(),
      accountId: alice.profile._id,
      subject: planner.appId,
      meetingId: null,
      appId: planner.appId,
      actingGrantId: null,
      data: JSON.stringify({ appId: planner.appId, name: 'Planner' }),
    })
    .execute()
  assert.deepEqual(await typesOf(alice), ['meeting', 'grant', 'app'])
  assert.deepEqual(await typesOf(reading), ['meeting'])
  assert.deepEqual(await typesOf(managing), ['app'])
  assert.deepEqual(await typesOf(creating), [])
  assert.deepEqual(await typesOf(planning), ['meeting', 'grant'])
  assert.deepEqual(await typesOf(profiling), ['grant'])

  for (const [reader, type, code] of [
    [creating, 'meeting.created', 'insufficient_scope'],
    [profiling, 'grant.created,participant.joined', 'insufficient_scope'],
    [reading, 'app.approved', 'insufficient_scope'],
    [reading, 'grant.created', 'session_required'],
    [planning, 'secret.expiring', 'app_token_refused'],
    [planning, 'webhook.gap', 'app_token_refused'],
  ] as const)
    await expectProblem(requestEvents(app, reader, `type=${type}`), code)
  await expectProblem(sendRequest(app, 'GET', '/api/events'), 'unauthorized')
})

test('a cursor from before the oldest event is refused instead of skipping the gap', async () => {
  const [hanna] = await meet('Hanna')
  const { nextCursor: old } = await readEvents(app, hanna)
  await create(hanna, 'Deleted soon')
  const { nextCursor: between } = await readEvents(app, hanna)
  const created = clock.now().getTime()
  await deleteOldEvents(app.database, new Date(created + retentionMs - 1))
  assert.deepEqual(topicsOf(await readEvents(app, hanna, `after=${old}`)), ['Deleted soon'])
  await deleteOldEvents(app.database, new Date(created + retentionMs))
  await expectProblem(requestEvents(app, hanna, `after=${old}`), 'cursor_expired')
  assert.deepEqual((await readEvents(app, hanna)).events, [])
  await create(hanna, 'Later')
  assert.deepEqual(topicsOf(await readEvents(app, hanna, `after=${between}`)), ['Later'])
  const ahead = Buffer.from('position.999999').toString('base64url')
  await expectProblem(requestEvents(app, hanna, `after=${ahead}`), 'cursor_expired')
})

test('the sequence of a meeting goes on when its first events are deleted', async () => {
  const [bob] = await meet('Bob')
  const meeting = await create(bob, 'Long-lived')
  await readEvents(app, bob)
  await deleteOldEvents(app.database, new Date(clock.now().getTime() + retentionMs))
  const path = `/api/meeting/meetingDetails/${meeting._id}?sendUpdates=none`
  await expectOk(bob.send('PUT', path, standUp({ topic: 'Later' })))
  const { events } = await readEvents(app, bob)
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [['meeting.updated', 2]],
  )
})

test('a list of types that ends with a comma is refused in words that say so', async () => {
  const [alice] = await meet('Alice')
  for (const type of ['', 'meeting.created,']) {
    const { errors } = await expectProblem(alice.send('GET', `/api/events?type=${type}`), 'invalid_request')
    assert.equal(errors[0].message, 'type holds an empty name.')
  }
})
