import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionStanding, RoomWatch } from '@parley/contract'
import { openStream } from '../../test/event-stream.ts'
import { ask, meetPeople, type Person, schedule, standUp } from '../../test/people.ts'
import { createClock, startApp, type TestApp } from '../../test/start-app.ts'
import type { AdmittedPerson } from './media-access.ts'

const nine = '2030-01-07T09:00:00Z'
const clock = createClock(nine)
const granted: AdmittedPerson[] = []
const media = {
  async grant(person: AdmittedPerson) {
    granted.push(person)
    return { url: 'ws://media.test', token: `for ${person.admissionId}`, iceServers: [] }
  },
}
const app = await startApp({ clock, media, letters: 'dropped' })
const other = await startApp({ clock, media, beside: app })
const { alice, bob, carol, mallory } = await meetPeople(app)

const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
const origin = app.config.baseUrl
type Meeting = { _id: string; svcMeetId: string; pin: string }
const room = ({ svcMeetId }: Meeting, path: string) => `/api/rooms/${svcMeetId}/${path}`

const waitingRoom = (changes: object = {}): Promise<Meeting> =>
  schedule(alice, standUp({ advancedOptions: { waitingRoom: true }, ...changes }))

async function enter(meeting: Meeting, headers: Record<string, string> = {}, body: object = {}, on: TestApp = app) {
  const answer = await ask(on, 'POST', room(meeting, 'enter'), { pin: meeting.pin, ...body }, headers)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Somebody without an account, in a browser of their own. */
async function guestOf(meeting: Meeting, name: string, body: object = {}) {
  const sent = { pin: meeting.pin, name, ...body }
  const { headers, body: told } = await ask(app, 'POST', room(meeting, 'enter'), sent)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return { told, headers: { cookie, origin } }
}

const watch = (meeting: Meeting, admissionId: string, headers: Record<string, string>, on: TestApp = app) =>
  openStream<AdmissionStanding>(on, room(meeting, `admissions/${admissionId}/events`), headers)
const watchRoom = (meeting: Meeting, headers: Record<string, string>, on: TestApp = app) =>
  openStream<RoomWatch>(on, room(meeting, 'waiting'), headers)
const decide = (meeting: Meeting, admissionId: string, decision: string, headers: Record<string, string>, on = app) =>
  ask(on, 'POST', room(meeting, `admissions/${admissionId}`), { decision }, headers)

test('Bob waits on one instance, Alice lets him in on the other, and he is told at once', async () => {
  const meeting = await waitingRoom()
  const waiting = await enter(meeting, as(bob))
  assert.deepEqual([waiting.state, waiting.media, waiting.devices], ['waiting', undefined, undefined])
  const page = await watch(meeting, waiting.admissionId, as(bob))
  assert.deepEqual(await page.next(), { state: 'waiting', role: 'participant', hardMuted: false, unmuteAskedOn: null })
  const list = await watchRoom(meeting, as(alice), other)
  const {
    waiting: [atTheDoor],
  } = await list.next()
  assert.deepEqual(atTheDoor, {
    ...{ admissionId: waiting.admissionId, name: 'Bob Test', email: bob.email, askedOn: '2030-01-07T09:00:00.000Z' },
  })
  assert.deepEqual(granted.splice(0), [])
  assert.equal((await decide(meeting, waiting.admissionId, 'admit', as(alice), other)).status, 200)
  assert.equal((await page.next()).state, 'admitted')
  assert.deepEqual((await list.next()).waiting, [])
  const inside = await enter(meeting, as(bob))
  assert.equal(inside.state, 'admitted')
  assert.deepEqual(inside.media, { url: 'ws://media.test', token: `for ${waiting.admissionId}`, iceServers: [] })
  assert.deepEqual(granted.splice(0), [
    {
      ...{ meetingId: meeting._id, admissionId: waiting.admissionId },
      name: 'Bob Test',
      role: 'participant',
      hardMuted: false,
    },
  ])
  page.close()
  list.close()
})

test('Gwen, a guest with the host’s key, lets Hugo in; Carol, Mallory and Hugo himself cannot', async () => {
  const meeting = await waitingRoom({ participants: [bob.email], cohosts: [carol.email] })
  const [{ roomKey }] = (await alice.ask('GET', `/api/meeting/meetingDetails/${meeting._id}`)).body
  const hugo = await guestOf(meeting, 'Hugo')
  assert.equal(hugo.told.state, 'waiting')
  for (const [headers, status, code] of [
    [as(mallory), 404, 'meeting_not_found'],
    [{}, 404, 'meeting_not_found'],
    [as(bob), 403, 'host_required'],
    [hugo.headers, 403, 'host_required'],
    [{ ...hugo.headers, origin: 'https://evil.example' }, 403, 'cross_origin'],
  ] as const) {
    const refused = await decide(meeting, hugo.told.admissionId, 'admit', headers)
    assert.deepEqual([refused.status, refused.body.code], [status, code])
  }
  const gwen = await guestOf(meeting, 'Gwen', { pin: undefined, hostKey: roomKey })
  assert.deepEqual([gwen.told.state, gwen.told.role], ['admitted', 'host'])
  assert.equal((await decide(meeting, hugo.told.admissionId, 'admit', gwen.headers)).status, 200)
  assert.equal((await enter(meeting, hugo.headers)).state, 'admitted')
  assert.equal((await decide(meeting, hugo.told.admissionId, 'admit', as(carol))).status, 200)
})
