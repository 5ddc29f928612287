import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const alice = await signUp(app, 'Alice')
const planner = 'https://planner.example'

const ask = (method: string, path: string, headers: Record<string, string>) =>
  fetch(app.base + path, { method, headers: { origin: planner, ...headers } })
const preflight = (path: string, headers: string, method = 'GET') =>
  ask('OPTIONS', path, { 'access-control-request-method': method, 'access-control-request-headers': headers })
const cors = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

test('a page of another origin may send requests with a token, and read the reply', async () => {
  const allowed = await preflight('/api/rooms/8123456789/enter', 'authorization,content-type', 'POST')
  assert.equal(allowed.status, 204)
  assert.equal(await allowed.text(), '')
  assert.deepEqual(cors(allowed), {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer',
    'access-control-max-age': '7200',
  })
  const read = await ask('GET', '/api/my_profile', { authorization: `Bearer ${alice.token}` })
  assert.equal(read.status, 200)
  assert.deepEqual(cors(read), {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Idempotency-Replayed, Preference-Applied, Retry-After, X-Request-Id',
  })
})

test('pages may read refusals as well, also of unknown addresses', async () => {
  for (const [path, status] of [
    ['/api/my_profile', 401],
    ['/api/nowhere', 404],
  ] as const) {
    const refused = await ask('GET', path, { authorization: 'Bearer oat_wrong' })
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [status, '*'])
  }
})

test('allows nothing without a token, with a cookie, with an app’s secret, or outside the API', async () => {
  const cookie = { cookie: `parley_session=${alice.token}` }
  const asked: [string, Promise<Response>, number][] = [
    ['no token', ask('GET', '/api/service', {}), 200],
    ['a cookie', ask('GET', '/api/my_profile', cookie), 200],
    ['a secret', ask('POST', '/api/oauth2/v2/token', { authorization: `Basic ${btoa('app:secret')}` }), 401],
    ['a page', ask('GET', '/healthz', { authorization: `Bearer ${alice.token}` }), 200],
    ['a question for no token', preflight('/api/my_profile', 'content-type'), 405],
    ['a question for a page', preflight('/oauth2/authorize', 'authorization'), 405],
    ['no question', ask('OPTIONS', '/api/my_profile', {}), 405],
  ]
  for (const [what, answer, status] of asked) {
    const { status: got } = await answer
    assert.deepEqual([what, got, cors(await answer)], [what, status, {}])
  }
})

test('pages may read the metadata of OAuth, with any header', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp']) {
    const read = await ask('GET', path, { 'mcp-protocol-version': '2026-07-28' })
    assert.deepEqual([read.status, cors(read)], [200, { 'access-control-allow-origin': '*' }])
    const allowed = await preflight(path, 'mcp-protocol-version')
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-headers'), '*')
    assert.equal((await preflight(path, 'mcp-protocol-version', 'POST')).status, 405)
  }
})

test('never allows cookies', async () => {
  for (const answer of [
    await preflight('/api/my_profile', 'authorization'),
    await ask('GET', '/api/my_profile', { authorization: `Bearer ${alice.token}` }),
  ]) {
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.equal(answer.headers.get('set-cookie'), null)
  }
})
