import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Cost } from '@parley/contract'
import Fastify from 'fastify'
import { overloadOf, refuseOverload } from '../platform/http/overload.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import type { Caller } from './caller.ts'
import {
  createRequestLimits,
  limitsRequests,
  requesterLimits,
  requesterOfCaller,
  requesterOfNetwork,
} from './request-limits.ts'

/** A service whose requests are answered when the test says so. */
function createHeldService() {
  const http = Fastify({ trustProxy: true })
  after(() => http.close())
  refuseOverload(http, createLog({ level: 'silent' }))
  http.setErrorHandler((error, _request, reply) =>
    error instanceof ProblemError
      ? reply
          .status(error.code === 'too_many_requests' ? 429 : 503)
          .headers(error.headers)
          .send()
      : reply.status(500).send(),
  )
  const runInTurn = createRequestLimits({ http, rateLimits: true })
  const held: { name: string; release(): void }[] = []
  const hold = (name: string) =>
    new Promise<string>((resolve) => held.push({ name, release: () => resolve('answered') }))
  http.get<{ Params: { cost: Cost } }>('/api/:cost', limitsRequests, (request) => {
    const { account, grant = '' } = request.headers as Record<string, string>
    const requester = account === undefined ? requesterOfNetwork(request) : requesterOfCaller(callerOf(account, grant))
    return runInTurn(request, requester, request.params.cost, () => hold(account ?? request.ip))
  })
  http.get('/page', (request) => hold(request.ip))
  const statuses: number[] = []
  const settled: Promise<unknown>[] = []
  return {
    statuses,
    names: () => held.map(({ name }) => name),
    inFlight: () => overloadOf(http).inFlight(),
    async send(url: string, { count = 1, ...headers }: { count?: number } & Record<string, string | number>) {
      for (let sent = 0; sent < count; sent++) {
        const sending = http.inject({ url, headers: headers as Record<string, string> })
        settled.push(sending.then(({ statusCode }) => statuses.push(statusCode)))
      }
      await runQueued()
    },
    async answer(name: string) {
      const [first] = held.splice(
        held.findIndex((each) => each.name === name),
        1,
      )
      first?.release()
      await runQueued()
    },
    async answerAll() {
      while (held.length > 0) {
        for (const { release } of held.splice(0)) release()
        await runQueued()
      }
      await Promise.all(settled)
    },
  }
}

const runQueued = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const callerOf = (accountId: string, grantId: string): Caller => ({
  accountId,
  tenantId: 'tenant',
  addressKey: `${accountId}@example.org`,
  addressTrusted: true,
  administrator: false,
  reviewer: false,
  timeZone: 'UTC',
  credential:
    grantId === ''
      ? { kind: 'session', sessionId: 'session' }
      : { kind: 'oauth', grantId, familyId: 'family', appId: 'app', sandbox: false, scopes: [] },
})

const { account, network } = requesterLimits

test('requests of one account run, wait and are refused by its own limits, and those of others run beside them', async () => {
  const service = createHeldService()
  const { inProgress, waiting } = account.large
  await service.send('/api/heavy', { account: 'mallory', count: inProgress + waiting })
  assert.deepEqual(service.names(), Array(inProgress).fill('mallory'))
  assert.deepEqual(service.statuses, [])
  // What waits for its turn does not use up the places of the whole service.
  assert.equal(service.inFlight(), inProgress)
  await service.send('/api/heavy', { account: 'mallory', count: 3 })
  assert.deepEqual(service.statuses, [429, 429, 429])
  await service.send('/api/heavy', { account: 'alice' })
  await service.send('/api/light', { account: 'mallory' })
  assert.deepEqual(service.names(), [...Array(inProgress).fill('mallory'), 'alice', 'mallory'])
  await service.answerAll()
  assert.equal(service.statuses.filter((status) => status === 200).length, inProgress + waiting + 2)
  assert.equal(service.inFlight(), 0)
})

test('costs weigh: of large requests one document, of small ones four queries or sixteen light ones', async () => {
  for (const [cost, expected] of [
    ['light', 16],
    ['query', 4],
    ['elsewhere', 16],
    ['heavy', 2],
    ['compose', 1],
    ['none', 30],
  ] as const) {
    const service = createHeldService()
    await service.send(`/api/${cost}`, { account: 'alice', count: 30 })
    assert.equal(service.names().length, expected, cost)
    await service.answerAll()
  }
})

test('an app that has many requests waiting delays neither its user nor another app of the user for long', async () => {
  const service = createHeldService()
  await service.send('/api/heavy', { account: 'alice', grant: 'first', count: 20 })
  await service.send('/api/heavy', { account: 'alice' })
  await service.send('/api/heavy', { account: 'alice', grant: 'second' })
  assert.deepEqual(service.names(), ['alice', 'alice'])
  // The first app has its turn, then the person, then the second app.
  for (let turn = 0; turn < 3; turn++) await service.answer('alice')
  assert.equal(service.statuses.length, 3)
  await service.answerAll()
})

test('many accounts with large requests leave room for small ones, and for others in turn', async () => {
  const service = createHeldService()
  for (let at = 0; at < 20; at++) await service.send('/api/compose', { account: `mallory${at}`, count: 5 })
  assert.equal(service.names().length, 4)
  await service.send('/api/query', { account: 'alice' })
  assert.ok(service.names().includes('alice'))
  await service.answerAll()
})

test('requests without an account are counted by site, and so are pages, which limit nothing themselves', async () => {
  for (const url of ['/api/light', '/page']) {
    const service = createHeldService()
    const { inProgress } = network.small
    // Many networks of one site.
    for (let at = 0; at < inProgress + 5; at++) {
      await service.send(url, { 'x-forwarded-for': `2001:db8:1:${at.toString(16)}::1` })
    }
    assert.equal(service.names().length, inProgress, url)
    await service.send(url, { 'x-forwarded-for': '2001:db8:2::1' })
    assert.equal(service.names().at(-1), '2001:db8:2::1', url)
    await service.answerAll()
    assert.equal(service.statuses.length, inProgress + 6)
    assert.equal(service.inFlight(), 0)
  }
})
