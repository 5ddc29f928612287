import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../operation.ts'
import { createBatcher } from './batch.ts'

/** A database whose replies wait until they are released: each request is answered in capitals. */
function slowStatements() {
  const statements: { requests: readonly string[]; answer: (error?: Error) => void }[] = []
  const batch = createBatcher<string, string>(
    (requests) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) =>
          error === undefined ? resolve(requests.map((request) => request.toUpperCase())) : reject(error)
        statements.push({ requests, answer })
      }),
  )
  return { statements, batch }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('sends the first request at once, and gathers later ones, each with its own reply', async () => {
  const { statements, batch } = slowStatements()
  const first = batch('alice')
  await turn()
  const others = ['bob', 'carol', 'bob'].map((name) => batch(name))
  assert.deepEqual(
    statements.map(({ requests }) => requests),
    [['alice']],
  )
  statements[0]?.answer()
  assert.equal(await first, 'ALICE')
  await turn()
  assert.deepEqual(
    statements.map(({ requests }) => requests),
    [['alice'], ['bob', 'carol', 'bob']],
  )
  statements[1]?.answer()
  assert.deepEqual(await Promise.all(others), ['BOB', 'CAROL', 'BOB'])
})

test('a failure rejects all waiting requests, and the next request runs a new statement', async () => {
  const { statements, batch } = slowStatements()
  const waiting = [batch('alice'), batch('bob')]
  await turn()
  statements[0]?.answer(new Error('away'))
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected')
  await turn()
  const next = batch('carol')
  await turn()
  statements[1]?.answer()
  assert.equal(await next, 'CAROL')
})

test('answers at most a hundred requests in one statement', async () => {
  const { statements, batch } = slowStatements()
  const all = Array.from({ length: 251 }, (_, at) => batch(String(at)))
  for (let at = 0; at < 3; at++) {
    await turn()
    statements[at]?.answer()
  }
  await Promise.all(all)
  assert.deepEqual(
    statements.map(({ requests }) => requests.length),
    [100, 100, 51],
  )
})

test('groups requests by the operation of the first one, also while earlier ones are under way', async () => {
  const names: (string | number | undefined)[] = []
  const batch = createBatcher<string, string>(async (requests) => {
    names.push(operations.getStore()?.names.requestId)
    await turn()
    return requests
  })
  const askFor = (requestId: string) =>
    operations.run({ names: { requestId }, traceparent: undefined, span: undefined }, () => batch(requestId))
  const first = askFor('of alice')
  await turn()
  await Promise.all([first, askFor('of bob'), askFor('of carol')])
  assert.deepEqual(names, ['of alice', 'of bob'])
})
