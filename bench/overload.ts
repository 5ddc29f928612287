import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTarget, ms, perSecond, printTable, quantile } from './figures.ts'
import type { BenchFixture } from './fixture.ts'
import { putUnderLoad, requestBytes } from './load.ts'
import { idsOf, insertMeetings, signUp, vacuumMeetings } from './prepared-data.ts'
import { residentMb } from './processes.ts'

export type OverloadOptions = { seconds: number; times: number; connections: number }

/** In seconds, and in MB. */
const maxRefusal = { kind: 'at most', value: 1 } as const
const maxMemory = { kind: 'at most', value: 400 } as const
const meetings = 1_000
const probeEveryMs = 250

type Reply = { status: number; retryAfter: boolean; tookMs: number }

/** Send more requests than the service can answer, and measure replies, refusals with their latency, and memory. */
export async function benchOverload(fixture: BenchFixture, { seconds, times, connections }: OverloadOptions) {
  const host = await signUp(fixture, 'overloaded')
  await insertMeetings(fixture, { host, count: meetings, guests: [], firstCode: 5_000_000_000 })
  await vacuumMeetings(fixture)
  const { pid, port } = fixture.parley
  const ids = await idsOf(fixture, host, meetings)
  let at = 0
  const nextRequest = () => requestBytes('GET', `/api/meeting/meetingDetails/${ids[at++ % ids.length]}`, host.token)
  const memoryBefore = await residentMb(pid)
  await putUnderLoad({ port, nextRequest }, 32, 2_000)
  const capacity = (await putUnderLoad({ port, nextRequest }, 32, seconds * 1000)).requestsPerSecond

  const replies: Reply[] = []
  const health: number[] = []
  let failed = 0
  let maxMb = 0
  const sockets = await openAll(port, connections)
  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1000
  const pauseMs = connections / ((capacity * times) / 1000)
  const probing = (async () => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
      health.push(response?.status === 200 ? performance.now() - sentMs : Number.POSITIVE_INFINITY)
      maxMb = Math.max(maxMb, await residentMb(pid))
      await sleep(probeEveryMs)
    }
  })()
  await Promise.all(
    sockets.map(async (socket, number) => {
      // Spread the connections over the first pause, so that the load is even.
      await sleep((pauseMs * number) / connections)
      for (let dueMs = performance.now(); dueMs < endMs; dueMs = Math.max(dueMs + pauseMs, performance.now())) {
        await sleep(Math.max(0, dueMs - performance.now()))
        try {
          replies.push(await send(socket, nextRequest()))
        } catch {
          failed += 1
          return
        }
      }
    }),
  )
  await probing
  const tookSeconds = (performance.now() - beganMs) / 1000
  for (const socket of sockets) socket.destroy()

  const taken = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 503)
  const timesOf = (group: readonly Reply[]) => group.map(({ tookMs }) => tookMs)
  const others = replies.length - taken.length - refused.length
  printTable(`Overload: ${times} times the capacity for ${seconds} s, over ${connections} connections`, [
    ['capacity (32 connections)', perSecond(capacity)],
    ['sent', perSecond(replies.length / tookSeconds)],
    ['answered', perSecond(taken.length / tookSeconds)],
    ['  p50, p99', `${ms(quantile(timesOf(taken), 0.5))}, ${ms(quantile(timesOf(taken), 0.99))}`],
    ['refused (503)', perSecond(refused.length / tookSeconds)],
    ['  of them without Retry-After', String(refused.filter(({ retryAfter }) => !retryAfter).length)],
    ['  slowest refusal, s', evaluateTarget(largest(timesOf(refused)) / 1000, maxRefusal)],
    ['other replies, broken connections', `${others}, ${failed}`],
    ['slowest /healthz', ms(largest(health))],
    ['resident memory before, MB', memoryBefore.toFixed(0)],
    ['  maximum, MB', evaluateTarget(maxMb, maxMemory)],
  ])
}

/** `Math.max(...values)` would exceed the maximum number of arguments. */
const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0)

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened += 100) {
    const group = Array.from({ length: Math.min(100, count - opened) }, () => connect(port, '127.0.0.1'))
    await Promise.all(group.map((socket) => once(socket, 'connect')))
    sockets.push(...group)
  }
  return sockets
}

/** Send one request at a time on each connection; the service's replies have a Content-Length. */
function send(socket: Socket, request: Buffer): Promise<Reply> {
  const sentMs = performance.now()
  return new Promise((resolve, reject) => {
    let text = ''
    const end = () => {
      socket.off('data', read)
      socket.off('error', fail)
      socket.off('close', fail)
    }
    const fail = () => {
      end()
      reject(new Error('The connection broke'))
    }
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
      if (text.length < head + 4 + length) return
      end()
      const retryAfter = /\r\nretry-after: \d/i.test(text.slice(0, head))
      resolve({ status: Number(text.slice(9, 12)), retryAfter, tookMs: performance.now() - sentMs })
    }
    socket.on('data', read)
    socket.on('error', fail)
    socket.on('close', fail)
    socket.write(request)
  })
}
