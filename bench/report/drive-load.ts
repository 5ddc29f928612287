import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArrivalSchedule } from './arrival-schedule.ts'
import { HttpConnection, type Reply } from './http-connection.ts'
import { LatencyHistogram } from './latency-histogram.ts'

export type BenchRequest = {
  bytes: Buffer
  /** Called with each 2xx reply, for example to keep the next refresh token. */
  onReply?: (reply: Reply) => void
}

/** Returns requests until its prepared data is used up, then undefined. */
export type RequestSource = { next(): BenchRequest | undefined }

export type LoadResult = {
  elapsedMs: number
  latencies: LatencyHistogram
  /** The delay of requests for which a connection was free, which is the driver's own delay. Fixed rate only. */
  dispatchDelays: LatencyHistogram
  /** The number of failures by status or cause. */
  errors: Map<string, number>
  /** Whether the source ran out of requests before the time was over. */
  ranOut: boolean
}

type Target = { port: number; connections: number; durationMs: number; source: RequestSource }

/** The time after the last arrival until requests without a reply count as errors. */
const drainLimitMs = 10_000

/** Closed loop: each connection sends its next request when the last one is answered. */
export async function driveSaturation({ port, connections, durationMs, source }: Target): Promise<LoadResult> {
  const load = newLoad()
  const pool = await openConnections(port, connections)
  const startMs = performance.now()
  await Promise.all(
    pool.map(async (connection) => {
      while (performance.now() - startMs < durationMs) {
        const request = source.next()
        if (request === undefined) {
          load.ranOut = true
          return
        }
        const sentMs = performance.now()
        await sendOnce(connection, request, load, sentMs)
      }
    }),
  )
  load.elapsedMs = performance.now() - startMs
  for (const connection of pool) connection.close()
  return load
}

/**
 * Open loop: requests are due by a schedule, whether or not earlier ones have been answered. While all connections are
 * busy they wait here, and their latency counts from the time at which they were due.
 */
export async function driveFixedRate(target: Target & { ratePerSecond: number }): Promise<LoadResult> {
  const { port, connections, durationMs, ratePerSecond, source } = target
  const load = newLoad()
  const schedule = new ArrivalSchedule({ ratePerSecond, durationMs })
  const idle = await openConnections(port, connections)
  const pool = [...idle]
  const startMs = performance.now()
  let inFlight = 0
  let wasSaturated = false

  function dispatch() {
    while (idle.length > 0) {
      const nowMs = performance.now()
      const dueMs = schedule.takeDue(nowMs - startMs)
      if (dueMs === undefined) {
        wasSaturated = false
        return
      }
      const request = source.next()
      if (request === undefined) {
        load.ranOut = true
        countError(load, 'no prepared request left')
        continue
      }
      // A request that waited for a connection says nothing about the driver's delay.
      if (!wasSaturated) load.dispatchDelays.record(nowMs - startMs - dueMs)
      // In rotation, so that no connection is idle for so long that the server closes it.
      const connection = idle.shift() as HttpConnection
      inFlight += 1
      void sendOnce(connection, request, load, startMs + dueMs).then(() => {
        inFlight -= 1
        idle.push(connection)
        dispatch()
      })
    }
    wasSaturated = true
  }

  while (schedule.remaining > 0 && performance.now() - startMs < durationMs + drainLimitMs) {
    dispatch()
    const waitMs = schedule.waitMs(performance.now() - startMs)
    // Without an idle connection, the next reply dispatches.
    if (schedule.remaining > 0) await sleep(idle.length === 0 ? 1 : Math.min(waitMs, 100))
  }
  const drainEndMs = startMs + durationMs + drainLimitMs
  while (inFlight > 0 && performance.now() < drainEndMs) await sleep(1)
  load.elapsedMs = Math.max(durationMs, performance.now() - startMs)
  const unanswered = inFlight + schedule.remaining
  if (unanswered > 0) load.errors.set('not answered in time', unanswered)
  for (const connection of pool) connection.close()
  return load
}

async function sendOnce(connection: HttpConnection, request: BenchRequest, load: LoadResult, dueMs: number) {
  try {
    const reply = await connection.send(request.bytes)
    if (reply.status < 200 || reply.status > 299) return countError(load, `status ${reply.status}`)
    load.latencies.record(performance.now() - dueMs)
    request.onReply?.(reply)
  } catch (error) {
    countError(load, error instanceof Error ? error.message : String(error))
    connection.close()
    // Do not retry at once while the service is away.
    await sleep(10)
  }
}

function countError({ errors }: LoadResult, cause: string) {
  errors.set(cause, (errors.get(cause) ?? 0) + 1)
}

const newLoad = (): LoadResult => ({
  elapsedMs: 0,
  latencies: new LatencyHistogram(),
  dispatchDelays: new LatencyHistogram(),
  errors: new Map(),
  ranOut: false,
})

async function openConnections(port: number, count: number): Promise<HttpConnection[]> {
  const connections = Array.from({ length: count }, () => new HttpConnection(port))
  await Promise.all(connections.map((connection) => connection.open()))
  return connections
}
