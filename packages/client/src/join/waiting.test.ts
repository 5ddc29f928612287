import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from './join.ts'

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
  assert.deepEqual(room.snapshot().standing, { phase: 'waiting', state: 'waiting' })
  await room.leave()
})

test('enters again with growing delays while admissions are never found', async () => {
  const { seen, room } = wait(() => inJson(404, gone))
  await sleep(1_000)
  assert.ok(seen.knocks >= 1 && seen.knocks <= 4, `${seen.knocks} knocks`)
  assert.equal(room.snapshot().standing.phase, 'waiting')
  await room.leave()
})
