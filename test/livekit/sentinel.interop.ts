/// <reference path="../../e2e/media/media-page.d.ts" />
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DisconnectReason } from '@livekit/protocol'
import { standUp } from '../../apps/server/test/people.ts'
import { createEmptyDatabase } from '../../apps/server/test/postgres/empty-database.ts'
import { runService } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import { enter, type Room, roomPath } from '../../apps/server/test/rooms/rooms.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import type { MediaServer } from '../../e2e/media/media-server.ts'
import { type Guest, startMediaStory, startSite, until } from '../../e2e/media/start-media-story.ts'
import { between, hourMs, minuteMs } from '../../e2e/meetings/meetings.ts'
import { freePorts } from '../helpers/free-port.ts'
import { startBalancer } from './balancer.ts'
import { type LivekitNode, startLivekit } from './livekit.ts'
import { startRedisSentinel } from './redis-sentinel.ts'

/**
 * Two LiveKit nodes with a Redis under three sentinels, and two Parleys: calls while both Parleys restart, while the
 * Redis master dies, and while a node is drained. Media runs in Chromium.
 */

for (const program of ['/usr/bin/redis-server', '/usr/bin/redis-sentinel']) {
  if (!existsSync(program)) throw new Error(`${program} is missing: run scripts/install-interop-tools.sh.`)
}

const parleyPorts = await freePorts(2)
const front = await startBalancer(parleyPorts)
const sentinel = await startRedisSentinel()
const livekit = await startLivekit({ webhookUrl: `http://127.0.0.1:${front.port}/media/events`, nodes: 2, sentinel })
process.env.MEDIA_TEST_URL = livekit.url
process.env.MEDIA_TEST_KEY = livekit.apiKey
process.env.MEDIA_TEST_SECRET = livekit.apiSecret
const openRoom = await startMediaStory()
after(async () => {
  await front[Symbol.asyncDispose]()
  await livekit[Symbol.asyncDispose]()
  await sentinel[Symbol.asyncDispose]()
})

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/**
 * Check ten times a second which frames of a camera a page has received; `stop` returns the longest time without a new
 * frame.
 */
