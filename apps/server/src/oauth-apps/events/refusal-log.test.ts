import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxCausesInHour, otherCauses } from '@parley/rules/oauth-apps/refusal-lines'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser } from '../../../test/oauth/plain-browser.ts'
import {
  backendOf,
  basic,
  causesOf,
  codeFor,
  postForm,
  revokePath,
  tokenPath,
} from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { createRefusalLog, type RecordedRefusal } from './refusal-log.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { alice, bob } = await meetPeople(app)

async function connected(name: string) {
  const planner = await approvedApp(app, bob, { name })
  const code = await codeFor(app, planner, alice, { scopes: ['user:read'], clock })
  const backend = backendOf(app, planner)
  const { body } = await backend.exchange(code)
  return { ...planner, backend, token: body.access_token as string, refreshToken: body.refresh_token as string }
}

const call = (token: string, path: string) =>
  sendRequest(app, 'GET', path, undefined, { authorization: `Bearer ${token}` })

type Line = { cause: string; requestId: string; sandbox: boolean; occurrences: number; kind: string }

async function eventsOf(appId: string, query = ''): Promise<Line[]> {
  await app.writeRefusals()
  const { body } = await bob.send('GET', `/api/oauth2/apps/${appId}/events${query}`)
  return body.events
}
const linesOf = (appId: string) => eventsOf(appId, '?kind=api_refused')

test('records a call without the scope, and one with an ended token, with their causes', async () => {
  const { appId, token, refreshToken, backend } = await connected('Refused')
  const forbidden = await call(token, '/api/meeting/me')
  await expectProblem(forbidden, 'insufficient_scope')
  await expectOk(call(token, '/api/user/profile'))
  const [line] = await linesOf(appId)
  assert.equal(
    line?.cause,
    'GET /api/meeting/:userId: 403 insufficient_scope. The access token does not carry meeting:read.',
  )
  assert.equal(line?.requestId, forbidden.headers.get('x-request-id'))

  clock.advance(1)
  await backend.revoke(refreshToken)
  const ended = await call(token, '/api/user/profile')
  await expectProblem(ended, 'unauthorized')
  const [newest, ...others] = await linesOf(appId)
  assert.match(newest?.cause ?? '', /^GET \/api\/user\/profile: 401 invalid_token\. /)
  assert.equal(newest?.requestId, ended.headers.get('x-request-id'))
  assert.equal(others.length, 1)
})

test('records a call with a token for the MCP server, and how to get one for the API', async () => {
  const planner = await approvedApp(app, bob, { name: 'Elsewhere' })
  const code = await codeFor(app, planner, alice, { scopes: ['user:read'], clock, resource: 'mcp' })
  const { body } = await backendOf(app, planner).exchange(code)
  await expectProblem(call(body.access_token, '/api/user/profile'), 'unauthorized')
  assert.deepEqual(
    (await linesOf(planner.appId)).map(({ cause }) => cause),
    ['GET /api/user/profile: 401 invalid_token. The access token is not for the API; request one without resource.'],
  )
})

