import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DisconnectReason, LeaveRequest, type ParticipantInfo, TrackSource } from '@livekit/protocol'
import type { RoomMedia } from '@parley/contract'
import { RoomServiceClient } from 'livekit-server-sdk'
import { RawClient } from '../media/raw-client.ts'
import { meetPeople, schedule, sendRequest, standUp } from '../people.ts'
import type { SettableClock, TestApp } from '../start-app.ts'
import { as, enter, type Headers, type Room, roomPath } from './rooms.ts'

export type EngineTestApp = {
  app: TestApp
  clock: SettableClock
  /** The address for WebSocket connections. */
  socketBase: string
}

/** Long enough for an engine on a busy machine; longer waits fail the test. */
const patienceMs = 15_000

export type EngineMeetings = Awaited<ReturnType<typeof setUpEngineMeetings>>

/** People with their meetings, and hostile clients of the engine: they keep their tokens and sockets. */
export async function setUpEngineMeetings({ app, clock, socketBase }: EngineTestApp) {
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
  async function enterAndConnect(room: Room, headers: Headers, body: object = {}) {
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

  /**
   * Connect with each token and each way of resuming, and wait until every socket is closed and the person is not
   * inside.
   */
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

  return {
    app,
    clock,
    engine,
    olga,
    alice,
    bob,
    carol,
    meet,
    open,
    connect,
    enterAndConnect,
    untilInside,
    inside,
    names,
    control,
    host,
    staysOutside,
  }
}

/** Publish audio under the given source, send a packet of it, and acknowledge the track once the engine accepted it. */
export const speak = (client: RawClient, source: TrackSource) => publish(client, 'audio', source)
export const show = (client: RawClient) => publish(client, 'video', TrackSource.CAMERA)

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
export async function leave(client: RawClient) {
  client.send({ case: 'leave', value: new LeaveRequest({ reason: DisconnectReason.CLIENT_INITIATED }) })
  await client.close()
}

const newestToken = ({ received }: RawClient): string | undefined =>
  received.flatMap((message) => (message.case === 'refreshToken' ? [message.value] : [])).at(-1)

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(patienceMs)
  while (!(await isSo())) {
    if (limit.aborted) throw new Error(`It has not come to this: ${isSo}`)
    await sleep(20)
  }
}