function watchCamera(guest: Guest, identity: string) {
  let isStopped = false
  let maxMs = 0
  const watching = (async () => {
    let [frames, since] = [-1, performance.now()]
    while (!isStopped) {
      const { framesDecoded } = await guest.received(identity, 'camera')
      const now = performance.now()
      maxMs = Math.max(maxMs, now - since)
      if (framesDecoded !== frames) [frames, since] = [framesDecoded, now]
      await sleep(100)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await watching
      return maxMs
    },
  }
}

/** Start a call between two participants who see each other. */
async function startCall(enterRoom: (identity: string) => Promise<Guest>): Promise<[Guest, Guest]> {
  const [alice, bob] = [await enterRoom('alice'), await enterRoom('bob')]
  for (const each of [alice, bob]) await each.set('camera', true)
  await Promise.all([alice.perceives('bob', 'camera'), bob.perceives('alice', 'camera')])
  return [alice, bob]
}

/**
 * Retry until a new call between two participants works.
 * @returns the time until then in milliseconds
 */
async function untilNewCall(): Promise<number> {
  const since = performance.now()
  for (;;) {
    try {
      const { enter: enterRoom } = openRoom()
      const people = await startCall((identity) => enterRoom(identity))
      const tookMs = performance.now() - since
      for (const each of people) await each.leave()
      return tookMs
    } catch (error) {
      if (performance.now() - since > 60_000) throw error
    }
  }
}

const hasBeenPutOut = async (guest: Guest) => (await guest.page.evaluate(() => media.left.length)) > 0
const packetsOf = async (node: LivekitNode) => node.count('packet_total', 'incoming')

/** The node that forwards the media at present. */
async function findCarrier(): Promise<{ carrier: LivekitNode; other: LivekitNode }> {
  const [one, two] = livekit.nodes
  assert.ok(two !== undefined)
  const before = [await packetsOf(one), await packetsOf(two)]
  let [first, second] = [0, 0]
  // The nodes update their counters every few seconds.
  await until(async () => {
    first = (await packetsOf(one)) - (before[0] ?? 0)
    second = (await packetsOf(two)) - (before[1] ?? 0)
    return Math.abs(first - second) > 100
  }, 'one of the nodes carries the call')
  return first > second ? { carrier: one, other: two } : { carrier: two, other: one }
}

test('while both Parleys restart one after the other, streams reconnect, the call continues, and no participant is disconnected', async (t) => {
  const database = await createEmptyDatabase(t)
  const startParley = (at: number) =>
    runService(t, {
      environment: {
        DATABASE_URL: database,
        SECRET_KEY: '5e'.repeat(32),
        PORT: String(parleyPorts[at]),
        RATE_LIMITS: 'off',
        ...livekit.environment,
      },
    })
  const parleys = [await startParley(0), await startParley(1)]
  const base = `http://127.0.0.1:${front.port}`
  const alice = await signUp(String(parleys[0]?.base), 'Alice')
  const bob = await signUp(String(parleys[0]?.base), 'Bob')
  const meeting = standUp({ ...between(-minuteMs, hourMs), participants: [bob.email] })
  const room = (await alice.schedule(meeting)) as unknown as Room
  const service = { base } as TestApp
  const authorized = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

  const mediaRoom = openRoom()
  const site = await startSite()
  t.after(() => site.close())
  const identities = new Map<string, string>()
  /** Join the page with the token that Parley issues. */
  async function join(name: string, who: { token: string }): Promise<Guest> {
    const { media: access } = await enter(service, room, authorized(who))
    assert.ok(access !== undefined)
    const guest = await mediaRoom.enter(name, {}, async () => {})
    await guest.page.evaluate(
      async ([url, token]) => {
        await media.room.disconnect()
        await media.room.connect(url, token)
        media.left.length = 0
        media.events.length = 0
      },
      [access.url, access.token] as const,
    )
    identities.set(name, await guest.page.evaluate(() => media.room.localParticipant.identity))
    return guest
  }
  const [hers, his] = [await join('alice', alice), await join('bob', bob)]
  const [herIdentity = '', hisIdentity = ''] = ['alice', 'bob'].map((name) => identities.get(name))
  for (const each of [hers, his]) await each.set('camera', true)
  await Promise.all([hers.perceives(hisIdentity, 'camera'), his.perceives(herIdentity, 'camera')])

  const stream = followStream(`${base}${roomPath(room, 'waiting')}`, authorized(alice))
  await until(() => stream.openings() === 1, 'the stream is open')
  const camera = watchCamera(hers, hisIdentity)
  for (const at of [0, 1]) {
    parleys[at]?.signal('SIGTERM')
    assert.equal((await parleys[at]?.ended)?.code, 0)
    parleys[at] = await startParley(at)
  }
  await until(() => stream.isOpen(), 'the stream is open again')
  await Promise.all([hers.perceives(hisIdentity, 'camera'), his.perceives(herIdentity, 'camera')])
  const stallMs = await camera.stop()
  for (const each of [hers, his]) {
    assert.equal(await hasBeenPutOut(each), false)
    const events = await each.events()
    assert.deepEqual(
      events.filter((event) => /disconnected|reconnecting/i.test(event)),
      [],
    )
  }
  t.diagnostic(
    `The stream was opened ${stream.openings()} times and away for ${seconds(stream.maxAwayMs())} at most; the longest ` +
      `time without a frame was ${seconds(stallMs)}`,
  )
  stream.close()
  for (const each of [hers, his]) await each.leave()
})

/** Reopen the stream whenever it ends, as EventSource does. */
function followStream(url: string, headers: Record<string, string>) {
  const closing = new AbortController()
  let [openings, isOpen, maxAwayMs, endedAt] = [0, false, 0, 0]
  void (async () => {
    while (!closing.signal.aborted) {
      try {
        const response = await fetch(url, { headers, signal: closing.signal })
        if (response.status === 200 && response.body !== null) {
          for await (const _ of response.body) {
            if (isOpen) continue
            isOpen = true
            openings++
            if (endedAt > 0) maxAwayMs = Math.max(maxAwayMs, performance.now() - endedAt)
          }
        }
      } catch {
        // The service is restarting.
      }
      if (isOpen) endedAt = performance.now()
      isOpen = false
      await sleep(100)
    }
  })()
  return {
    openings: () => openings,
    isOpen: () => isOpen,
    maxAwayMs: () => maxAwayMs,
    close: () => closing.abort(),
  }
}

test('after the Redis master is killed, the call continues, and new calls work again', async (t) => {
  const { enter: enterRoom } = openRoom()
  const [alice, bob] = await startCall((identity) => enterRoom(identity))
  const camera = watchCamera(alice, 'bob')
  const before = await sentinel.masterPort()
  await sentinel.killMaster()
  const killedAt = performance.now()
  await until(async () => (await sentinel.masterPort()) !== before, 'the sentinels have a new master', 2)
  const promotedMs = performance.now() - killedAt
  await untilNewCall()
  const workedMs = performance.now() - killedAt
  await Promise.all([alice.perceives('bob', 'camera'), bob.perceives('alice', 'camera')])
  const stallMs = await camera.stop()
  for (const each of [alice, bob]) assert.equal(await hasBeenPutOut(each), false)
  t.diagnostic(
    `A new master after ${seconds(promotedMs)}, a new call after ${seconds(workedMs)}; the longest time without a frame ` +
      `in the call that ran was ${seconds(stallMs)}`,
  )
  for (const each of [alice, bob]) await each.leave()
})

/**
 * Connect again until it succeeds, as Parley's client does when the engine ends a connection (packages/client,
 * attend.ts).
 */
async function comeBack(guest: Guest, room: string, { token, url }: MediaServer) {
  const fresh = await token(guest.identity, { roomJoin: true, room })
  const connect = () =>
    guest.page.evaluate(
      async ([to, text]) => {
        await media.room.connect(to, text)
        await media.room.localParticipant.setCameraEnabled(true)
      },
      [url, fresh] as const,
    )
  await until(
    () =>
      connect().then(
        () => true,
        () => false,
      ),
    `${guest.identity} is back`,
    3,
  )
}

test('while a node is drained, its call continues and new calls go to the other node, where all continue after it ends', async (t) => {
  const { enter: enterRoom, room, server } = openRoom()
  const [alice, bob] = await startCall((identity) => enterRoom(identity))
  const { carrier, other } = await findCarrier()
  const camera = watchCamera(alice, 'bob')
  process.kill(carrier.process.pid, 'SIGTERM')
  const newCallMs = await untilNewCall()
  await Promise.all([alice.perceives('bob', 'camera'), bob.perceives('alice', 'camera')])
  assert.ok(carrier.process.isRunning(), 'it waits for its calls')
  const drainStallMs = await camera.stop()

  process.kill(carrier.process.pid, 'SIGTERM')
  await until(() => !carrier.process.isRunning(), 'the second signal ends it')
  const endedAt = performance.now()
  for (const each of [alice, bob]) await until(() => hasBeenPutOut(each), 'LiveKit tells its participants')
  const reasons = await Promise.all([alice, bob].map((each) => each.page.evaluate(() => media.left)))
  assert.deepEqual(reasons, [[DisconnectReason.SERVER_SHUTDOWN], [DisconnectReason.SERVER_SHUTDOWN]])
  for (const each of [alice, bob]) await comeBack(each, room, server)
  await Promise.all([alice.perceives('bob', 'camera'), bob.perceives('alice', 'camera')])
  const movedMs = performance.now() - endedAt
  const before = await packetsOf(other)
  await until(async () => (await packetsOf(other)) > before, 'the other node carries the call')
  t.diagnostic(
    `Draining: a new call after ${seconds(newCallMs)}, the longest time without a frame ${seconds(drainStallMs)}. When the ` +
      `node ended: both see each other again after ${seconds(movedMs)}`,
  )
  for (const each of [alice, bob]) await each.leave()
})
