import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cancelMeeting,
  listEvents,
  listMeetings,
  listTimeZones,
  readHealth,
  readMeeting,
  readProfile,
  signIn,
  updateMeeting,
  watchRoom,
} from '@parley/contract'
import { connect, followEvents, InvalidBase, isProblem, listen, ProblemError } from './index.ts'

type Sent = { url: string; init: RequestInit }

/** A service with a constant reply, and the requests that it received. */
function serviceThatAnswers(answer: () => Response) {
  const sent: Sent[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    sent.push({ url: String(url), init })
    return answer()
  }
  return {
    sent,
    client: connect({ base: 'http://parley.test', token: 'sst_alice', fetch: fetch as typeof globalThis.fetch }),
  }
}

test('sends path, body and headers as the contract defines them', async () => {
  const { sent, client } = serviceThatAnswers(() => Response.json({ status: 'done' }))
  const reply = await client.call(cancelMeeting, {
    params: { meetingId: 'a/b c' },
    query: { sendUpdates: 'none' },
    body: { cancel: 'all' },
    idempotencyKey: 'once',
    ifMatch: '"3"',
  })
  assert.equal(reply.status, 'done')
  assert.equal(sent[0]?.url, 'http://parley.test/api/meeting/cancel/a%2Fb%20c?sendUpdates=none')
  assert.equal(sent[0]?.init.method, 'POST')
  assert.equal(sent[0]?.init.body, '{"cancel":"all"}')
  assert.deepEqual(sent[0]?.init.headers, {
    accept: 'application/json, application/problem+json',
    authorization: 'Bearer sst_alice',
    'content-type': 'application/json',
    'idempotency-key': 'once',
    'if-match': '"3"',
  })
})

test('sends no absent parts of a request', async () => {
  const { sent, client } = serviceThatAnswers(() => Response.json({ status: 'ok' }))
  await client.call(readHealth)
  assert.equal(sent[0]?.url, 'http://parley.test/healthz')
  assert.equal(sent[0]?.init.body, undefined)
  assert.deepEqual(Object.keys(Object(sent[0]?.init.headers)), ['accept', 'authorization'])
})

test('writes numbers and booleans of a query as text, and omits undefined values', async () => {
  const { sent, client } = serviceThatAnswers(() => Response.json({}))
  await client.call(listMeetings, {
    params: { userId: 'me' },
    query: { limit: 20, past: false, q: 'Jour fixe & more' },
  })
  assert.equal(sent[0]?.url, 'http://parley.test/api/meeting/me?limit=20&past=false&q=Jour+fixe+%26+more')
})

test('returns the headers of a reply on request', async () => {
  const { client } = serviceThatAnswers(() => Response.json([], { status: 200, headers: { etag: '"7"' } }))
  const { status, headers } = await client.callForResponse(readMeeting, { params: { meetingId: 'x' } })
  assert.equal(status, 200)
  assert.equal(headers.get('etag'), '"7"')
})

test('throws a problem with all its members', async () => {
  const problem = {
    type: 'http://parley.test/problems/too_many_requests',
    title: 'Too many tries.',
    status: 429,
    detail: 'Wait.',
    code: 'too_many_requests',
    requestId: '1',
  }
  const { client } = serviceThatAnswers(() => Response.json(problem, { status: 429, headers: { 'retry-after': '9' } }))
  await assert.rejects(client.call(signIn, { body: { email: 'a@b', password: 'x' } }), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.deepEqual(error.problem, problem)
    assert.equal(error.message, 'Wait.')
    assert.equal(error.headers.get('retry-after'), '9')
    return true
  })
})

test('throws a problem for an error page of a proxy', async () => {
  for (const body of ['<html>Bad gateway</html>', '', 'null', '{}']) {
    const { client } = serviceThatAnswers(() => new Response(body, { status: 502, statusText: 'Bad Gateway' }))
    await assert.rejects(client.call(readProfile), (error) => {
      assert.ok(error instanceof ProblemError)
      assert.equal(error.problem.status, 502)
      assert.equal(error.problem.code, 'unknown')
      return true
    })
  }
})

