import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../operation.ts'
import { createBatcher } from './batch.ts'

/** A database whose answers wait until they are let go: each ask is answered in capitals. */
function slowStatements() {
  const asked: { asks: readonly string[]; answer: (error?: Error) => void }[] = []
  const askTogether = createBatcher<string, string>(
    (asks) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) =>
          error === undefined ? resolve(asks.map((ask) => ask.toUpperCase())) : reject(error)
        asked.push({ asks, answer })
      }),
  )
  return { asked, askTogether }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the first goes at once; those that come meanwhile go together, and each gets its own answer', async () => {
  const { asked, askTogether } = slowStatements()
  const first = askTogether('alice')
  await turn()
  const others = ['bob', 'carol', 'bob'].map((name) => askTogether(name))
  assert.deepEqual(
    asked.map(({ asks }) => asks),
    [['alice']],
  )
  asked[0]?.answer()
  assert.equal(await first, 'ALICE')
  await turn()
  assert.deepEqual(
    asked.map(({ asks }) => asks),
    [['alice'], ['bob', 'carol', 'bob']],
  )
  asked[1]?.answer()
  assert.deepEqual(await Promise.all(others), ['BOB', 'CAROL', 'BOB'])
})

test('a failure is told to all who wait, and the next one is asked anew', async () => {
  const { asked, askTogether } = slowStatements()
  const waiting = [askTogether('alice'), askTogether('bob')]
  await turn()
  asked[0]?.answer(new Error('away'))
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected')
  await turn()
  const next = askTogether('carol')
  await turn()
  asked[1]?.answer()
  assert.equal(await next, 'CAROL')
})

test('no statement answers more than a hundred', async () => {
  const { asked, askTogether } = slowStatements()
  const all = Array.from({ length: 251 }, (_, at) => askTogether(String(at)))
  for (let at = 0; at < 3; at++) {
    await turn()
    asked[at]?.answer()
  }
  await Promise.all(all)
  assert.deepEqual(
    asked.map(({ asks }) => asks.length),
    [100, 100, 51],
  )
})

test('a group belongs to the operation of its first ask, also while those before it are under way', async () => {
  const names: (string | number | undefined)[] = []
  const askTogether = createBatcher<string, string>(async (asks) => {
    names.push(operations.getStore()?.names.requestId)
    await turn()
    return asks
  })
  const askFor = (requestId: string) =>
    operations.run({ names: { requestId }, traceparent: undefined, span: undefined }, () => askTogether(requestId))
  const first = askFor('of alice')
  await turn()
  await Promise.all([first, askFor('of bob'), askFor('of carol')])
  assert.deepEqual(names, ['of alice', 'of bob'])
})
