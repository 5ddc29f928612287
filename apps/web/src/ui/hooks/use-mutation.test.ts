import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { actOnce, doubleClickMs } from './use-mutation.ts'

/** An action whose calls are answered by the test, one after the other. */
function watchAction() {
  const calls: { variables: string; answer: PromiseWithResolvers<string> }[] = []
  const act = actOnce((variables: string) => {
    const answer = Promise.withResolvers<string>()
    calls.push({ variables, answer })
    return answer.promise
  })
  return { act, calls, called: () => calls.map(({ variables }) => variables) }
}

const mockTimers = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout'] })

test('a second call while the first is under way is the first', async () => {
  const { act, calls, called } = watchAction()
  const both = [act('save'), act('save')]
  calls[0]?.answer.resolve('saved')
  assert.deepEqual(await Promise.all(both), ['saved', 'saved'])
  assert.deepEqual(called(), ['save'])
})

test('a second call is the first until a double click has ended', async (t) => {
  mockTimers(t)
  const { act, calls, called } = watchAction()
  const first = act('save')
  calls[0]?.answer.resolve('saved')
  await first
  t.mock.timers.tick(doubleClickMs - 1)
  void act('save')
  assert.deepEqual(called(), ['save'])
  t.mock.timers.tick(1)
  void act('save')
  assert.deepEqual(called(), ['save', 'save'])
})

test('a call with other variables acts, and so does the return to the earlier ones', () => {
  const { act, called } = watchAction()
  for (const answer of ['accepted', 'declined', 'accepted']) void act(answer)
  assert.deepEqual(called(), ['accepted', 'declined', 'accepted'])
})

test('a call after a failure acts at once', async () => {
  const { act, calls, called } = watchAction()
  const first = act('save')
  calls[0]?.answer.reject(new Error('away'))
  await assert.rejects(first)
  void act('save')
  assert.deepEqual(called(), ['save', 'save'])
})
