import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookUpsTogether } from './look-ups-together.ts'

const key = (text: string) => Buffer.from(text)

/** A database whose answers wait until they are let go. */
function slowStatements() {
  const asked: { keys: string[]; answer: (error?: Error) => void }[] = []
  const lookUp = createLookUpsTogether<{ key: Buffer }>(
    (keys) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) =>
          error === undefined ? resolve(keys.map((found) => ({ key: found }))) : reject(error)
        asked.push({ keys: keys.map(String), answer })
      }),
    (row) => row.key,
  )
  return { asked, lookUp }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the first goes at once; those that come meanwhile go together, in a statement of their own', async () => {
  const { asked, lookUp } = slowStatements()
  const first = lookUp(key('alice'))
  const others = ['bob', 'carol', 'bob'].map((name) => lookUp(key(name)))
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['alice']],
  )
  asked[0]?.answer()
  assert.equal(String((await first)?.key), 'alice')
  await turn()
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['alice'], ['bob', 'carol', 'bob']],
  )
  asked[1]?.answer()
  assert.deepEqual(
    (await Promise.all(others)).map((row) => String(row?.key)),
    ['bob', 'carol', 'bob'],
  )
})

test('what is not found is undefined', async () => {
  const lookUp = createLookUpsTogether<{ key: Buffer }>(
    async () => [],
    (row) => row.key,
  )
  assert.equal(await lookUp(key('mallory')), undefined)
})

test('a failure is told to all who wait, and the next one is asked anew', async () => {
  const { asked, lookUp } = slowStatements()
  const waiting = [lookUp(key('alice')), lookUp(key('bob'))]
  asked[0]?.answer(new Error('away'))
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected')
  await turn()
  const next = lookUp(key('carol'))
  asked[1]?.answer()
  assert.equal(String((await next)?.key), 'carol')
})

test('no statement holds more than a hundred keys', async () => {
  const { asked, lookUp } = slowStatements()
  const all = Array.from({ length: 251 }, (_, at) => lookUp(key(String(at))))
  for (let at = 0; at < 4; at++) {
    asked[at]?.answer()
    await turn()
  }
  await Promise.all(all)
  assert.deepEqual(
    asked.map(({ keys }) => keys.length),
    [1, 100, 100, 50],
  )
})
