import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { ParticipantInfo, TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { AccessToken } from 'livekit-server-sdk'
import { detailsPath, meetPeople, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { createMediaReports } from '../../../test/rooms/media-reports.ts'
import { startRecordingLivekit } from '../../../test/rooms/recording-livekit.ts'
import {
  as,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  updateRoom,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { deleteOldAdmissions } from '../admission/admission-store.ts'

const livekit = await startRecordingLivekit()
const { asked, key, secret } = livekit

const nine = new Date('2030-01-07T09:00:00Z')
const clock = createClock(nine.toISOString())
const environment = {
  ...livekit.environment,
  RATE_LIMITS: 'off',
  TURN_URLS: 'turn:turn.example.org',
  TURN_SECRET: 'hush',
}
const app = await startApp({ clock, environment, media: 'engine', emails: 'dropped' })
const { alice, bob } = await meetPeople(app)
beforeEach(() => clock.set(nine))
const meet = (advancedOptions: object = {}): Promise<Room> => schedule(alice, standUp({ advancedOptions }))

const { signed, post, report } = createMediaReports(app, livekit, clock)

const sessions = async (room: Room) =>
  (await alice.send('GET', `${detailsPath(room)}/attendance`)).body.sessions as {
    startedOn: string
    endedOn: string | null
    stays: { name: string; joinedOn: string; leftOn: string | null }[]
  }[]
const stays = async (room: Room) =>
  (await sessions(room)).flatMap((session) =>
    session.stays.map(({ name, joinedOn, leftOn }) => [name, joinedOn.slice(11, 19), leftOn?.slice(11, 19)]),
  )
const removed = () => asked.filter(({ method }) => method === 'RemoveParticipant').map(({ body }) => body.identity)
/** Run the queued jobs. */
const finish = () => app.mails()
const runTask = async (task: string) => {
  await app.pool.query('select graphile_worker.add_job($1)', [task])
  await finish()
}
const afterSeconds = (amount: number) => new Date(nine.getTime() + amount * 1000)

test('accepts a report only unmodified and signed by our key', async () => {
  const body = JSON.stringify({ event: 'room_started', room: { name: 'x' } })
  const headers = await signed(body)
  assert.equal((await post(body, headers)).status, 204)
  const forged: [string, Headers][] = [
    [body, {}],
    [body, { ...headers, authorization: '' }],
    [body, { ...headers, authorization: `Bearer ${headers.authorization}` }],
    [body, await signed(body, 'another secret, as long as ours is')],
    [`${body} `, headers],
    [body.replace('room_started', 'participant_left'), headers],
    [body.replace('"x"', '"y"'), headers],
  ]
  const expired = new AccessToken(key, secret, { ttl: -3600 })
  expired.sha256 = hash('sha256', body, 'base64')
  forged.push([body, { ...headers, authorization: await expired.toJwt() }])
  const participant = new AccessToken(key, secret, { identity: 'somebody' })
  participant.addGrant({ room: 'x', roomJoin: true })
  forged.push([body, { ...headers, authorization: await participant.toJwt() }])
  for (const [sent, by] of forged) {
    const answer = await post(sent, { 'content-type': 'application/webhook+json', ...by })
    assert.deepEqual([answer.status, (await answer.json()).code], [401, 'unauthorized'])
  }
  assert.equal((await post('', {}, 'GET')).status, 405)
  const large = JSON.stringify({ event: 'x'.repeat(300_000) })
  assert.equal((await post(large, await signed(large))).status, 413)
  assert.equal((await post(body, { ...headers, 'content-type': 'text/plain' })).status, 415)
})

test('records a participant whose leaving is reported before the joining, and affects no other participant', async () => {
  const room = await meet()
  const { admissionId = '' } = await enter(app, room, as(bob))
  const details = { sid: 'PA_early', joinedAt: nine }
  await report('participant_left', room, admissionId, { ...details, at: afterSeconds(5) })
  await report('participant_joined', room, admissionId, details)
  assert.deepEqual(await stays(room), [['Bob Test', '09:00:00', '09:00:00']])
  const { admissionId: other = '' } = await enter(app, await meet(), as(bob))
  await deleteOldAdmissions(app.database, afterSeconds(26 * 60 * 60))
  const kept = await app.database.selectFrom('admission').select('id').where('id', 'in', [admissionId, other]).execute()
  assert.deepEqual(kept, [{ id: admissionId }])
})

test('keeps nothing about rooms that are not ours', async () => {
  const foreign = { ...(await meet()), _id: '019b0000-0000-7000-8000-000000000001' }
  for (const event of ['participant_joined', 'participant_left']) assert.equal(await report(event, foreign, 'x'), 204)
  const rooms = await app.database.selectFrom('room').select('meetingId').where('meetingId', '=', foreign._id).execute()
  assert.deepEqual(rooms, [])
})

test('records each visit once, for repeated, late and reordered reports', async () => {
  const room = await meet()
  const { admissionId = '' } = await enter(app, room, as(bob))
  const [first, second] = [
    { sid: 'PA_one', joinedAt: nine },
    { sid: 'PA_two', joinedAt: afterSeconds(60) },
  ]
  for (let times = 0; times < 2; times++) {
    assert.equal(await report('participant_joined', room, admissionId, first), 204)
  }
  assert.deepEqual(await stays(room), [['Bob Test', '09:00:00', undefined]])
  clock.set(afterSeconds(90))
  // A second window connects before the first one closes.
  await report('participant_joined', room, admissionId, second)
  for (let times = 0; times < 2; times++) {
    await report('participant_left', room, admissionId, { ...first, at: afterSeconds(61 + times) })
  }
  const watch = await watchRoom(app, room, as(alice))
  assert.equal((await watch.next()).participants.length, 1, 'they are inside by the other')
  await report('participant_left', room, admissionId, { ...second, at: afterSeconds(80) })
  assert.deepEqual((await watch.until(({ participants }) => participants.length === 0)).waiting, [])
  watch.close()
  await report('participant_joined', room, admissionId, second)
  // Left before joined, and a clock that is ahead.
  const third = { sid: 'PA_three', joinedAt: afterSeconds(85) }
  await report('participant_left', room, admissionId, { ...third, at: afterSeconds(1000) })
  await report('participant_joined', room, admissionId, third)
  assert.deepEqual(await stays(room), [
    ['Bob Test', '09:00:00', '09:01:01'],
    ['Bob Test', '09:01:00', '09:01:20'],
    ['Bob Test', '09:01:25', '09:01:30'],
  ])

  // The session ends by itself after the room was empty for a while, at the time of the last leaving.
  await runTask('reconcile-rooms')
  assert.equal((await sessions(room))[0]?.endedOn, null)
  clock.set(afterSeconds(121))
  await runTask('reconcile-rooms')
  const [session] = await sessions(room)
  assert.deepEqual([session?.startedOn.slice(11, 19), session?.endedOn?.slice(11, 19)], ['09:00:00', '09:01:30'])
})

test('removes a person who is not admitted, and once LiveKit is available again if it was not', async () => {
  const room = await meet()
  const other = await meet()
  const { admissionId = '' } = await enter(app, room, as(bob))
  asked.length = 0
  const strangers = ['somebody', '00000000-0000-7000-8000-000000000000', admissionId]
  await report('participant_joined', room, 'somebody')
  await report('participant_joined', room, '00000000-0000-7000-8000-000000000000')
  await report('participant_joined', other, admissionId)
  assert.deepEqual(removed(), strangers)
  await report('participant_joined', { ...room, _id: '00000000-0000-7000-8000-000000000001' }, 'x')
  await report('participant_joined', { ...room, _id: 'lobby' }, 'x')
  await report('participant_joined', room, 'agent', { kind: 4 })
  assert.deepEqual(removed(), strangers, 'what is not ours is left alone')
  assert.deepEqual(await stays(other), [])

  await report('participant_joined', room, admissionId)
  asked.length = 0
  livekit.isAway = true
  const remove = () =>
    sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action: 'remove' }, as(alice))
  await expectOk(remove(), 204)
  const mute = await sendRequest(app, 'POST', roomPath(room, 'mute-all'), undefined, as(alice))
  await expectProblem(mute, 'media_unavailable')
  assert.equal((await enter(app, room, as(bob))).state, 'denied')
  livekit.isAway = false
  livekit.listed = [new ParticipantInfo({ sid: `PA_${admissionId}`, identity: admissionId, state: 2 })]
  await finish()
  assert.deepEqual(removed(), [admissionId])
  await expectProblem(remove(), 'participant_not_found')
  livekit.listed = []
})

test('reconciliation makes up for unreported joins, leaves, rights and rooms', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId = '' } = await enter(app, room, as(bob))
  const permission = { canPublishSources: [TrackSource.CAMERA, TrackSource.MICROPHONE] }
  const person = { identity: admissionId, state: 2, metadata: '{"role":"host"}', permission }
  livekit.listed = [new ParticipantInfo({ ...person, sid: 'PA_unheard', joinedAtMs: BigInt(nine.getTime()) })]
  await app.database.insertInto('room').values({ meetingId: room._id }).execute()
  await app.database.insertInto('roomSession').values({ id: room._id, meetingId: room._id, startedAt: nine }).execute()
  asked.length = 0
  await runTask('reconcile-rooms')
  assert.deepEqual(await stays(room), [['Bob Test', '09:00:00', undefined]])
  const [update] = asked.filter(({ method, body }) => method === 'UpdateParticipant' && body.room === room._id)
  assert.deepEqual(update?.body.permission, {
    canSubscribe: true,
    canPublish: true,
    canPublishData: true,
    canPublishSources: ['CAMERA', 'SCREEN_SHARE'],
  })
  assert.equal(update?.body.metadata, '{"role":"participant","guest":false}')

  livekit.listed = []
  clock.set(afterSeconds(5))
  await runTask('reconcile-rooms')
  assert.deepEqual(await stays(room), [['Bob Test', '09:00:00', undefined]], 'the list may be older than a report')
  clock.set(afterSeconds(60))
  await runTask('reconcile-rooms')
  assert.deepEqual(await stays(room), [['Bob Test', '09:00:00', '09:01:00']])
})

