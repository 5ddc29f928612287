import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidBase, join } from './join.ts'

const waiting = { state: 'waiting', admissionId: '019b0000-0000-7000-8000-000000000001', role: 'participant' }
const gone = { type: '', status: 404, code: 'admission_not_found', title: '', detail: '', requestId: '' }
const inJson = (status: number, body: object) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' },
  })
/** A stream that reports the state once and breaks off. */
const broken = () =>
  new Response(`retry: 10\n\ndata: ${JSON.stringify({ ...waiting, hardMuted: false, unmuteAskedOn: null })}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })

/** A waiting participant; `listening` returns the response to the nth request of the stream. */
function wait(listening: (time: number) => Response) {
  const seen = { knocks: 0, listens: 0 }
  const fetch = async (address: string | URL | Request) => {
    if (!String(address).endsWith('/enter')) return listening(++seen.listens)
    seen.knocks += 1
    return inJson(200, waiting)
  }
  return { seen, room: join({ base: 'http://parley.test', svcMeetId: '1234567890', pin: 'abcdef', fetch }) }
}

test('enters again and continues to wait when the admission has been deleted', async () => {
  const { seen, room } = wait((time) => (time % 2 === 1 ? broken() : inJson(404, gone)))
  while (seen.knocks < 3) await sleep(10)
  assert.deepEqual(room.snapshot().status, { phase: 'waiting', state: 'waiting' })
  await room.leave()
})

test('enters again with growing delays while admissions are never found', async () => {
  const { seen, room } = wait(() => inJson(404, gone))
  await sleep(1_000)
  assert.ok(seen.knocks >= 1 && seen.knocks <= 4, `${seen.knocks} knocks`)
  assert.equal(room.snapshot().status.phase, 'waiting')
  await room.leave()
})

test('shows why it cannot ask, and asks again', async () => {
  const errors = [new TypeError('Failed to fetch'), new TypeError('Failed to fetch')]
  const fetch = async (address: string | URL | Request) => {
    const error = errors.shift()
    if (error !== undefined) throw error
    return String(address).endsWith('/enter') ? inJson(200, waiting) : broken()
  }
  const room = join({ base: 'http://wrong.test/', svcMeetId: '1234567890', fetch })
  const seen: unknown[] = []
  room.subscribe(() => seen.push(room.snapshot().status))
  while (room.snapshot().status.phase === 'requesting') await sleep(10)
  const failing = (attempts: number) => ({
    phase: 'requesting',
    failing: { attempts, error: new TypeError('Failed to fetch') },
  })
  assert.deepEqual(seen.slice(0, 2), [failing(1), failing(2)])
  assert.equal(room.snapshot().status.phase, 'waiting')
  await room.leave()
})

test('an address of another server ends the attempt with what is wrong, and what is no address begins none', async () => {
  const page = () => new Response('<!doctype html>', { status: 200, headers: { 'content-type': 'text/html' } })
  for (const answer of [page, () => new Response('', { status: 404 })]) {
    const room = join({ base: '', svcMeetId: '1234567890', fetch: async () => answer() })
    while (room.snapshot().status.phase !== 'over') await sleep(1)
    const { status } = room.snapshot()
    assert.ok(status.phase === 'over' && status.end.reason === 'failed')
    assert.equal(status.end.problem.code, 'unknown')
  }
  assert.throws(() => join({ base: 'localhost:3000', svcMeetId: '1234567890' }), InvalidBase)
})
