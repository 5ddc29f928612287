import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Ping, SignalResponse } from '@livekit/protocol'
import { WebSocket } from 'ws'
import { RawClient } from '../../apps/server/test/media/raw-client.ts'
import { SilentClient } from '../../apps/server/test/media/silent-client.ts'
import { ms, perSecond, printTable, quantile } from '../figures.ts'
import { memoryMb, processorMs } from '../processes.ts'
import type { FloodKind, FloodOrder, FloodReport } from './flood-guest.ts'
import { type RoomEngine, startEmbedded } from './room-engines.ts'

/** As many as two meetings of 200. */
const silentJoins = 400
const silentRooms = 2
const flooderCount = 3
const floodMs = 10_000
/** The interval between two pings; a stall lasts as long as the slowest of them. */
const pingEveryMs = 20
const sustainedMs = 30_000
const atOnce = 8
const joinLimitMs = 10_000

/**
 * Measure how hostile guests affect other participants of the embedded engine: joins that never connect, packet floods.
 */
export async function benchFloods() {
  await using first = await startEmbedded()
  await benchDataAndMediaFloods(first)
  await using second = await startEmbedded()
  await benchSilentJoins(second)
  await using third = await startEmbedded()
  await benchSustainedJoins(third)
}

/** An engine that cannot accept a join may leave the socket open. */
const within = (joined: Promise<boolean>) => Promise.race([joined, sleep(joinLimitMs, false, { ref: false })])

async function benchSilentJoins(engine: RoomEngine) {
  const beganMs = performance.now()
  const before = await memoryMb(engine.pid)
  let tookMs = 0
  const joins = Array.from({ length: silentJoins }, (_, at) => {
    const client = new SilentClient(engine.url, engine.token(`silent ${at % silentRooms}`, `silent ${at}`))
    void client.joined.then((taken) => {
      if (taken) tookMs = performance.now() - beganMs
    })
    return client
  })
  const answers = await Promise.all(joins.map(({ joined }) => within(joined)))
  const taken = answers.filter(Boolean).length
  const after = await memoryMb(engine.pid)
  const normal = async (room: string, identity: string) => {
    const startedMs = performance.now()
    const client = RawClient.join(engine.url, engine.token(room, identity))
    const outcome = await client.connect().then(
      () => `connected in ${ms(performance.now() - startedMs)}`,
      (error: unknown) => `FAILED: ${String(error).slice(0, 80)}`,
    )
    await client.close().catch(() => {})
    return outcome
  }
  const elsewhere = await normal('elsewhere', 'alice')
  const sameRoom = await normal('silent 0', 'bob')
  printTable(`${silentJoins} joins without ICE`, [
    ['answered', 'took', 'memory', 'a join to another room', 'a join to the same room'],
    [`${taken}`, ms(tookMs), `${before?.toFixed(0)} → ${after?.toFixed(0)} MB`, elsewhere, sameRoom],
  ])
  for (const { socket } of joins) socket.terminate()
}

/** Join and leave with new identities without connecting, as fast as the engine answers. */
async function benchSustainedJoins(engine: RoomEngine) {
  let [taken, refused] = [0, 0]
  const untilMs = performance.now() + sustainedMs
  const beforeMs = await processorMs([engine.pid])
  const worker = async (number: number) => {
    for (let at = 0; performance.now() < untilMs; at++) {
      const { socket, joined } = new SilentClient(
        engine.url,
        engine.token(`sustained ${number}`, `guest ${number} ${at}`),
      )
      if (await within(joined)) taken += 1
      else refused += 1
      socket.terminate()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, number) => worker(number)))
  const usedMs = (await processorMs([engine.pid])) - beforeMs
  printTable(`Joins without ICE for ${sustainedMs / 1000} s, ${atOnce} at once`, [
    ['answered', 'refused', 'processor time a join'],
    [
      perSecond((taken / sustainedMs) * 1000),
      perSecond((refused / sustainedMs) * 1000),
      ms(usedMs / (taken + refused)),
    ],
  ])
}

async function benchDataAndMediaFloods(engine: RoomEngine) {
  const alice = RawClient.join(engine.url, engine.token('quiet', 'alice'))
  await alice.connect()
  const rows: string[][] = []
  for (const kind of ['nothing', 'data', 'media'] as const) {
    const flooders = Array.from({ length: flooderCount }, startFlooder)
    try {
      for (const [at, flooder] of flooders.entries()) {
        const report = await flooder.request({
          kind: 'enter',
          url: engine.url,
          token: engine.token(kind, `mallory ${at}`),
        })
        if (report.kind !== 'entered') throw new Error(JSON.stringify(report))
      }
      rows.push(await measureFlood(engine, alice, flooders, kind))
    } finally {
      for (const flooder of flooders) flooder.end()
    }
    // Let the engine process its queue.
    await sleep(2000)
  }
  printTable(`Pings in another room while ${flooderCount} guests flood for ${floodMs / 1000} s`, [
    ['flood', 'sent', 'median', '99th', 'worst', 'engine, cores'],
    ...rows,
  ])
  await alice.close()
}

async function measureFlood(engine: RoomEngine, alice: RawClient, flooders: readonly Flooder[], kind: FloodKind) {
  const beforeMs = await processorMs([engine.pid])
  const beganMs = performance.now()
  const pings = pingEvery(alice, pingEveryMs)
  const stopped = flooders.map((flooder) => flooder.request({ kind }))
  await sleep(floodMs)
  for (const flooder of flooders) flooder.send({ kind: 'stop' })
  const sent = (await Promise.all(stopped)).reduce(
    (sum, report) => sum + (report.kind === 'stopped' ? report.sent : 0),
    0,
  )
  const tookMs = performance.now() - beganMs
  const usedMs = (await processorMs([engine.pid])) - beforeMs
  const times = await pings()
  return [
    kind,
    `${Math.round((sent / tookMs) * 1000)}/s`,
    ms(quantile(times, 0.5)),
    ms(quantile(times, 0.99)),
    ms(Math.max(...times)),
    (usedMs / tookMs).toFixed(2),
  ]
}

/**
 * Ping over the signal socket.
 * @returns a function that stops, waits for pending replies, and returns the latencies in milliseconds
 */
function pingEvery(client: RawClient, everyMs: number): () => Promise<number[]> {
  const times: number[] = []
  const sentAtMs: number[] = []
  const onMessage = (data: Buffer) => {
    const { message } = SignalResponse.fromBinary(data)
    if (message.case !== 'pongResp') return
    const at = Number(message.value.lastPingTimestamp)
    times.push(performance.now() - (sentAtMs[at] ?? Number.NaN))
  }
  client.socket.on('message', onMessage)
  const timer = setInterval(() => {
    client.send({ case: 'pingReq', value: new Ping({ timestamp: BigInt(sentAtMs.length), rtt: 0n }) })
    sentAtMs.push(performance.now())
  }, everyMs)
  return async () => {
    clearInterval(timer)
    while (times.length < sentAtMs.length && client.socket.readyState === WebSocket.OPEN) await sleep(20)
    client.socket.off('message', onMessage)
    return times
  }
}

type Flooder = {
  send(order: FloodOrder): void
  request(order: FloodOrder): Promise<FloodReport>
  end(): void
}

function startFlooder(): Flooder {
  const child = fork(fileURLToPath(new URL('flood-guest.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    send: (order) => void child.send(order),
    async request(order) {
      child.send(order)
      const [report] = await once(child, 'message')
      return report
    },
    end: () => void child.kill(),
  }
}