test('a participant who comes with the rights of an older token gets those of now; LiveKit cannot forbid chat', async () => {
  const room = await meet()
  const { admissionId = '' } = await enter(app, room, as(bob))
  const list = await watchRoom(app, room, as(alice))
  const { controllable, breakoutSupported } = await list.next()
  assert.deepEqual([controllable, breakoutSupported], [['microphone', 'camera', 'screen'], false])
  const opening = { rooms: [{ name: 'Room 1', participants: [] }] }
  const opened = sendRequest(app, 'POST', roomPath(room, 'breakout-rooms'), opening, as(alice))
  await expectProblem(opened, 'breakout_rooms_not_supported')
  list.close()
  for (const right of ['chat', 'reactions'] as const)
    await expectProblem(updateRoom(app, room, { allowed: { [right]: false } }, as(alice)), 'right_not_controllable')
  await expectOk(updateRoom(app, room, { allowed: { microphone: false, camera: false, screen: false } }, as(alice)))
  await finish()
  asked.length = 0
  const permission = { canPublish: true, canPublishSources: [TrackSource.MICROPHONE] }
  await report('participant_joined', room, admissionId, { permission })
  const [update] = asked.filter(({ method }) => method === 'UpdateParticipant')
  assert.equal(update?.body.identity, admissionId)
  assert.deepEqual([Object(update?.body.permission).canPublish ?? false], [false])
  const chat = sendRequest(
    app,
    'POST',
    roomPath(room, `participants/${admissionId}`),
    { action: 'forbid_chat' },
    as(alice),
  )
  await expectProblem(chat, 'right_not_controllable')
})

