import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DisconnectReason,
  LeaveRequest,
  MuteTrackRequest,
  type ParticipantInfo,
  TrackSource,
  TrackType,
} from '@livekit/protocol'
import type { RoomMedia } from '@parley/contract'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { RawClient } from '../media/raw-client.ts'
import { permit } from '../oauth/apps.ts'
import { cancelPath, detailsPath, meetPeople, schedule, sendRequest, signUp, standUp, weekdays } from '../people.ts'
import type { SettableClock, TestApp } from '../start-app.ts'
import {
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  verdictOf,
  watchAdmission,
  watchRoom,
} from './rooms.ts'

export type Stage = {
  app: TestApp
  clock: SettableClock
  /** The address for WebSocket connections. */
  socketBase: string
}

/** Long enough for an engine on a busy machine; longer waits fail the test. */
const patienceMs = 15_000

/**
 * Host actions hold against hostile clients: clients that keep their tokens and sockets, publish without permission,
 * and try every way back. The same tests run against every engine.
 */
export async function defineControlStories({ app, clock, socketBase }: Stage) {
  const { engine } = app
  assert.ok(engine)
  const { olga, alice, bob, carol } = await meetPeople(app)
  const meet = (advancedOptions: object = {}, changes: object = {}): Promise<Room> =>
    schedule(alice, standUp({ advancedOptions, ...changes }))

  const clients: RawClient[] = []
  after(() => Promise.all(clients.map((client) => client.close().catch(() => {}))))

  const open = (token: string, sid?: string) => {
    const client = RawClient.join(socketBase, token, sid)
    clients.push(client)
    return client
  }

  const connect = async ({ token }: RoomMedia) => {
    const client = open(token)
    const { participant } = await client.connect()
    return { client, sid: participant?.sid ?? '', token, newest: () => newestToken(client) ?? token }
  }

  /** Enter and connect; resolves once the service reports the person as inside. */
  async function comeIn(room: Room, headers: Headers, body: object = {}) {
    const reply = await enter(app, room, headers, body)
    assert.equal(reply.state, 'admitted')
    assert.ok(reply.media && reply.admissionId)
    const connection = await connect(reply.media)
    await untilInside(reply.admissionId)
    return { ...connection, admissionId: reply.admissionId }
  }

  const untilInside = (admissionId: string) =>
    until(async () => {
      const row = await app.database
        .selectFrom('admission')
        .select(['enteredAt', 'leftAt'])
        .where('id', '=', admissionId)
        .executeTakeFirstOrThrow()
      return row.enteredAt !== null && row.leftAt === null
    })

  const service = async () => {
    const { apiKey } = engine
    return new RoomServiceClient(await engine.apiAddress(), apiKey, engine.apiSecret, { failover: false })
  }
  const inside = async ({ _id }: Room): Promise<ParticipantInfo[]> => (await service()).listParticipants(_id)
  const names = async (room: Room) => (await inside(room)).map(({ identity }) => identity)
  const control = (room: Room, admissionId: string, action: string, by: Headers = as(alice)) =>
    sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action }, by)
  const host = (room: Room, hostAction: string, by: Headers = as(alice)) =>
    sendRequest(app, 'POST', roomPath(room, hostAction), undefined, by)

  /** Connect with each token and each way of resuming, and wait until every socket is closed and the person is not inside. */
  async function staysOutside(room: Room, admissionId: string, tokens: readonly string[], sid?: string) {
    for (const token of new Set(tokens)) {
      for (const resumed of new Set([undefined, sid])) {
        const client = open(token, resumed)
        // An engine that reports first admits the client for a moment: the client uses all its permissions in it.
        client.connect().catch(() => {})
        await until(() => client.socket.readyState === client.socket.CLOSED)
      }
    }
    await until(async () => !(await names(room)).includes(admissionId))
  }

  test('a muted participant sends no audio, raw packets included, and may unmute', async () => {
    const room = await meet()
    const alices = await comeIn(room, as(alice))
    const bobs = await comeIn(room, as(bob))
    const track = await speak(bobs.client, TrackSource.MICROPHONE)
    assert.ok(track)
    assert.equal(verdictOf(await control(room, bobs.admissionId, 'mute')), '200')
    assert.equal((await bobs.client.take('mute')).muted, true)
    const muted = async () =>
      (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.tracks[0]?.muted
    assert.equal(await muted(), true)
    bobs.client.send({ case: 'mute', value: new MuteTrackRequest({ sid: track.sid, muted: false }) })
    await until(async () => (await muted()) === false)
    assert.equal(verdictOf(await host(room, 'mute-all')), '200')
    assert.equal(await muted(), true)
    assert.ok((await names(room)).includes(alices.admissionId))
  })

  test('mute-all leaves hosts their microphones', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const people = [await comeIn(room, as(alice)), await comeIn(room, as(carol)), await comeIn(room, as(bob))]
    for (const { client } of people) assert.ok(await speak(client, TrackSource.MICROPHONE))
    assert.equal(verdictOf(await host(room, 'mute-all', as(carol))), '200')
    const muted = new Map((await inside(room)).map(({ identity, tracks }) => [identity, tracks[0]?.muted]))
    assert.deepEqual(
      people.map(({ admissionId }) => muted.get(admissionId)),
      [false, false, true],
    )
  })

  test('a hard-muted participant sends no audio under any source until a host allows it', async () => {
    const room = await meet({ participantHardAudioMute: true })
    const alices = await comeIn(room, as(alice))
    assert.ok(await speak(alices.client, TrackSource.MICROPHONE), 'the host speaks')
    const bobs = await comeIn(room, as(bob))
    assert.equal(await speak(bobs.client, TrackSource.MICROPHONE), undefined)
    assert.equal(await speak(bobs.client, TrackSource.SCREEN_SHARE_AUDIO), undefined)
    const receivedAudio = async () =>
      (await inside(room))
        .filter(({ identity }) => identity === bobs.admissionId)
        .flatMap(({ tracks }) => tracks.filter(({ type }) => type === TrackType.AUDIO))
    assert.deepEqual(await receivedAudio(), [])
    assert.ok(await show(bobs.client), 'a picture is allowed')

    const page = await watchAdmission(app, room, bobs.admissionId, as(bob))
    assert.equal((await page.next()).hardMuted, true)
    assert.equal(verdictOf(await control(room, bobs.admissionId, 'lift_hard_mute')), '200')
    assert.equal((await page.until(({ hardMuted }) => !hardMuted)).state, 'admitted')
    page.close()
    await until(async () => {
      const bob = (await inside(room)).find(({ identity }) => identity === bobs.admissionId)
      return bob?.permission?.canPublishSources.includes(TrackSource.MICROPHONE) === true
    })
    assert.ok(await speak(bobs.client, TrackSource.MICROPHONE), 'now they are heard')
  })

  test('a hard-muted participant who sends audio as video is disconnected', async () => {
    const room = await meet({ participantHardAudioMute: true })
    for (const source of [TrackSource.CAMERA, TrackSource.SCREEN_SHARE, TrackSource.UNKNOWN]) {
      const guest = await enterAsGuest(app, room, 'Trickster')
      assert.ok(guest.reply.media)
      const { client } = await connect(guest.reply.media)
      await untilInside(guest.admissionId)
      const track = await speak(client, source)
      if (track?.type === TrackType.AUDIO) await until(async () => !(await names(room)).includes(guest.admissionId))
      const audio = (await inside(room)).flatMap(({ tracks }) => tracks.filter(({ type }) => type === TrackType.AUDIO))
      assert.deepEqual(audio, [], TrackSource[source])
    }
  })

  test('a removed participant stays out: with the kept token, a renewed one, a resumed socket, or a new request to enter', async () => {
    const room = await meet()
    const bobs = await comeIn(room, as(bob))
    const spare = await enter(app, room, as(bob))
    assert.ok(spare.media)
    assert.equal(verdictOf(await control(room, bobs.admissionId, 'remove')), '200')
    await until(() => bobs.client.socket.readyState === bobs.client.socket.CLOSED)
    const tokens = [bobs.token, bobs.newest(), spare.media.token]
    await staysOutside(room, bobs.admissionId, tokens, bobs.sid)
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.media], ['denied', undefined])

    assert.equal(verdictOf(await decide(app, room, bobs.admissionId, 'admit', as(alice))), '200')
    await comeIn(room, as(bob))
  })

  test('a waiting person gets no token; the token of a person who was admitted and then denied does not connect', async () => {
    const room = await meet({ waitingRoom: true })
    const waiting = await enter(app, room, as(bob))
    assert.deepEqual([waiting.state, waiting.media], ['waiting', undefined])
    await decide(app, room, waiting.admissionId, 'admit', as(alice))
    const { media, admissionId = '' } = await enter(app, room, as(bob))
    assert.ok(media)
    assert.equal(verdictOf(await control(room, admissionId, 'remove')), '200')
    await staysOutside(room, admissionId, [media.token])
  })

  test('with approval of new guests, a removed guest enters neither again nor with an earlier token', async () => {
    const room = await meet()
    const comeInAsGuest = async (name: string) => {
      const guest = await enterAsGuest(app, room, name)
      assert.ok(guest.reply.media)
      const connection = await connect(guest.reply.media)
      await untilInside(guest.admissionId)
      return { ...guest, ...connection }
    }
    const [mia, ina] = [await comeInAsGuest('Mia'), await comeInAsGuest('Ina')]
    clock.advance(1)
    const spare = await enterAsGuest(app, room, 'Spare')
    assert.ok(spare.reply.media)
    clock.advance(1)
    assert.equal(verdictOf(await control(room, mia.admissionId, 'remove')), '200')
    assert.equal(verdictOf(await host(room, 'ask-new-guests')), '200')
    await staysOutside(room, mia.admissionId, [mia.token])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    const back = await enterAsGuest(app, room, 'Mia again')
    assert.deepEqual([back.reply.state, back.reply.media], ['waiting', undefined])
    assert.ok((await names(room)).includes(ina.admissionId), 'the others stay')

    clock.advance(1)
    assert.equal(verdictOf(await decide(app, room, back.admissionId, 'admit', as(alice))), '200')
    await comeIn(room, back.headers)
    assert.equal(verdictOf(await host(room, 'stop-asking-new-guests')), '200')
    await comeInAsGuest('Nina')
  })

  test('a locked room refuses people who have a token already, and accepts people who were inside', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const bobs = await comeIn(room, as(bob))
    const late = await enterAsGuest(app, room, 'Late')
    assert.ok(late.reply.media)
    assert.equal(verdictOf(await host(room, 'lock')), '200')
    await staysOutside(room, late.admissionId, [late.reply.media.token])
    for (const person of [alice, carol]) assert.equal((await enter(app, room, as(person))).state, 'locked')

    await leave(bobs.client)
    await until(async () => !(await names(room)).includes(bobs.admissionId))
    await comeIn(room, as(bob))
    assert.equal(verdictOf(await host(room, 'unlock')), '200')
    await connect(late.reply.media)
    await untilInside(late.admissionId)
  })

  test('when the host ends the meeting, all are disconnected and no token connects; the next date opens again', async () => {
    const room: Room = await schedule(alice, weekdays())
    const bobs = await comeIn(room, as(bob))
    const alices = await comeIn(room, as(alice))
    const spare = await enterAsGuest(app, room, 'Guest')
    assert.ok(spare.reply.media)
    clock.advance(1_000)
    assert.equal(verdictOf(await host(room, 'end', as(bob))), '403 host_required')
    assert.equal(verdictOf(await host(room, 'end')), '200')
    for (const { client } of [bobs, alices]) await until(() => client.socket.readyState === client.socket.CLOSED)
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
    await staysOutside(room, alices.admissionId, [alices.newest()])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    assert.equal((await enter(app, room, as(bob))).state, 'ended')
    const at = clock.now()
    clock.set('2030-01-08T08:50:00Z')
    await comeIn(room, as(bob))
    clock.set(at)
  })

  test('participants are disconnected when the meeting, or the current date, is cancelled', async () => {
    const whole = await meet()
    const inWhole = await comeIn(whole, as(bob))
    await alice.send('POST', cancelPath(whole), { cancel: 'all' })
    await app.mails()
    await staysOutside(whole, inWhole.admissionId, [inWhole.token, inWhole.newest()], inWhole.sid)

    const series: Room = await schedule(alice, weekdays())
    const people = [await comeIn(series, as(bob)), await comeIn(series, as(alice))]
    const answer = await alice.send('POST', cancelPath(series), {
      cancel: 'current',
      occurrence: '2030-01-07T09:00:00Z',
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await app.mails()
    for (const { admissionId, token, newest, sid } of people) {
      await staysOutside(series, admissionId, [token, newest()], sid)
    }
    assert.equal((await enter(app, series, as(bob))).state, 'too_early')
  })

  test('people whose account is disabled or whose invitation is withdrawn are disconnected', async () => {
    const erik = await signUp(app, 'Erik')
    const room = await meet({ isRestrictedMeeting: true }, { participants: [bob.email, erik.email] })
    const [eriks, bobs] = [await comeIn(room, as(erik)), await comeIn(room, as(bob))]
    await permit(olga, erik, { disabled: true })
    await app.mails()
    await staysOutside(room, eriks.admissionId, [eriks.token, eriks.newest()], eriks.sid)
    assert.ok((await names(room)).includes(bobs.admissionId))
    const changes = { advancedOptions: { isRestrictedMeeting: true }, participants: [] }
    assert.equal((await alice.send('PUT', detailsPath(room), standUp(changes))).status, 200)
    await app.mails()
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
  })
  test('a cohost cannot act on the host, and no one can remove the meeting’s host', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const alices = await comeIn(room, as(alice))
    const bobs = await comeIn(room, as(bob))
    assert.equal(verdictOf(await control(room, alices.admissionId, 'mute', as(carol))), '403 forbidden')
    assert.equal(verdictOf(await control(room, alices.admissionId, 'remove', as(carol))), '403 forbidden')
    assert.equal(verdictOf(await control(room, bobs.admissionId, 'mute', as(bob))), '403 host_required')
    const { roomKey } = (await alice.send('GET', detailsPath(room))).body[0]
    const key = await enterAsGuest(app, room, 'With the key', { hostKey: roomKey })
    assert.equal(verdictOf(await control(room, alices.admissionId, 'remove', key.headers)), '403 forbidden')
    assert.equal(verdictOf(await control(room, 'nobody', 'mute')), '404 participant_not_found')

    assert.equal(verdictOf(await control(room, bobs.admissionId, 'make_cohost')), '200')
    assert.equal(verdictOf(await control(room, bobs.admissionId, 'mute', as(bob))), '200')
    assert.equal((await enter(app, room, as(bob))).role, 'cohost')
    await until(async () => {
      const metadata = (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.metadata
      return metadata === '{"role":"cohost"}'
    })
    const list = await watchRoom(app, room, as(bob))
    const { participants } = await list.next()
    list.close()
    assert.deepEqual(participants.map(({ name, role }) => `${name} ${role}`).toSorted(), [
      'Alice Test host',
      'Bob Test cohost',
    ])
  })

  test('a token is for one room, one person and two minutes, without administration, and cannot be forged', async () => {
    const [room, other] = [await meet(), await meet()]
    const { media, admissionId = '' } = await enter(app, room, as(bob))
    assert.ok(media)
    const [header = '', payload = '', signature = ''] = media.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    assert.ok(claims.exp - claims.nbf <= 120)
    assert.deepEqual(
      [claims.sub, claims.video.room, claims.video.roomAdmin, claims.video.roomCreate, claims.video.roomList],
      [admissionId, room._id, undefined, undefined, undefined],
    )
    const altered = (changes: object) => {
      const text = JSON.stringify({ ...claims, ...changes })
      return `${header}.${Buffer.from(text).toString('base64url')}.${signature}`
    }
    const { apiKey, apiSecret } = engine
    const expired = new AccessToken(apiKey, apiSecret, { identity: admissionId, ttl: -180 })
    expired.addGrant({ room: room._id, roomJoin: true })
    const foreign = new AccessToken(apiKey, 'another secret, as long as it should be', { identity: admissionId })
    foreign.addGrant({ room: room._id, roomJoin: true })
    const useless = [
      altered({ video: { ...claims.video, room: other._id } }),
      altered({ sub: alice.profile._id }),
      await expired.toJwt(),
      await foreign.toJwt(),
      '',
      'nonsense',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    ]
    for (const token of useless) {
      const client = open(token)
      await until(() => client.socket.readyState === client.socket.CLOSED)
      assert.deepEqual(client.received, [])
    }
    const own = new RoomServiceClient(await engine.apiAddress(), undefined, undefined, {
      failover: false,
      token: media.token,
    } as never)
    for (const call of [
      () => own.listRooms(),
      () => own.listParticipants(room._id),
      () => own.removeParticipant(room._id, admissionId),
      () => own.deleteRoom(room._id),
    ]) {
      await assert.rejects(call, ({ status }: { status?: number }) => status === 401 || status === 403)
    }
  })

  test('the attendance is listed for the host alone, also as a file', async () => {
    const room = await meet()
    const bobs = await comeIn(room, as(bob))
    const guest = await enterAsGuest(app, room, '=1+1')
    assert.ok(guest.reply.media)
    const { client } = await connect(guest.reply.media)
    await untilInside(guest.admissionId)
    await leave(client)
    const path = `${detailsPath(room)}/attendance`
    const stays = async () => (await alice.send('GET', path)).body.sessions[0]?.stays ?? []
    await until(async () => (await stays())[1]?.leftOn !== null)
    assert.equal(verdictOf(await bob.send('GET', path)), '403 host_required')
    assert.equal(verdictOf(await carol.send('GET', path)), '404 meeting_not_found')
    assert.deepEqual(
      (await stays()).map(({ name, email, role }: Record<string, string>) => [name, email, role]),
      [
        ['Bob Test', bob.email, 'participant'],
        ['=1+1', null, 'participant'],
      ],
    )
    await leave(bobs.client)
    await until(async () => (await stays())[0].leftOn !== null)
    assert.equal(verdictOf(await host(room, 'end')), '200')
    const [session, ...more] = (await alice.send('GET', path)).body.sessions
    assert.deepEqual(more, [])
    assert.ok(session.endedOn >= session.startedOn)
    const file = await fetch(`${app.base}${path}/export`, { headers: as(alice) })
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="attendance-.*\.csv"$/)
    const lines = (await file.text()).trim().split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[2] ?? '', /,"'=1\+1","","participant",/)
  })
}

