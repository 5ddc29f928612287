import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser } from '../../../test/oauth/plain-browser.ts'
import { backendOf, codeFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { createApiRefusalLog, maxLinesOfApp, repeatMs } from './api-refusal-log.ts'

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

/** The lines that are written a second later, once they are there. */
async function linesOf(appId: string, least: number) {
  for (let tries = 0; ; tries++) {
    const { body } = await bob.send('GET', `/api/oauth2/apps/${appId}/events`)
    const lines = body.events.filter(({ kind }: { kind: string }) => kind === 'api_refused')
    if (lines.length >= least || tries > 100) return lines as { cause: string; requestId: string; sandbox: boolean }[]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('records a call without the scope, and one with an ended token, with their causes', async () => {
  const { appId, token, refreshToken, backend } = await connected('Refused')
  const forbidden = await call(token, '/api/meeting/me')
  assert.equal(forbidden.status, 403)
  assert.equal((await call(token, '/api/user/profile')).status, 200)
  const [line] = await linesOf(appId, 1)
  assert.equal(
    line?.cause,
    'GET /api/meeting/:userId: 403 insufficient_scope. The access token does not carry meeting:read.',
  )
  assert.equal(line?.requestId, forbidden.headers.get('x-request-id'))

  clock.advance(1)
  await backend.revoke(refreshToken)
  const ended = await call(token, '/api/user/profile')
  assert.equal(ended.status, 401)
  const [newest, ...others] = await linesOf(appId, 2)
  assert.match(newest?.cause ?? '', /^GET \/api\/user\/profile: 401 invalid_token\. /)
  assert.equal(newest?.requestId, ended.headers.get('x-request-id'))
  assert.equal(others.length, 1)
})

test('records a call with a token for the MCP server, and how to get one for the API', async () => {
  const planner = await approvedApp(app, bob, { name: 'Elsewhere' })
  const code = await codeFor(app, planner, alice, { scopes: ['user:read'], clock, resource: 'mcp' })
  const { body } = await backendOf(app, planner).exchange(code)
  assert.equal((await call(body.access_token, '/api/user/profile')).status, 401)
  assert.deepEqual(
    (await linesOf(planner.appId, 1)).map(({ cause }) => cause),
    ['GET /api/user/profile: 401 invalid_token. The access token is not for the API; request one without resource.'],
  )
})

test('names the cause of a token’s end: expired, disconnected, suspended', async () => {
  const disconnected = await connected('Disconnected')
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  const grant = body.grants.find((one: { app: { name: string } }) => one.app.name === 'Disconnected')
  assert.equal((await alice.send('DELETE', `/api/oauth2/grants/${grant._id}`)).status, 200)
  assert.equal((await call(disconnected.token, '/api/user/profile')).status, 401)
  assert.match((await linesOf(disconnected.appId, 1))[0]?.cause ?? '', /The app was disconnected\.$/)

  const old = await connected('Old')
  clock.advance(24 * 60 * 60 * 1000)
  assert.equal((await call(old.token, '/api/user/profile')).status, 401)
  assert.match((await linesOf(old.appId, 1))[0]?.cause ?? '', /The access token has expired: refresh it\.$/)

  const stopped = await connected('Stopped')
  await app.database.updateTable('app').set({ status: 'suspended' }).where('id', '=', stopped.appId).execute()
  assert.equal((await call(stopped.token, '/api/user/profile')).status, 401)
  assert.match((await linesOf(stopped.appId, 1))[0]?.cause ?? '', /The app is suspended\.$/)
})

test('a flood leaves one line and a count of the others; an app gets a few lines a minute', async () => {
  const { appId } = await approvedApp(app, bob, { name: 'Flood' })
  const log = createLog({ level: 'silent', destination: { write() {} } })
  const refusals = createApiRefusalLog({ database: app.database, clock, random: secureRandom, log })
  const refuse = (endpoint: string) =>
    refusals.record({
      kind: 'insufficient_scope',
      appId,
      sandbox: false,
      missing: ['meeting:read'],
      requestId: 'r',
      endpoint,
    })
  for (let at = 0; at < 1_000; at++) refuse('GET /one')
  await refusals.flush()
  assert.equal((await linesOf(appId, 1)).length, 1)
  clock.advance(repeatMs)
  refuse('GET /one')
  await refusals.flush()
  const [second] = await linesOf(appId, 2)
  assert.match(second?.cause ?? '', /The same was refused 999 times more since the line before\.$/)

  clock.advance(repeatMs)
  for (let at = 0; at < maxLinesOfApp + 5; at++) refuse(`GET /${at}`)
  await refusals.flush()
  assert.equal((await linesOf(appId, maxLinesOfApp + 2)).length, maxLinesOfApp + 2)
})

test('invalid_scope names the scopes in the log, and not on the redirect', async () => {
  const { appId, clientId } = await approvedApp(app, bob, { name: 'Greedy', scopes: ['user:read'] })
  const wanted = 'user:read meeting:read foo'
  const query = { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code', scope: wanted }
  const { location = '' } = await createPlainBrowser(app).get(authorizeUrl(app, query))
  assert.equal(new URL(location).searchParams.get('error'), 'invalid_scope')
  assert.doesNotMatch(location, /foo/)
  const { body } = await bob.send('GET', `/api/oauth2/apps/${appId}/events?limit=1`)
  assert.equal(body.events[0].cause, 'invalid_scope: the app is not approved for meeting:read, foo')
})
