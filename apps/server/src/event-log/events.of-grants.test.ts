import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventReply, scopeNames } from '@parley/contract'
import { readEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { cancelPath, detailsPath, type Person, schedule, sendRequest, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createMediaReports } from '../../test/rooms/media-reports.ts'
import { startRecordingLivekit } from '../../test/rooms/recording-livekit.ts'
import { as, decide, enter, enterAsGuest, roomPath } from '../../test/rooms/rooms.ts'
import { useApp } from '../../test/use-app.ts'

const livekit = await startRecordingLivekit()
const { app, clock, olga, meet } = await useApp({
  start: '2030-01-01T08:00:00Z',
  media: 'engine',
  emails: 'dropped',
  environment: { ...livekit.environment },
})
const scopes = [...scopeNames]
const [assistant, rival] = [
  await approvedApp(app, olga, { name: 'Assistant', scopes }),
  await approvedApp(app, olga, { name: 'Rival', scopes }),
]

/** What an app does with a person's token, as the person would do it with a session. */
async function connect(person: Person, connected = assistant): Promise<Person> {
  const { access_token: token } = await tokensFor(app, connected, person, { scopes, clock })
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...person,
    token,
    send: (method, path, body, more) => sendRequest(app, method, path, body, { ...headers, ...more }),
  }
}

async function grantOf(person: Person, { appId } = assistant): Promise<string> {
  const { grants } = (await person.send('GET', '/api/oauth2/grants')).body
  return grants.find((grant: { app: { _id: string } }) => grant.app._id === appId)._id
}

async function listOf(person: Person, grantId: string, query = 'limit=100') {
  await app.publishEvents()
  const page = await expectOk(person.send('GET', `/api/oauth2/grants/${grantId}/events?${query}`))
  return page as { events: EventReply[]; moreAvailable: boolean; nextCursor: string | null }
}

const send = (person: Person, method: string, path: string, body?: object) => expectOk(person.send(method, path, body))

/** Alice, what the assistant does for her, and its grant. */
async function connectAlice() {
  const [alice] = await meet('Alice')
  return { alice, ofAlice: await connect(alice), grantId: await grantOf(alice) }
}

test('each change that the app makes is listed, the newest first, and nothing that the person did', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  const meeting = await schedule(ofAlice, weekdays())
  const occurrence = (startTime: string) => `${detailsPath(meeting)}/occurrences/${startTime}`
  await send(alice, 'PUT', detailsPath(meeting), weekdays({ topic: 'By Alice' }))
  await send(ofAlice, 'PUT', detailsPath(meeting), weekdays({ topic: 'By the app' }))
  const [second, third] = ['2030-01-08T09:00:00.000Z', '2030-01-09T09:00:00.000Z']
  await send(ofAlice, 'PUT', occurrence(second), { topic: 'Moved' })
  await send(ofAlice, 'DELETE', occurrence(second))
  await send(ofAlice, 'POST', cancelPath(meeting), { cancel: 'current', occurrence: third })
  await send(ofAlice, 'POST', `${occurrence(third)}/restore`)
  await send(ofAlice, 'POST', `${detailsPath(meeting)}/split`, { occurrence: '2030-01-21T09:00:00.000Z' })
  await send(ofAlice, 'POST', cancelPath(meeting), { cancel: 'following', occurrence: '2030-01-17T09:00:00.000Z' })
  await send(ofAlice, 'POST', cancelPath(meeting), { cancel: 'all' })
  const { events, moreAvailable, nextCursor } = await listOf(alice, grantId)
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'meeting.cancelled',
      'meeting.updated',
      'meeting.created',
      'meeting.updated',
      'meeting.occurrence.restored',
      'meeting.occurrence.cancelled',
      'meeting.occurrence.updated',
      'meeting.occurrence.updated',
      'meeting.updated',
      'meeting.created',
    ],
  )
  assert.deepEqual([moreAvailable, nextCursor], [false, null])
  assert.ok(events.every((event) => event.actingGrantId === grantId))
  const all = (await readEvents(app, alice, 'limit=200&type=meeting.updated')).events
  assert.deepEqual(all[0]?.data.topic, 'By Alice')
  assert.equal(all[0]?.actingGrantId, null)
})

