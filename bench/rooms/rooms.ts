import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ms, perSecond, printTable } from '../figures.ts'
import { memoryMb, processorMs } from '../processes.ts'
import type { CrowdOrder, CrowdReport } from './room-crowd.ts'
import { type RoomEngine, startEmbedded, startPeer } from './room-engines.ts'
import { framesPerSecond, packetsPerSecond } from './room-guest.ts'

/** The sizes of one growing room, and the numbers of rooms of four. */
const roomSizes = [2, 4, 6, 8, 10, 12, 14, 16, 20, 24]
const roomCounts = [1, 2, 4, 6, 8, 10, 12, 16]
const peoplePerRoom = 4
/** Below this share, participants see the video freeze. */
const minDelivered = 0.99
/** Until all guests have received a key frame, and the timers of the last guests run evenly. */
const quietMs = 2_500
const measureMs = 5_000

type Reading = {
  people: number
  /** The share of the expected packets that arrived. */
  delivered: number
  forwardedPerSecond: number
  /** The load of the engine, as a share of one core. */
  load: number
  /** The load of the process with the guests, as a share of one core. Near one, it limits the measurement. */
  crowdLoad: number
  microsecondsPerPacket: number
  megabytes: number
}

/** Measure both engines on this machine in one run, with the same guests, who all send 20 frames a second. */
export async function benchRooms() {
  for (const start of [() => startEmbedded(), startPeer]) {
    await using engine = await start()
    if (engine === undefined) {
      console.log('NOT MEASURED: LiveKit, which scripts/install-interop-tools.sh builds.')
      continue
    }
    const room = await grow(engine, roomSizes, () => 'one')
    show(`${engine.name}: one room, all send ${framesPerSecond} frames a second and audio`, room)
    const rooms = await grow(
      engine,
      roomCounts.map((count) => count * peoplePerRoom),
      (person) => `room ${Math.floor(person / peoplePerRoom)}`,
    )
    show(`${engine.name}: rooms of ${peoplePerRoom}`, rooms)
    const last = rooms.findLast(isCarried)
    if (last === undefined) continue
    const roomsThere = last.people / peoplePerRoom
    console.log(
      `  by processor time: ${(roomsThere / last.load).toFixed(1)} rooms of ${peoplePerRoom} a core ` +
        `(measured with ${roomsThere}); the largest room that was carried: ${room.findLast(isCarried)?.people ?? 'none'}`,
    )
  }
}

const isCarried = ({ delivered }: Reading) => delivered >= minDelivered

/** Add guests until the engine, or the process with the guests, reaches its limit. */
async function grow(engine: RoomEngine, sizes: readonly number[], roomOf: (person: number) => string) {
  const readings: Reading[] = []
  await using crowd = startCrowd()
  const inRoom = new Map<string, number>()
  let people = 0
  for (const size of sizes) {
    for (; people < size; people++) {
      const name = `${roomOf(people)} ${sizes.length}`
      inRoom.set(name, (inRoom.get(name) ?? 0) + 1)
      const entered = await crowd.request({
        kind: 'enter',
        url: engine.url,
        token: engine.token(name, `guest ${people}`),
      })
      if (entered.kind === 'failed') {
        console.log(`  ${engine.name}: person ${people + 1} could not enter: ${entered.why}`)
        return readings
      }
    }
    await sleep(quietMs)
    const streams = [...inRoom.values()].reduce((sum, count) => sum + count * (count - 1), 0)
    const reading = await measure(engine, crowd, people, streams * packetsPerSecond)
    readings.push(reading)
    if (!isCarried(reading) || reading.load > 0.97 || reading.crowdLoad > 0.97) return readings
  }
  return readings
}

async function measure(engine: RoomEngine, crowd: Crowd, people: number, expectedPerSecond: number): Promise<Reading> {
  const times = async () => [await processorMs([engine.pid]), await processorMs([crowd.pid])] as const
  const [beforeEngine, beforeCrowd] = await times()
  const before = await crowd.count()
  await sleep(measureMs)
  const after = await crowd.count()
  const [afterEngine, afterCrowd] = await times()
  const tookMs = after.atMs - before.atMs
  const forwarded = after.packets - before.packets
  const forwardedPerSecond = (forwarded / tookMs) * 1000
  return {
    people,
    delivered: forwardedPerSecond / expectedPerSecond,
    forwardedPerSecond,
    load: (afterEngine - beforeEngine) / tookMs,
    crowdLoad: (afterCrowd - beforeCrowd) / tookMs,
    microsecondsPerPacket: ((afterEngine - beforeEngine) / forwarded) * 1000,
    megabytes: (await memoryMb(engine.pid)) ?? Number.NaN,
  }
}

function show(title: string, readings: readonly Reading[]) {
  printTable(title, [
    ['people', 'delivered', 'forwarded', 'engine, cores', 'a packet', 'memory', 'crowd, cores'],
    ...readings.map((reading) => [
      `${reading.people}`,
      `${(reading.delivered * 100).toFixed(1)} %${isCarried(reading) ? '' : ' NOT CARRIED'}`,
      perSecond(reading.forwardedPerSecond),
      reading.load.toFixed(2),
      ms(reading.microsecondsPerPacket / 1000),
      `${reading.megabytes.toFixed(0)} MB`,
      reading.crowdLoad.toFixed(2),
    ]),
  ])
}

type Crowd = {
  pid: number
  request(order: CrowdOrder): Promise<CrowdReport>
  count(): Promise<{ packets: number; atMs: number }>
  [Symbol.asyncDispose](): Promise<void>
}

function startCrowd(): Crowd {
  const child: ChildProcess = fork(fileURLToPath(new URL('room-crowd.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  async function request(order: CrowdOrder): Promise<CrowdReport> {
    child.send(order)
    const [report] = await once(child, 'message')
    return report
  }
  return {
    pid: child.pid ?? 0,
    request,
    async count() {
      const report = await request({ kind: 'count' })
      if (report.kind !== 'counted') throw new Error(`The crowd answered ${report.kind}`)
      return { packets: report.received.reduce((sum, packets) => sum + packets, 0), atMs: report.atMs }
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
