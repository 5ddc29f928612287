import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTarget, ms, perSecond, printTable, quantile } from './figures.ts'
import type { BenchFixture } from './fixture.ts'
import { inTurn, measureLoad, putUnderFixedRate, type Reply, requestBytes } from './load.ts'
import { idsOf, insertMeetings, signUp, vacuumMeetings } from './prepared-data.ts'
import { residentMb } from './processes.ts'

type OverloadOptions = { seconds: number; times: number; connections: number }

/** In seconds, and in MB. */
const maxRefusal = { kind: 'at most', value: 1 } as const
const maxMemory = { kind: 'at most', value: 400 } as const
const meetings = 1_000
const probeEveryMs = 250

/** Send more requests than the service can answer, and measure replies, refusals with their latency, and memory. */
export async function benchOverload(fixture: BenchFixture, { seconds, times, connections }: OverloadOptions) {
  const host = await signUp(fixture, 'overloaded')
  await insertMeetings(fixture, { host, count: meetings, guests: [], firstCode: 5_000_000_000 })
  await vacuumMeetings(fixture)
  const { pid, port } = fixture.parley
  const ids = await idsOf(fixture, host, meetings)
  const reading = inTurn(
    port,
    ids.map((id) => requestBytes('GET', `/api/meeting/meetingDetails/${id}`, host.token)),
  )
  const memoryBefore = await residentMb(pid)
  await measureLoad(reading, 32, 2_000)
  const capacity = (await measureLoad(reading, 32, seconds * 1000)).requestsPerSecond

  const replies: Reply[] = []
  const health: number[] = []
  let maxMb = 0
  const durationMs = seconds * 1000
  const endMs = performance.now() + durationMs
  const probing = (async () => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
      health.push(response?.status === 200 ? performance.now() - sentMs : Number.POSITIVE_INFINITY)
      maxMb = Math.max(maxMb, await residentMb(pid))
      await sleep(probeEveryMs)
    }
  })()
  const target = { ...reading, onReply: (reply: Reply) => replies.push(reply) }
  const load = await putUnderFixedRate(target, connections, { durationMs, ratePerSecond: capacity * times })
  await probing
  const tookSeconds = load.elapsedMs / 1000

  const taken = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 503)
  const timesOf = (group: readonly Reply[]) => group.map(({ tookMs }) => tookMs)
  const others = [...load.errors].filter(([cause]) => cause !== 'status 503')
  printTable(`Overload: ${times} times the capacity for ${seconds} s, over ${connections} connections`, [
    ['Measure', 'Figure'],
    ['capacity (32 connections)', perSecond(capacity)],
    ['sent', perSecond(replies.length / tookSeconds)],
    ['answered', perSecond(taken.length / tookSeconds)],
    ['  p50, p99', `${ms(quantile(timesOf(taken), 0.5))}, ${ms(quantile(timesOf(taken), 0.99))}`],
    ['refused (503)', perSecond(refused.length / tookSeconds)],
    ['  of them without Retry-After', String(refused.filter(({ head }) => !/\r\nretry-after: \d/i.test(head)).length)],
    ['  slowest refusal, s', evaluateTarget(quantile(timesOf(refused), 1) / 1000, maxRefusal)],
    ['other failures', others.map(([cause, count]) => `${count} × ${cause}`).join(', ') || 'none'],
    ['slowest /healthz', ms(quantile(health, 1))],
    ['resident memory before, MB', memoryBefore.toFixed(0)],
    ['  maximum, MB', evaluateTarget(maxMb, maxMemory)],
  ])
}
