import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, requestEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, type Person, sendRequest, standUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { deleteOldEvents } from './event-store.ts'

const clock = createClock('2030-01-01T08:00:00Z')
const app = await startApp({ emails: 'dropped', clock })
const { olga, alice, bob, mallory } = await meetPeople(app)
await permit(olga, alice, { oauthEnabled: true })
const planner = await approvedApp(app, alice)

async function create(host: Person, topic: string) {
  const { status, body } = await host.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic }))
  assert.equal(status, 200, JSON.stringify(body))
  return body.meetingDetails
}

async function personalToken(person: Person, ...scopes: string[]) {
  const { status, body } = await person.send('POST', '/api/auth/tokens', { name: 'Script', scopes })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const retentionMs = 30 * 24 * 60 * 60 * 1000

const topicsOf = ({ events }: { events: readonly { data: Record<string, unknown> }[] }) =>
  events.map(({ data }) => data.topic)

test('pages lead through the events, oldest first, and the last cursor on to later ones', async () => {
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
  const { events, nextCursor } = await readEvents(app, mallory)
  assert.deepEqual(events, [])
  await create(mallory, 'First')
  assert.deepEqual(topicsOf(await readEvents(app, mallory, `after=${nextCursor}`)), ['First'])
})

test('filters by type and by meeting', async () => {
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
  const refused = await requestEvents(app, alice, 'type=meeting.*,meeting.created&meetingId=1&after=x&limit=201')
  assert.deepEqual(
    refused.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/limit', 'too_large'],
      ['/after', 'bad_format'],
      ['/type', 'unknown_type'],
      ['/meetingId', 'bad_format'],
    ],
  )
})

test('a token reads the types of its scopes, and is refused others that it asks for', async () => {
  const typesOf = async (reader: { token: string }) => [
    ...new Set((await readEvents(app, reader)).events.map(({ type }) => type.replace(/\..*/, ''))),
  ]
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

  const refusal = async (reader: { token: string }, type: string) =>
    (await requestEvents(app, reader, `type=${type}`)).body.code
  assert.equal(await refusal(creating, 'meeting.created'), 'insufficient_scope')
  assert.equal(await refusal(profiling, 'grant.created,participant.joined'), 'insufficient_scope')
  assert.equal(await refusal(reading, 'app.approved'), 'insufficient_scope')
  assert.equal(await refusal(reading, 'grant.created'), 'session_required')
  assert.equal(await refusal(planning, 'secret.expiring'), 'app_token_refused')
  assert.equal(await refusal(planning, 'webhook.gap'), 'app_token_refused')
  assert.equal((await sendRequest(app, 'GET', '/api/events')).status, 401)
})

test('a cursor from before the oldest event is refused instead of skipping the gap', async () => {
  const { nextCursor: old } = await readEvents(app, olga)
  await create(olga, 'Deleted soon')
  const { nextCursor: between } = await readEvents(app, olga)
  const created = clock.now().getTime()
  await deleteOldEvents(app.database, new Date(created + retentionMs - 1))
  assert.deepEqual(topicsOf(await readEvents(app, olga, `after=${old}`)), ['Deleted soon'])
  await deleteOldEvents(app.database, new Date(created + retentionMs))
  const { status, body } = await requestEvents(app, olga, `after=${old}`)
  assert.deepEqual([status, body.code], [410, 'cursor_expired'])
  assert.deepEqual((await readEvents(app, olga)).events, [])
  await create(olga, 'Later')
  assert.deepEqual(topicsOf(await readEvents(app, olga, `after=${between}`)), ['Later'])
  const ahead = Buffer.from('position.999999').toString('base64url')
  assert.equal((await requestEvents(app, olga, `after=${ahead}`)).body.code, 'cursor_expired')
})

test('the sequence of a meeting goes on when its first events are deleted', async () => {
  const meeting = await create(bob, 'Long-lived')
  await readEvents(app, bob)
  await deleteOldEvents(app.database, new Date(clock.now().getTime() + retentionMs))
  const update = standUp({ topic: 'Later' })
  const path = `/api/meeting/meetingDetails/${meeting._id}?sendUpdates=none`
  const answer = await bob.send('PUT', path, update)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { events } = await readEvents(app, bob)
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [['meeting.updated', 2]],
  )
})

test('a list of types that ends with a comma is refused in words that say so', async () => {
  for (const type of ['', 'meeting.created,']) {
    const { status, body } = await alice.send('GET', `/api/events?type=${type}`)
    assert.deepEqual([status, body.errors[0].message], [400, 'type holds an empty name.'])
  }
})
