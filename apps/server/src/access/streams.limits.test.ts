import assert from 'node:assert/strict'
import { PassThrough, type Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { systemClock } from '../platform/clock.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { createStreams, type StreamOwner } from './streams.ts'

/** Thousands of connections would measure the machine: these streams have a reply each, and no connection. */
const log = createLog({ level: 'silent' })
const streams = createStreams({
  topicSubscriptions: { subscribe: () => () => {}, close: async () => {} },
  clock: systemClock,
  random: secureRandom,
  log,
  databaseFailures: createDatabaseFailureLog(log),
})
after(() => streams.end())

type Opened = { stream: Readable; close(): void }

async function open(...owners: StreamOwner[]): Promise<Opened> {
  const raw = new PassThrough()
  const reply = { raw, headers: () => reply } as unknown as FastifyReply
  const stream = await streams.open(reply, owners, async () => ({ topics: [], snapshot: {} }), JSON.stringify)
  return { stream, close: () => stream.destroy() }
}

const openTimes = (times: number, ...owners: StreamOwner[]) =>
  Promise.all(Array.from({ length: times }, () => open(...owners)))

const isTooMany = (error: unknown) => error instanceof ProblemError && error.code === 'too_many_requests'

const limits = {
  account: 32,
  network: 1_200,
  followersOfAccount: 10,
  followersOfApp: 1_000,
  followersOfNetwork: 1_200,
  followers: 5_000,
  pagesOfAccount: 16,
  pages: 3_000,
} as const

for (const [kind, limit] of Object.entries(limits) as [StreamOwner['kind'], number][]) {
  test(`${kind}: ${limit} streams, and not one more; another has places of its own`, async () => {
    const opened = await openTimes(limit, { kind, id: 'one' })
    await assert.rejects(open({ kind, id: 'one' }), isTooMany)
    opened.push(await open({ kind, id: 'other' }))
    opened[0]?.close()
    opened.push(await open({ kind, id: 'one' }))
    for (const { close } of opened) close()
    assert.equal(streams.count(), 0)
  })
}

test('a stream is counted for each of its owners, and is refused without a place for any of them', async () => {
  const app: StreamOwner = { kind: 'followersOfApp', id: 'app' }
  const opened = await openTimes(10, { kind: 'followersOfAccount', id: 'alice app' }, app)
  await assert.rejects(open({ kind: 'followersOfAccount', id: 'alice app' }, app), isTooMany)
  opened.push(...(await openTimes(10, { kind: 'followersOfAccount', id: 'bob app' }, app)))
  opened.push(...(await openTimes(980, app)))
  await assert.rejects(open({ kind: 'followersOfAccount', id: 'carol app' }, app), isTooMany)
  // A refusal takes no place.
  opened.push(...(await openTimes(10, { kind: 'followersOfAccount', id: 'carol app' })))
  for (const { close } of opened) close()
})

test('an instance has 10,000 streams, of which programs that follow the log leave half to people', async () => {
  const followers = await openTimes(5_000, { kind: 'followers', id: '' })
  await assert.rejects(open({ kind: 'followers', id: '' }), isTooMany)
  const people = await Promise.all(Array.from({ length: 5_000 }, (_, at) => open({ kind: 'account', id: `${at}` })))
  await assert.rejects(open({ kind: 'account', id: 'last' }), isTooMany)
  followers[0]?.close()
  people.push(await open({ kind: 'account', id: 'last' }))
  for (const { close } of [...followers, ...people]) close()
  assert.equal(streams.count(), 0)
})