/** Publish audio under the given source, send a packet of it, and acknowledge the track once the engine accepted it. */
const speak = (client: RawClient, source: TrackSource) => publish(client, 'audio', source)
const show = (client: RawClient) => publish(client, 'video', TrackSource.CAMERA)

let published = 0

/** Send as many packets as an engine needs to recognise a track. */
const words = Array.from({ length: 20 }, () => 'hello')

async function publish(client: RawClient, kind: 'audio' | 'video', source: TrackSource) {
  const cid = `track-${++published}`
  const before = client.received.length
  const answer = () =>
    client.received.slice(before).find(({ case: kind }) => kind === 'trackPublished' || kind === 'requestResponse')
  client.announce(kind, cid, source)
  await until(() => answer() !== undefined)
  const answered = answer()
  // A refused client sends the packets anyway.
  const ssrc = await client.offerTrack(kind, cid).catch(() => undefined)
  if (ssrc !== undefined && kind === 'audio') await client.speak(ssrc, words).catch(() => {})
  return answered?.case === 'trackPublished' ? answered.value.track : undefined
}

/** Leave as a closing page does. */
async function leave(client: RawClient) {
  client.send({ case: 'leave', value: new LeaveRequest({ reason: DisconnectReason.CLIENT_INITIATED }) })
  await client.close()
}

const newestToken = ({ received }: RawClient): string | undefined =>
  received.flatMap((message) => (message.case === 'refreshToken' ? [message.value] : [])).at(-1)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(patienceMs)
  while (!(await isSo())) {
    if (limit.aborted) throw new Error(`It has not come to this: ${isSo}`)
    await sleep(20)
  }
}
