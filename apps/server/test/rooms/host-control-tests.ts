import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MuteTrackRequest, TrackSource, TrackType } from '@livekit/protocol'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { queueEndCall } from '../../src/meetings/reconcile-room-job.ts'
import { permit } from '../oauth/apps.ts'
import { cancelPath, detailsPath, schedule, signUp, standUp, weekdays } from '../people.ts'
import { expectOk, expectProblem } from '../replies.ts'
import { type EngineTestApp, leave, setUpEngineMeetings, show, speak, until } from './engine-meetings.ts'
import { as, decide, enter, enterAsGuest, type Room, updateRoom, watchAdmission, watchRoom } from './rooms.ts'

/**
 * Host actions hold against hostile clients: clients that keep their tokens and sockets, publish without permission,
 * and try every way back. The same tests run against every engine.
 */
export async function defineHostControlTests(testApp: EngineTestApp) {
  const meetings = await setUpEngineMeetings(testApp)
  const { app, clock, olga, alice, bob, carol, meet, open, connect, enterAndConnect } = meetings
  const { engine, untilInside, inside, names, control, host, staysOutside } = meetings

  // Clients that a host has muted send no audio, whatever they publish.

  test('a muted participant sends no audio, raw packets included, and may unmute', async () => {
    const room = await meet()
    const alices = await enterAndConnect(room, as(alice))
    const bobs = await enterAndConnect(room, as(bob))
    const track = await speak(bobs.client, TrackSource.MICROPHONE)
    assert.ok(track)
    await expectOk(control(room, bobs.admissionId, 'mute'), 204)
    assert.equal((await bobs.client.take('mute')).muted, true)
    const muted = async () =>
      (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.tracks[0]?.muted
    assert.equal(await muted(), true)
    bobs.client.send({ case: 'mute', value: new MuteTrackRequest({ sid: track.sid, muted: false }) })
    await until(async () => (await muted()) === false)
    await expectOk(host(room, 'mute-all'), 204)
    assert.equal(await muted(), true)
    assert.ok((await names(room)).includes(alices.admissionId))
  })

  test('mute-all leaves hosts their microphones', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const people = [
      await enterAndConnect(room, as(alice)),
      await enterAndConnect(room, as(carol)),
      await enterAndConnect(room, as(bob)),
    ]
    for (const { client } of people) assert.ok(await speak(client, TrackSource.MICROPHONE))
    await expectOk(host(room, 'mute-all', as(carol)), 204)
    const muted = new Map((await inside(room)).map(({ identity, tracks }) => [identity, tracks[0]?.muted]))
    assert.deepEqual(
      people.map(({ admissionId }) => muted.get(admissionId)),
      [false, false, true],
    )
  })

  test('a hard-muted participant sends no audio under any source until a host allows it', async () => {
    const room = await meet({ participantHardAudioMute: true })
    const alices = await enterAndConnect(room, as(alice))
    assert.ok(await speak(alices.client, TrackSource.MICROPHONE), 'the host speaks')
    const bobs = await enterAndConnect(room, as(bob))
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
    await expectOk(control(room, bobs.admissionId, 'lift_hard_mute'), 204)
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

  test('what a host forbids during the call holds for a raw client at once, also with a token from before', async () => {
    const room = await meet()
    const bobs = await enterAndConnect(room, as(bob))
    const spare = await enter(app, room, as(bob))
    assert.ok(spare.media)
    assert.ok(await speak(bobs.client, TrackSource.MICROPHONE))
    assert.ok(await show(bobs.client))
    const tracks = async () =>
      (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.tracks.map(({ source }) => source)
    await until(async () => (await tracks())?.length === 2)

    await expectOk(updateRoom(app, room, { allowed: { microphone: false } }, as(alice)))
    assert.deepEqual(await tracks(), [TrackSource.CAMERA])
    assert.equal(await speak(bobs.client, TrackSource.MICROPHONE), undefined)
    await expectOk(control(room, bobs.admissionId, 'forbid_camera'), 204)
    assert.deepEqual(await tracks(), [])
    assert.equal(await show(bobs.client), undefined)
    await expectOk(control(room, bobs.admissionId, 'forbid_screen'), 204)
    const ofBob = async () => (await inside(room)).find(({ identity }) => identity === bobs.admissionId)
    assert.deepEqual([(await ofBob())?.permission?.canPublish, (await names(room)).length], [false, 1])

    // A token from before carries the rights of then, until the service hears of the connection.
    for (const token of [spare.media.token, bobs.newest()]) {
      const { client } = await connect({ ...spare.media, token })
      await until(async () => (await ofBob())?.permission?.canPublish === false)
      assert.equal(await speak(client, TrackSource.MICROPHONE), undefined)
      assert.equal(await show(client), undefined)
    }
    const { client } = await enterAndConnect(room, as(bob))
    assert.equal(await show(client), undefined)
    await expectOk(updateRoom(app, room, { allowed: { camera: true, microphone: true } }, as(alice)))
    assert.ok(await show(client))
    assert.ok(await speak(client, TrackSource.MICROPHONE))
  })

  // People who were removed, denied, locked out or disconnected do not return, with any token or socket.

  test('a removed participant stays out: with the kept token, a renewed one, a resumed socket, or a new request to enter', async () => {
    const room = await meet()
    const bobs = await enterAndConnect(room, as(bob))
    const spare = await enter(app, room, as(bob))
    assert.ok(spare.media)
    await expectOk(control(room, bobs.admissionId, 'remove'), 204)
    await until(() => bobs.client.socket.readyState === bobs.client.socket.CLOSED)
    const tokens = [bobs.token, bobs.newest(), spare.media.token]
    await staysOutside(room, bobs.admissionId, tokens, bobs.sid)
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.media], ['denied', undefined])

    await expectOk(decide(app, room, bobs.admissionId, 'admit', as(alice)), 204)
    await enterAndConnect(room, as(bob))
  })

  test('a waiting person gets no token; the token of a person who was admitted and then denied does not connect', async () => {
    const room = await meet({ waitingRoom: true })
    const waiting = await enter(app, room, as(bob))
    assert.deepEqual([waiting.state, waiting.media], ['waiting', undefined])
    await decide(app, room, waiting.admissionId, 'admit', as(alice))
    const { media, admissionId = '' } = await enter(app, room, as(bob))
    assert.ok(media)
    await expectOk(control(room, admissionId, 'remove'), 204)
    await staysOutside(room, admissionId, [media.token])
  })

  test('with approval of new guests, a removed guest enters neither again nor with an earlier token', async () => {
    const room = await meet()
    const connectGuest = async (name: string) => {
      const guest = await enterAsGuest(app, room, name)
      assert.ok(guest.reply.media)
      const connection = await connect(guest.reply.media)
      await untilInside(guest.admissionId)
      return { ...guest, ...connection }
    }
    const [mia, ina] = [await connectGuest('Mia'), await connectGuest('Ina')]
    clock.advance(1)
    const spare = await enterAsGuest(app, room, 'Spare')
    assert.ok(spare.reply.media)
    clock.advance(1)
    await expectOk(control(room, mia.admissionId, 'remove'), 204)
    await expectOk(updateRoom(app, room, { approvalRequired: true }, as(alice)))
    await staysOutside(room, mia.admissionId, [mia.token])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    const back = await enterAsGuest(app, room, 'Mia again')
    assert.deepEqual([back.reply.state, back.reply.media], ['waiting', undefined])
    assert.ok((await names(room)).includes(ina.admissionId), 'the others stay')

    clock.advance(1)
    await expectOk(decide(app, room, back.admissionId, 'admit', as(alice)), 204)
    await enterAndConnect(room, back.headers)
    await expectOk(updateRoom(app, room, { approvalRequired: false }, as(alice)))
    await connectGuest('Nina')
  })

  test('a locked room refuses people who have a token already, and accepts people who were inside', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const bobs = await enterAndConnect(room, as(bob))
    const late = await enterAsGuest(app, room, 'Late')
    assert.ok(late.reply.media)
    await expectOk(updateRoom(app, room, { locked: true }, as(alice)))
    await staysOutside(room, late.admissionId, [late.reply.media.token])
    for (const person of [alice, carol]) assert.equal((await enter(app, room, as(person))).state, 'locked')

    await leave(bobs.client)
    await until(async () => !(await names(room)).includes(bobs.admissionId))
    await enterAndConnect(room, as(bob))
    await expectOk(updateRoom(app, room, { locked: false }, as(alice)))
    await connect(late.reply.media)
    await untilInside(late.admissionId)
  })

  test('when the host ends the meeting, all are disconnected and no token connects; the next date opens again', async () => {
    const room: Room = await schedule(alice, weekdays())
    const bobs = await enterAndConnect(room, as(bob))
    const alices = await enterAndConnect(room, as(alice))
    const spare = await enterAsGuest(app, room, 'Guest')
    assert.ok(spare.reply.media)
    clock.advance(1_000)
    await expectProblem(host(room, 'end', as(bob)), 'host_required')
    await expectOk(host(room, 'end'), 204)
    for (const { client } of [bobs, alices]) await until(() => client.socket.readyState === client.socket.CLOSED)
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
    await staysOutside(room, alices.admissionId, [alices.newest()])
    await staysOutside(room, spare.admissionId, [spare.reply.media.token])
    assert.equal((await enter(app, room, as(bob))).state, 'ended')
    const at = clock.now()
    clock.set('2030-01-08T08:50:00Z')
    await enterAndConnect(room, as(bob))
    clock.set(at)
  })

  test('a call goes on when its meeting or its date is cancelled, for the people in it, until they leave', async () => {
    for (const body of [{ cancel: 'all' }, { cancel: 'current' }, { cancel: 'current', endCall: false }]) {
      const isSeries = body.cancel === 'current'
      const room: Room = isSeries ? await schedule(alice, weekdays()) : await meet()
      const alices = await enterAndConnect(room, as(alice))
      const bobs = await enterAndConnect(room, as(bob))
      const page = await watchAdmission(app, room, bobs.admissionId, as(bob))
      await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === undefined)
      await expectOk(alice.send('POST', cancelPath(room), body))
      await app.mails()
      await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === true)
      assert.deepEqual((await names(room)).toSorted(), [alices.admissionId, bobs.admissionId].toSorted())
      const outside = isSeries ? 'too_early' : 'cancelled'
      assert.equal((await enter(app, room, as(carol))).state, outside, 'the others cannot come in any more')

      await leave(bobs.client)
      await until(async () => (await names(room)).length === 1)
      await enterAndConnect(room, as(bob))
      assert.equal((await enter(app, room, as(carol))).state, outside, 'a reload lets no one else in')

      page.close()
      // Without an end, an empty room would keep the call open for half a minute.
      await expectOk(host(room, 'end'), 204)
      await until(async () => (await names(room)).length === 0)
      assert.notEqual((await enter(app, room, as(bob))).state, 'admitted', 'the call is over')
    }
  })

  test('a call is not ended with another date than its own, nor when it began after the cancellation', async () => {
    const series: Room = await schedule(alice, weekdays())
    const { admissionId } = await enterAndConnect(series, as(bob))
    const cancel = (body: object) => alice.send('POST', cancelPath(series), body)
    const tomorrow = '2030-01-08T09:00:00Z'
    await expectOk(cancel({ cancel: 'current', occurrence: tomorrow, endCall: true }))
    await app.mails()
    assert.ok((await names(series)).includes(admissionId))
    await expectOk(cancel({ cancel: 'current' }))
    const before = new Date(clock.now().getTime() - 1_000).toISOString()
    const asked = { actorId: series._id, actingGrantId: null, address: '127.0.0.1' }
    await queueEndCall(app.database, series._id, { ...asked, at: before })
    await app.mails()
    assert.ok((await names(series)).includes(admissionId))
  })

  test('participants are disconnected when the meeting, or the current date, is cancelled with its call', async () => {
    const whole = await meet()
    const inWhole = await enterAndConnect(whole, as(bob))
    const page = await watchAdmission(app, whole, inWhole.admissionId, as(bob))
    await alice.send('POST', cancelPath(whole), { cancel: 'all', endCall: true })
    await app.mails()
    await page.until(({ state }) => state === 'cancelled')
    page.close()
    await staysOutside(whole, inWhole.admissionId, [inWhole.token, inWhole.newest()], inWhole.sid)

    const series: Room = await schedule(alice, weekdays())
    const people = [await enterAndConnect(series, as(bob)), await enterAndConnect(series, as(alice))]
    await expectOk(
      alice.send('POST', cancelPath(series), {
        cancel: 'current',
        occurrence: '2030-01-07T09:00:00Z',
        endCall: true,
      }),
    )
    await app.mails()
    for (const { admissionId, token, newest, sid } of people) {
      await staysOutside(series, admissionId, [token, newest()], sid)
    }
    const ending = await watchAdmission(app, series, people[0]?.admissionId ?? '', as(bob))
    await ending.until(({ state }) => state === 'cancelled')
    ending.close()
    const restorePath = `${detailsPath(series)}/occurrences/${encodeURIComponent('2030-01-07T09:00:00Z')}/restore`
    await expectOk(alice.send('POST', restorePath))
    await enterAndConnect(series, as(bob))
  })

  test('people whose account is disabled or whose invitation is withdrawn are disconnected', async () => {
    const erik = await signUp(app, 'Erik')
    const room = await meet({ isRestrictedMeeting: true }, { participants: [bob.email, erik.email] })
    const [eriks, bobs] = [await enterAndConnect(room, as(erik)), await enterAndConnect(room, as(bob))]
    await permit(olga, erik, { disabled: true })
    await app.mails()
    await staysOutside(room, eriks.admissionId, [eriks.token, eriks.newest()], eriks.sid)
    assert.ok((await names(room)).includes(bobs.admissionId))
    const changes = { advancedOptions: { isRestrictedMeeting: true }, participants: [] }
    await expectOk(alice.send('PUT', detailsPath(room), standUp(changes)))
    await app.mails()
    await staysOutside(room, bobs.admissionId, [bobs.token, bobs.newest()], bobs.sid)
  })

  // What roles and tokens permit, and who sees the attendance.

  test('a cohost cannot act on the host, and no one can remove the meeting’s host', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const alices = await enterAndConnect(room, as(alice))
    const bobs = await enterAndConnect(room, as(bob))
    await expectProblem(control(room, alices.admissionId, 'mute', as(carol)), 'forbidden')
    await expectProblem(control(room, alices.admissionId, 'remove', as(carol)), 'forbidden')
    await expectProblem(control(room, bobs.admissionId, 'mute', as(bob)), 'host_required')
    const { roomKey } = (await alice.send('GET', detailsPath(room))).body[0]
    const key = await enterAsGuest(app, room, 'With the key', { hostKey: roomKey })
    await expectProblem(control(room, alices.admissionId, 'remove', key.headers), 'forbidden')
    await expectProblem(control(room, 'nobody', 'mute'), 'participant_not_found')

    await expectOk(control(room, bobs.admissionId, 'make_cohost'), 204)
    await expectOk(control(room, bobs.admissionId, 'mute', as(bob)), 204)
    assert.equal((await enter(app, room, as(bob))).role, 'cohost')
    await until(async () => {
      const metadata = (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.metadata
      return metadata === '{"role":"cohost","guest":false}'
    })
    const list = await watchRoom(app, room, as(bob))
    const { participants } = await list.next()
    list.close()
    await expectOk(control(room, bobs.admissionId, 'remove_cohost'), 204)
    await until(async () => {
      const metadata = (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.metadata
      return metadata === '{"role":"participant","guest":false}'
    })
    await expectProblem(control(room, alices.admissionId, 'mute', as(bob)), 'host_required')
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
    const bobs = await enterAndConnect(room, as(bob))
    const guest = await enterAsGuest(app, room, '=1+1')
    assert.ok(guest.reply.media)
    const { client } = await connect(guest.reply.media)
    await untilInside(guest.admissionId)
    await leave(client)
    const path = `${detailsPath(room)}/attendance`
    const stays = async () => (await alice.send('GET', path)).body.sessions[0]?.stays ?? []
    await until(async () => (await stays())[1]?.leftOn !== null)
    await expectProblem(bob.send('GET', path), 'host_required')
    await expectProblem(carol.send('GET', path), 'meeting_not_found')
    assert.deepEqual(
      (await stays()).map(({ name, email, role }: Record<string, string>) => [name, email, role]),
      [
        ['Bob Test', bob.email, 'participant'],
        ['=1+1', null, 'participant'],
      ],
    )
    await leave(bobs.client)
    await until(async () => (await stays())[0].leftOn !== null)
    await expectOk(host(room, 'end'), 204)
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
