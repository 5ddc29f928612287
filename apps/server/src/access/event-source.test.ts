import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createLog } from '../platform/log.ts'
import { createEventSource, type StreamUpdate } from './event-source.ts'

const log = createLog({ level: 'silent' })

/** A log of many events, read in pages that fill the buffer of the stream, and a count of what happened. */
function startSource({ pages, page = 'x'.repeat(100_000) }: { pages: number; page?: string }) {
  const ending = new AbortController()
  const counts = { reads: 1, disconnected: 0 }
  const readingOf = (read: number): StreamUpdate => ({ topics: [], text: page, moreAvailable: read < pages })
  const source = createEventSource({
    first: readingOf(1),
    read: async () => {
      counts.reads += 1
      return readingOf(counts.reads)
    },
    topicSubscriptions: { subscribe: () => () => {}, close: async () => {} },
    ending,
    log,
    databaseFailures: createDatabaseFailureLog(log),
    ticksUntilCheck: () => 1_000,
    ticksUntilHeartbeat: 1_000,
    ticksUntilRecheck: () => 1,
    ticksUntilRetry: () => 1,
    ticksUntilStalled: 3,
    disconnect: () => {
      counts.disconnected += 1
    },
    retryMs: 1_000,
  })
  return { ...source, counts, ending }
}

test('reads no more than one page ahead of a client that takes nothing', async () => {
  const { stream, counts, ending } = startSource({ pages: 50 })
  for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
  assert.equal(counts.reads, 1)
  assert.ok(stream.readableLength < 200_000)

  let taken = 0
  for await (const chunk of stream) {
    taken += String(chunk).length
    assert.ok(stream.readableLength < 300_000)
    if (taken >= 50 * 100_000) break
  }
  assert.equal(counts.reads, 50)
  assert.equal(ending.signal.aborted, true)
})

test('disconnects a client that has taken nothing for so long, and not one that takes a little', () => {
  const { stream, tick, counts, ending } = startSource({ pages: 1 })
  for (let times = 0; times < 2; times++) tick()
  assert.equal(counts.disconnected, 0)
  tick()
  assert.equal(counts.disconnected, 1)
  ending.abort()
  stream.destroy()

  const slow = startSource({ pages: 1 })
  for (let times = 0; times < 2; times++) slow.tick()
  while (slow.stream.read() !== null);
  for (let times = 0; times < 10; times++) slow.tick()
  assert.equal(slow.counts.disconnected, 0)
  slow.ending.abort()
  slow.stream.destroy()
})
