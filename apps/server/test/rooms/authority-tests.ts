import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { detailsPath } from '../people.ts'
import { expectOk, expectProblem } from '../replies.ts'
import { type EngineMeetings, leave, until } from './engine-meetings.ts'
import { as, enter, enterAsGuest, watchRoom } from './rooms.ts'

/** What roles and tokens permit, and who sees the attendance. */
export function defineAuthorityTests({
  app,
  engine,
  alice,
  bob,
  carol,
  meet,
  open,
  connect,
  enterAndConnect,
  untilInside,
  inside,
  control,
  host,
}: EngineMeetings) {
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
