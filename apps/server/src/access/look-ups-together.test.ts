import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookUpsTogether } from './look-ups-together.ts'

/** A database whose answers wait until they are let go. */
function slowStatements() {
  const asked: { keys: string[]; answer: (error?: Error) => void }[] = []
  const lookUp = createLookUpsTogether(
    (keys: readonly string[]) =>
      new Promise<{ key: string }[]>((resolve, reject) => {
        const answer = (error?: Error) => (error === undefined ? resolve(keys.map((key) => ({ key }))) : reject(error))
        asked.push({ keys: [...keys], answer })
      }),
  )
  return { asked, lookUp }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the first goes at once; those that come meanwhile go together, in a statement of their own', async () => {
  const { asked, lookUp } = slowStatements()
  const first = lookUp('alice')
  const others = ['bob', 'carol', 'bob'].map((name) => lookUp(name))
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['alice']],
  )
  asked[0]?.answer()
  assert.equal((await first)?.key, 'alice')
  await turn()
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['alice'], ['bob', 'carol', 'bob']],
  )
  asked[1]?.answer()
  assert.deepEqual(
    (await Promise.all(others)).map((row) => row?.key),
    ['bob', 'carol', 'bob'],
  )
})

test('what is not found is undefined', async () => {
  const lookUp = createLookUpsTogether(async (keys: readonly string[]) => keys.map(() => undefined))
  assert.equal(await lookUp('mallory'), undefined)
})

test('a failure is told to all who wait, and the next one is asked anew', async () => {
  const { asked, lookUp } = slowStatements()
  const waiting = [lookUp('alice'), lookUp('bob')]
  asked[0]?.answer(new Error('away'))
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected')
  await turn()
  const next = lookUp('carol')
  asked[1]?.answer()
  assert.equal((await next)?.key, 'carol')
})

test('no statement holds more than a hundred keys', async () => {
  const { asked, lookUp } = slowStatements()
  const all = Array.from({ length: 251 }, (_, at) => lookUp(String(at)))
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
