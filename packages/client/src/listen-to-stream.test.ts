import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchRoom } from '@parley/contract'
import { type ListenOptions, listen, ProblemError } from './index.ts'

type Answer = Response | Error | ((signal: AbortSignal) => Response)

/** A service with a list of responses, and the requests that it received. */
function listenTo(answers: readonly Answer[], options: ListenOptions = {}, token?: () => string) {
  const requests: RequestInit[] = []
  const fetch = async (_url: string | URL | Request, init: RequestInit = {}) => {
    const answer = answers[requests.length]
    requests.push(init)
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
    return answer instanceof Response ? answer : answer(init.signal ?? AbortSignal.abort())
  }
  const connection = { base: 'http://parley.test', fetch: fetch as typeof globalThis.fetch, ...(token && { token }) }
  const ask = { params: { svcMeetId: '8123456789' } }
  return { requests, replies: listen(connection, watchRoom, ask, { random: () => 0, ...options }) }
}

const locked = (value: boolean) => `data: ${JSON.stringify({ locked: value })}\n\n`
const refused = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ code: 'some_code', status, title: 'No.', detail: 'No.' }, { status, headers })

/** Send this, then nothing more until the reader cancels. */
const silentAfter = (text: string) => (signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text))
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    }),
  )

async function take(replies: AsyncIterable<{ locked: boolean }>, count: number): Promise<boolean[]> {
  const taken: boolean[] = []
  for await (const reply of replies) if (taken.push(reply.locked) === count) break
  return taken
}

test('replies arrive as they are sent, with the token in a header; breaking the loop cancels the stream', async () => {
  const { requests, replies } = listenTo([silentAfter(locked(true) + locked(false))], {}, () => 'oat_alice')
  assert.deepEqual(await take(replies, 2), [true, false])
  const { authorization, accept } = Object(requests[0]?.headers)
  assert.deepEqual([authorization, accept], ['Bearer oat_alice', 'text/event-stream, application/problem+json'])
  assert.equal(requests[0]?.signal?.aborted, true)
})

test('a character of three bytes may arrive in two chunks', async () => {
  const bytes = new TextEncoder().encode('data: {"locked":"€"}\n\n')
  const at = bytes.indexOf(0xe2) + 1
  const pieces = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, at))
      controller.enqueue(bytes.slice(at))
      controller.close()
    },
  })
  const { replies } = listenTo([new Response(pieces)])
  for await (const reply of replies) {
    assert.equal(Object(reply).locked, '€')
    break
  }
})

test('a stream that ends, breaks, or is answered by a proxy is opened again, and each loss is reported', async () => {
  const lost: unknown[] = []
  const { requests, replies } = listenTo(
    [new Response(locked(true)), new Error('no network'), refused(502), refused(429), new Response(locked(false))],
    { onLost: (failures, error) => lost.push(error instanceof Error ? [failures, error.message] : failures) },
  )
  assert.deepEqual(await take(replies, 2), [true, false])
  assert.equal(requests.length, 5)
  const [proxy, limit] = await Promise.all([502, 429].map((status) => refused(status).json()))
  assert.deepEqual(lost, [1, [2, 'no network'], [3, proxy.detail], [4, limit.detail]])
})

test('a silent stream is opened again', async () => {
  const { requests, replies } = listenTo([silentAfter(locked(true)), new Response(locked(false))], { silenceMs: 30 })
  assert.deepEqual(await take(replies, 2), [true, false])
  assert.equal(requests[0]?.signal?.aborted, true)
})

test('a comment resets the silence timer', async () => {
  let count = 0
  const body = new ReadableStream({
    async pull(controller) {
      await sleep(20)
      controller.enqueue(new TextEncoder().encode(count++ < 10 ? ':\n\n' : locked(true)))
    },
  })
  const { requests, replies } = listenTo([new Response(body)], { silenceMs: 150 })
  assert.deepEqual(await take(replies, 1), [true])
  assert.equal(requests.length, 1)
})

test('the silence of a service is not confused with a program that takes its time', async () => {
  const { requests, replies } = listenTo([silentAfter(locked(true) + locked(false))], { silenceMs: 30 })
  const taken: boolean[] = []
  for await (const reply of replies) {
    if (taken.push(Object(reply).locked) === 2) break
    await sleep(90)
  }
  assert.deepEqual(taken, [true, false])
  assert.equal(requests.length, 1)
})

test('a refusal ends the loop with its problem', async () => {
  for (const status of [401, 403, 404]) {
    const { requests, replies } = listenTo([refused(status)])
    await assert.rejects(take(replies, 1), (error) => error instanceof ProblemError && error.problem.status === status)
    assert.equal(requests.length, 1)
  }
})

test('invalid JSON ends the loop', async () => {
  await assert.rejects(take(listenTo([new Response('data: {\n\n')]).replies, 1), SyntaxError)
})

test('the signal ends the loop before it begins, between two attempts, and during a silence', async () => {
  const before = listenTo([], { signal: AbortSignal.abort() })
  assert.deepEqual(await take(before.replies, 1), [])
  assert.equal(before.requests.length, 0)
  const between = new AbortController()
  const failing = listenTo([new Error('no network')], { signal: between.signal, onLost: () => between.abort() })
  assert.deepEqual(await take(failing.replies, 1), [])
  const silent = new AbortController()
  const { replies } = listenTo([silentAfter(locked(true))], { signal: silent.signal })
  const taken: boolean[] = []
  for await (const reply of replies) {
    taken.push(reply.locked)
    silent.abort()
  }
  assert.deepEqual(taken, [true])
})