test('names the cause of a token’s end: expired, disconnected, suspended', async () => {
  const disconnected = await connected('Disconnected')
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  const grant = body.grants.find((one: { app: { name: string } }) => one.app.name === 'Disconnected')
  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${grant._id}`))
  await expectProblem(call(disconnected.token, '/api/user/profile'), 'unauthorized')
  assert.match((await linesOf(disconnected.appId))[0]?.cause ?? '', /The app was disconnected\.$/)

  const old = await connected('Old')
  clock.advance(24 * 60 * 60 * 1000)
  await expectProblem(call(old.token, '/api/user/profile'), 'unauthorized')
  assert.match((await linesOf(old.appId))[0]?.cause ?? '', /The access token has expired: refresh it\.$/)

  const stopped = await connected('Stopped')
  await app.database.updateTable('app').set({ status: 'suspended' }).where('id', '=', stopped.appId).execute()
  await expectProblem(call(stopped.token, '/api/user/profile'), 'unauthorized')
  assert.match((await linesOf(stopped.appId))[0]?.cause ?? '', /The app is suspended\.$/)
})

/** A log of its own, whose statements are counted. */
function countedLog() {
  let written = 0
  const database = app.database.withPlugin({
    transformQuery({ node }) {
      written++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const log = createLog({ level: 'silent', destination: { write() {} } })
  return { refusals: createRefusalLog({ database, random: secureRandom, log }), statements: () => written }
}

const refusalOf = (appId: string, cause: string, more: Partial<RecordedRefusal> = {}): RecordedRefusal => ({
  appId,
  sandbox: false,
  kind: 'client_refused',
  cause,
  requestId: secureRandom.uuid(clock.now()),
  now: clock.now(),
  ...more,
})

test('causes that a cut makes equal share a line, and no refusal of another app is lost by them', async () => {
  clock.set('2030-02-01T08:00:00Z')
  const { appId } = await approvedApp(app, bob, { name: 'Cut' })
  const { appId: otherId } = await approvedApp(app, bob, { name: 'Beside the cut' })
  const { refusals } = countedLog()
  // The cut at 500 characters leaves half a character of each, and PostgreSQL stores both halves alike.
  for (const cut of ['\u{1f600}', '\u{1d49c}']) refusals.record(refusalOf(appId, `${'x'.repeat(499)}${cut}`))
  refusals.record(refusalOf(otherId, 'The client secret is wrong.'))
  await refusals.flush()
  const [cut, ...more] = await eventsOf(appId, '?kind=client_refused')
  assert.deepEqual([cut?.cause, cut?.occurrences, more.length], [`${'x'.repeat(499)}\ufffd`, 2, 0])
  assert.equal((await eventsOf(otherId, '?kind=client_refused')).length, 1)
})

test('a flood of one cause leaves one line an hour, which counts it, for a few statements', async () => {
  clock.set('2030-02-01T10:00:00Z')
  const { appId } = await approvedApp(app, bob, { name: 'Flood' })
  const { refusals, statements } = countedLog()
  for (let at = 0; at < 10_000; at++) refusals.record(refusalOf(appId, 'The client secret is wrong.'))
  await refusals.flush()
  assert.ok(statements() <= 2, `${statements()} statements`)
  clock.set('2030-02-01T10:59:59.999Z')
  const newest = refusalOf(appId, 'The client secret is wrong.')
  refusals.record(newest)
  await refusals.flush()
  const [line, ...others] = await eventsOf(appId, '?kind=client_refused')
  assert.deepEqual([line?.occurrences, line?.requestId, others.length], [10_001, newest.requestId, 0])

  clock.set('2030-02-01T11:00:00Z')
  refusals.record(refusalOf(appId, 'The client secret is wrong.'))
  await refusals.flush()
  const counts = (await eventsOf(appId, '?kind=client_refused')).map(({ occurrences }) => occurrences)
  assert.deepEqual(counts, [1, 10_001])
})

test('a flood of different causes is bounded, and does not hide other kinds', async () => {
  clock.set('2030-02-02T10:00:00Z')
  const { appId } = await approvedApp(app, bob, { name: 'Invented' })
  const { refusals } = countedLog()
  for (let batch = 0; batch < 10; batch++) {
    for (let at = 0; at < 100; at++) {
      refusals.record(refusalOf(appId, `The redirect_uri ${batch}-${at} is wrong.`, { kind: 'authorization_refused' }))
    }
    await refusals.flush()
  }
  refusals.record(refusalOf(appId, 'The client secret is wrong.'))
  await refusals.flush()
  const lines = await eventsOf(appId, '?kind=authorization_refused&limit=200')
  assert.equal(lines.length, maxCausesInHour + 1)
  assert.equal(
    lines.reduce((sum, { occurrences }) => sum + occurrences, 0),
    1_000,
  )
  assert.equal(lines.filter(({ cause }) => cause === otherCauses).length, 1)
  assert.deepEqual(
    (await eventsOf(appId, '?kind=client_refused')).map(({ occurrences }) => occurrences),
    [1],
  )
})

test('wrong secrets are one cause, however many different ones are tried at once', async () => {
  const { appId } = await approvedApp(app, bob, { name: 'Guessed at' })
  const { refusals } = countedLog()
  for (let at = 0; at < 100; at++) {
    refusals.record(refusalOf(appId, 'The client secret is wrong.', { triedSecretHash: secureRandom.bytes(32) }))
  }
  await refusals.flush()
  const lines = await eventsOf(appId, '?kind=client_refused')
  assert.deepEqual(
    lines.map(({ cause, occurrences }) => [cause, occurrences]),
    [['The client secret is wrong.', 100]],
  )
})

test('two instances count on the same line', async () => {
  const { appId } = await approvedApp(app, bob, { name: 'Twice' })
  const logs = [countedLog(), countedLog()]
  for (const { refusals } of logs) {
    for (const cause of ['One.', 'Two.', 'Three.']) refusals.record(refusalOf(appId, cause))
  }
  await Promise.all(logs.map(({ refusals }) => refusals.flush()))
  const lines = await eventsOf(appId, '?kind=client_refused')
  assert.deepEqual(lines.map(({ cause, occurrences }) => `${cause} ${occurrences}`).toSorted(), [
    'One. 2',
    'Three. 2',
    'Two. 2',
  ])
})

test('a secret of the other environment is called that', async () => {
  const planner = await approvedApp(app, bob, { name: 'Mixed up' })
  const tries = [
    basic(planner.sandboxClientId, planner.clientSecret),
    basic(planner.clientId, planner.sandboxClientSecret),
    basic(planner.clientId, 'wrong'),
  ]
  for (const authorization of tries) {
    const { status, body } = await postForm(app, tokenPath, {}, { authorization })
    assert.deepEqual([status, body.error_description], [401, 'The client could not be authenticated.'])
  }
  assert.deepEqual((await causesOf(app, planner)).toSorted(), [
    'client_refused: The client secret is wrong.',
    'client_refused: This is the live secret "Server"; the client id is the sandbox\'s.',
    'client_refused: This is the sandbox secret "Server"; the client id is the live one.',
  ])
})

test('a body that is no form is explained to the sender, and to the developer of the app that it names', async () => {
  const planner = await approvedApp(app, bob, { name: 'JSON' })
  const { clientId, clientSecret } = planner
  const sent = [
    { headers: { authorization: basic(clientId, clientSecret) }, body: { grant_type: 'authorization_code' } },
    { headers: {}, body: { client_id: clientId, client_secret: clientSecret } },
    { headers: {}, body: { client_id: 'unknown' } },
    { headers: {}, body: 'not an object' },
  ]
  const description = 'Send the parameters as application/x-www-form-urlencoded; this body is application/json.'
  for (const { headers, body } of sent) {
    for (const path of [tokenPath, revokePath]) {
      const answer = await sendRequest(app, 'POST', path, body, headers)
      const { error, error_description, request_id } = answer.body
      assert.deepEqual([answer.status, error, error_description], [400, 'invalid_request', description])
      assert.equal(request_id, answer.headers.get('x-request-id'))
    }
  }
  const [line, ...others] = await eventsOf(planner.appId, '?kind=client_refused')
  assert.deepEqual([line?.cause, line?.occurrences, others.length], [description, 4, 0])
})

test('invalid_scope names the scopes in the log, and not on the redirect', async () => {
  const { appId, clientId } = await approvedApp(app, bob, { name: 'Greedy', scopes: ['user:read'] })
  const wanted = 'user:read meeting:read foo'
  const query = { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code', scope: wanted }
  const { location = '' } = await createPlainBrowser(app).get(authorizeUrl(app, query))
  assert.equal(new URL(location).searchParams.get('error'), 'invalid_scope')
  assert.doesNotMatch(location, /foo/)
  const [line] = await eventsOf(appId, '?limit=1')
  assert.equal(line?.cause, 'invalid_scope: the app is not approved for meeting:read, foo')
})
