import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FollowOptions, followEvents, isProblem } from './index.ts'

/** A service with a list of responses, and the requests that it received. */
function followFrom(answers: readonly (Response | Error)[], options: FollowOptions = {}) {
  const requests: { query: Record<string, string>; headers: Record<string, string> }[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const answer = answers[requests.length]
    const { pathname, searchParams } = new URL(String(url))
    assert.equal(pathname, '/api/events')
    requests.push({ query: Object.fromEntries(searchParams), headers: Object(init.headers) })
    if (answer instanceof Response) return answer
    throw answer ?? new Error('asked too often')
  }
  const connection = { base: 'http://parley.test', token: 'oat_alice', fetch: fetch as typeof globalThis.fetch }
  return { requests, events: followEvents(connection, { random: () => 0, ...options }) }
}

const event = (number: number) =>
  `id: c${number}\nevent: meeting.created\ndata: ${JSON.stringify({ id: `e${number}`, type: 'meeting.created' })}\n\n`
const begin = (cursor: string) => `retry: 1\nid: ${cursor}\n\n`

async function take(events: ReturnType<typeof followEvents>, count: number): Promise<string[]> {
  const taken: string[] = []
  for await (const { id } of events) if (taken.push(id) === count) break
  return taken
}

test('asks for a stream of what was selected, with the token in a header', async () => {
  const selected = { types: ['meeting.created', 'meeting.updated'], meetingId: 'm1', after: 'c0' } as const
  const { requests, events } = followFrom([new Response(event(1) + event(2))], selected)
  assert.deepEqual(await take(events, 2), ['e1', 'e2'])
  const [{ query, headers } = assert.fail()] = requests
  assert.deepEqual(query, { follow: 'true', after: 'c0', type: 'meeting.created,meeting.updated', meetingId: 'm1' })
  assert.equal(headers.authorization, 'Bearer oat_alice')
  assert.equal(headers.accept, 'text/event-stream, application/problem+json')
})

test('goes on after the last event when the connection is lost, and after a cursor that came alone', async () => {
  const { requests, events } = followFrom([
    new Response(begin('c0') + event(1)),
    new Error('no network'),
    new Response(`${begin('c5')}`),
    new Response(event(6)),
  ])
  assert.deepEqual(await take(events, 2), ['e1', 'e6'])
  assert.deepEqual(
    requests.map(({ query }) => query.after),
    [undefined, 'c1', 'c1', 'c5'],
  )
})

test('reports a cursor once what is before it was handled, and waits until it is kept', async () => {
  const done: string[] = []
  const onCursor = async (cursor: string) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    done.push(`kept ${cursor}`)
  }
  const { events } = followFrom([new Response(begin('c0') + event(1) + event(2) + event(3))], { onCursor })
  for await (const { id } of events) {
    done.push(`begun ${id}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    done.push(`handled ${id}`)
    if (id === 'e3') break
  }
  assert.deepEqual(done, [
    'kept c0',
    'begun e1',
    'handled e1',
    'kept c1',
    'begun e2',
    'handled e2',
    'kept c2',
    'begun e3',
    // The program has left the loop: whether the event was handled, it knows itself.
    'handled e3',
  ])
})

test('a program that fails leaves the loop, and its event is sent again from the cursor that it kept', async () => {
  let cursor: string | undefined
  const onCursor = (reached: string) => {
    cursor = reached
  }
  const { events } = followFrom([new Response(event(1) + event(2))], { onCursor })
  await assert.rejects(async () => {
    for await (const { id } of events) if (id === 'e2') throw new Error('The disk is full')
  }, /disk/)
  assert.equal(cursor, 'c1')
})

test('a cursor that is too old, and a grant that was revoked, end the loop with their problem', async () => {
  for (const [status, code] of [
    [410, 'cursor_expired'],
    [401, 'unauthorized'],
  ] as const) {
    const problem = { code, status, title: 'No.', detail: 'No.' }
    const { requests, events } = followFrom([new Response(event(1)), Response.json(problem, { status })])
    const taken: string[] = []
    await assert.rejects(
      async () => {
        for await (const { id } of events) taken.push(id)
      },
      (error) => isProblem(error, code),
    )
    assert.deepEqual([taken, requests.length], [['e1'], 2])
  }
})

test('the signal ends the loop', async () => {
  const ending = new AbortController()
  const { events } = followFrom([new Response(event(1) + event(2))], { signal: ending.signal })
  const taken: string[] = []
  for await (const { id } of events) {
    taken.push(id)
    if (id === 'e2') ending.abort()
  }
  assert.deepEqual(taken, ['e1', 'e2'])
})