test('isProblem tells problems by their codes, and narrows the type of the code', () => {
  const problem = { type: 'about:blank', title: '', status: 404, detail: '', requestId: '' }
  const error: unknown = new ProblemError({ ...problem, code: 'meeting_not_found' }, new Headers())
  assert.ok(isProblem(error, 'forbidden', 'meeting_not_found'))
  const code: 'forbidden' | 'meeting_not_found' = error.problem.code
  assert.equal(code, 'meeting_not_found')
  assert.equal(isProblem(error, 'forbidden'), false)
  assert.equal(isProblem(new Error('meeting_not_found'), 'meeting_not_found'), false)
  // @ts-expect-error there is no such code
  assert.equal(isProblem(error, 'meeting_not_fond'), false)
})

test('a request outside the contract does not compile', () => {
  const { client } = serviceThatAnswers(() => Response.json({}))
  const mistakes = [
    // @ts-expect-error there is no such value
    () => client.call(cancelMeeting, { params: { meetingId: 'x' }, body: { cancel: 'some' } }),
    // @ts-expect-error the id is missing
    () => client.call(readMeeting),
    // @ts-expect-error the id is missing
    () => client.call(readMeeting, { params: {} }),
    // @ts-expect-error a read is not idempotent by key
    () => client.call(readProfile, { idempotencyKey: 'x' }),
    // @ts-expect-error there is no such parameter
    () => client.call(listMeetings, { params: { userId: 'me' }, query: { page: 2 } }),
    // @ts-expect-error a stream is read by followEvents
    () => client.call(listEvents, { query: { follow: true } }),
    // @ts-expect-error there is no such field in the reply
    async () => (await client.call(readProfile)).nickname,
    // @ts-expect-error a meeting cannot be updated without a body
    () => client.call(updateMeeting, { params: { meetingId: 'x' } }),
  ]
  assert.equal(mistakes.length, 8)
})

test('a slash at the end of the address makes no difference', async () => {
  for (const [base, url] of [
    ['http://parley.test', 'http://parley.test/api/time-zones'],
    ['http://parley.test/', 'http://parley.test/api/time-zones'],
    ['https://parley.test:8443//', 'https://parley.test:8443/api/time-zones'],
    ['', '/api/time-zones'],
    ['/', '/api/time-zones'],
  ] as const) {
    const sent: string[] = []
    const fetch = async (address: string | URL | Request) => {
      sent.push(String(address))
      return Response.json({ timeZones: [] })
    }
    await connect({ base, fetch }).call(listTimeZones)
    assert.deepEqual(sent, [url], base)
  }
})

test('what is no address is refused before anything is sent', async () => {
  const fetch = () => assert.fail('It was sent')
  const wrong = [
    'localhost:3000',
    'meet.example.org',
    'http://',
    'ws://a.test',
    'http://u@a.test',
    'http://a.test?b',
    'http://a.test#b',
    'http://a b',
  ]
  for (const base of wrong) {
    assert.throws(() => connect({ base, fetch }), InvalidBase, base)
    await assert.rejects(followEvents({ base, fetch }).next(), InvalidBase, base)
    await assert.rejects(listen({ base, fetch }, watchRoom, { params: { svcMeetId: '1' } }).next(), InvalidBase, base)
  }
  assert.throws(
    () => connect({ base: 'localhost:3000' }),
    /must be the address of a Parley service.*not "localhost:3000"/,
  )
})

test('a page of another server is no reply', async () => {
  const { client } = serviceThatAnswers(
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  )
  await assert.rejects(client.call(listTimeZones), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.deepEqual([error.problem.code, error.problem.status], ['unknown', 200])
    assert.match(error.message, /base does not lead to a Parley service/)
    return true
  })
})
