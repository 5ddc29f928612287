import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn, measureLoad, putUnderFixedRate, requestBytes } from './load.ts'

async function startServer(answer: (count: number) => Promise<number>) {
  let count = 0
  const server = createServer(async (_request, response) => {
    const status = await answer(count++)
    response.writeHead(status, { 'content-length': 2 }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = inTurn((server.address() as AddressInfo).port, [requestBytes('GET', '/')])
  return { target, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() }
}

test('a stall delays every request that was due during it, not only the one that was sent', async () => {
  await using server = await startServer(async (count) => {
    if (count === 10) await sleep(500)
    return 200
  })
  const load = await putUnderFixedRate(server.target, 1, { durationMs: 1_000, ratePerSecond: 50 })
  assert.equal(load.latenciesMs.length, 50)
  const late = load.latenciesMs.filter((latencyMs) => latencyMs > 100)
  assert.ok(late.length >= 15, `${late.length} requests were held up`)
})

test('a refusal counts as an error, which a comparison does not accept', async () => {
  await using server = await startServer(async () => 503)
  const load = await putUnderFixedRate(server.target, 2, { durationMs: 200, ratePerSecond: 50 })
  assert.deepEqual([load.latenciesMs.length, [...load.errors]], [0, [['status 503', 10]]])
  await assert.rejects(measureLoad(server.target, 1, 100), /status 503/)
})