test('a hard-muted participant whose microphone was on at that moment is not removed', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await enterAsGuest(app, room, 'Honest')
  await report('participant_joined', room, admissionId)
  asked.length = 0
  const track = new TrackInfo({ sid: 'TR_2', type: TrackType.AUDIO, source: TrackSource.MICROPHONE })
  await report('track_published', room, admissionId, { track })
  assert.deepEqual(removed(), [])
})

test('removes a hard-muted participant who sends audio', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const guest = await enterAsGuest(app, room, 'Trickster')
  await report('participant_joined', room, guest.admissionId)
  asked.length = 0
  const track = new TrackInfo({ sid: 'TR_1', type: TrackType.AUDIO, source: TrackSource.CAMERA })
  await report('track_published', room, guest.admissionId, { track })
  assert.deepEqual(removed(), [guest.admissionId])
  assert.equal((await enter(app, room, guest.headers)).state, 'denied')
})

test('gives each admitted person their own TURN credentials for a day, with a name that reveals nothing', async () => {
  const room = await meet()
  const [one, another] = [await enter(app, room, as(bob)), await enter(app, room, as(alice))]
  const servers = [one, another].map(({ media }) => media?.iceServers[0])
  const names = servers.map((server) => server?.username ?? '')
  const expiry = Math.floor(nine.getTime() / 1000) + 24 * 60 * 60
  for (const name of names) assert.match(name, new RegExp(`^${expiry}:[0-9a-f]{32}$`))
  assert.notEqual(names[0], names[1])
  for (const server of servers) {
    assert.deepEqual(server?.urls, ['turn:turn.example.org'])
    assert.equal(
      server?.credential,
      createHmac('sha1', 'hush')
        .update(server?.username ?? '')
        .digest('base64'),
    )
  }
})
