import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitInProgress } from './limit-in-progress.ts'

test('runs so many works of one key at a time, and those of others beside them', async () => {
  const runFor = limitInProgress(2)
  const works = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const running = works.map(({ promise }) => runFor('alice', () => promise))
  const next = () => runFor('alice', async () => 'next')
  await assert.rejects(next(), { code: 'too_many_requests', retryAfterSeconds: 1 })
  assert.equal(await runFor('bob', async () => 'of Bob'), 'of Bob')

  // What has ended makes room, also by an error.
  works[0]?.resolve('first')
  assert.equal(await running[0], 'first')
  assert.equal(await next(), 'next')
  works[1]?.reject(new RangeError('second'))
  await assert.rejects(running[1] ?? Promise.resolve(), RangeError)
  for (let call = 0; call < 5; call++) assert.equal(await next(), 'next')
})