test('pages follow each other without a gap, also when something is added meanwhile', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  for (let scheduled = 0; scheduled < 9; scheduled++) await schedule(ofAlice)
  const first = await listOf(alice, grantId, 'limit=4')
  assert.deepEqual([first.events.length, first.moreAvailable], [4, true])
  await schedule(ofAlice)
  const second = await listOf(alice, grantId, `limit=4&after=${first.nextCursor}`)
  const [, ...whole] = (await listOf(alice, grantId)).events
  assert.deepEqual([...first.events, ...second.events], whole.slice(0, 8))
  const bogus = alice.send('GET', `/api/oauth2/grants/${grantId}/events?after=bogus`)
  await expectProblem(bogus, 'invalid_request', ['/after bad_format'])
})

test('an answer to the meeting of another host is listed; the host does not learn which app gave it', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  const [bob] = await meet('Bob')
  const invited = standUp({ participants: [alice.email] })
  const meeting = await schedule(bob, invited)
  const series = await schedule(bob, weekdays({ participants: [alice.email] }))
  await send(ofAlice, 'POST', `${detailsPath(meeting)}/response`, { response: 'accepted' })
  const single = { response: 'declined', occurrence: '2030-01-08T09:00:00.000Z' }
  await send(ofAlice, 'POST', `${detailsPath(series)}/response`, single)
  const [newest, before] = (await listOf(alice, grantId)).events
  assert.deepEqual(
    [newest?.type, newest?.data.response, newest?.data.originalStartTime, newest?.data.userId],
    ['participant.responded', 'declined', single.occurrence, bob.profile._id],
  )
  assert.deepEqual([before?.type, before?.data.response], ['participant.responded', 'accepted'])
  const { events } = await readEvents(app, bob, 'type=participant.responded')
  assert.deepEqual(
    events.map((event) => event.actingGrantId),
    [null, null],
  )
})

test('what the app does in rooms is listed: it lets people in, sends them out and ends the meeting', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  const meeting = await schedule(
    alice,
    standUp({
      startTime: '2030-01-01T08:00:00Z',
      endTime: '2030-01-01T09:00:00Z',
      advancedOptions: { waitingRoom: true },
    }),
  )
  const { report } = createMediaReports(app, livekit, clock)
  const { admissionId: host = '' } = await enter(app, meeting, as(ofAlice))
  await report('participant_joined', meeting, host)
  const guest = await enterAsGuest(app, meeting, 'Gita')
  await decide(app, meeting, guest.admissionId, 'admit', as(ofAlice))
  const byApp = (action: string, body?: object) => expectOk(ofAlice.send('POST', roomPath(meeting, action), body), 204)
  await byApp(`participants/${guest.admissionId}`, { action: 'remove' })
  await byApp('admit-all')
  await byApp('end')
  const { events } = await listOf(alice, grantId, 'limit=4')
  assert.deepEqual(
    events.map(({ type, data }) => [type, Object(data.participant).name]),
    [
      ['meeting.ended', undefined],
      ['participant.denied', 'Gita'],
      ['participant.admitted', 'Gita'],
      ['participant.admitted', 'Alice Test'],
    ],
  )
})

test('an app learns of its own changes only: of another app’s it reads no grant', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  const ofRival = await connect(alice, rival)
  await schedule(ofAlice)
  const acting = async (reader: Person) => {
    const { events } = await readEvents(app, reader, 'limit=200&type=meeting.created')
    return events.at(-1)?.actingGrantId
  }
  assert.deepEqual([await acting(ofAlice), await acting(ofRival), await acting(alice)], [grantId, null, grantId])
})

test('the list is for the person alone, signed in, and stays when the app is disconnected', async () => {
  const { alice, ofAlice, grantId } = await connectAlice()
  const [mallory] = await meet('Mallory')
  const path = `/api/oauth2/grants/${grantId}/events`
  for (const foreign of [path, '/api/oauth2/grants/bogus/events'])
    await expectProblem(mallory.send('GET', foreign), 'grant_not_found')
  await expectProblem(ofAlice.send('GET', path), 'session_required')
  await schedule(ofAlice)
  const before = (await listOf(alice, grantId)).events
  assert.equal(before.length, 1)
  await send(alice, 'DELETE', `/api/oauth2/grants/${grantId}`)
  assert.deepEqual((await listOf(alice, grantId)).events, before)
  await connect(mallory)
  assert.deepEqual((await listOf(mallory, await grantOf(mallory))).events, [])
})
