import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople } from '../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../test/start-app.ts'
import { ProblemError } from '../platform/http/problem.ts'
import type { AppRefusal } from './app-refusals.ts'
import { createAuthenticate } from './authenticate.ts'
import type { UsedTable } from './credentials/last-use.ts'
import { requireRight } from './require-right.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice } = await meetPeople(service)
const planner = await approvedApp(service, olga)

const refusals: AppRefusal[] = []
const usedTables: UsedTable[] = []
const { database } = service
const authenticate = createAuthenticate({
  database,
  clock,
  lastUse: { record: (table) => usedTables.push(table), flush: async () => {} },
  baseUrl: publicAddress,
  emailVerification: 'off',
  recordAppRefusal: (refusal) => refusals.push(refusal),
})
const request = (headers: Record<string, string>) =>
  ({
    id: 'r',
    method: 'POST',
    routeOptions: { url: '/mcp' },
    headers,
    raw: { rawHeaders: Object.entries(headers).flat() },
  }) as unknown as FastifyRequest
const bearer = (token: string) => request({ authorization: `Bearer ${token}` })

async function challengeOf(refused: Promise<unknown>): Promise<unknown> {
  const error = await refused.then(
    () => assert.fail('was accepted'),
    (reason) => reason,
  )
  assert.ok(error instanceof ProblemError, String(error))
  return error.headers['www-authenticate']
}

const metadata = `resource_metadata="${publicAddress}/.well-known/oauth-protected-resource/mcp"`

test('the MCP server takes the tokens of apps that are for it', async () => {
  const { access_token: token } = await tokensFor(service, planner, alice, { clock, resource: 'mcp' })
  const caller = await authenticate(bearer(token), 'mcp')
  assert.equal(caller.accountId, alice.profile._id)
  assert.equal(caller.credential.kind, 'oauth')
})

test('the MCP server refuses all other tokens, and the API its tokens; the log of the app says why', async () => {
  const [none, api, mcp] = await Promise.all(
    ([undefined, 'api', 'mcp'] as const).map((resource) =>
      tokensFor(service, planner, alice, { clock, ...(resource && { resource }) }),
    ),
  )
  assert.ok(none && api && mcp)
  const challenge = (description: string) =>
    `Bearer error="invalid_token", error_description="${description}", scope="meeting:read", ${metadata}`
  const takesOthers = challenge('The MCP server takes access tokens of apps that are for it.')
  for (const token of [alice.token, mcp.refresh_token]) {
    assert.equal(await challengeOf(authenticate(bearer(token), 'mcp')), takesOthers)
  }
  for (const token of [none.access_token, api.access_token]) {
    const notForIt = challenge('The token is not for the MCP server.')
    assert.equal(await challengeOf(authenticate(bearer(token), 'mcp')), notForIt)
  }
  const malformed = challenge('The token is malformed: it is incomplete, or not one of this service.')
  assert.equal(await challengeOf(authenticate(bearer('x'), 'mcp')), malformed)
  const pat = await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  assert.equal(await challengeOf(authenticate(bearer(pat.body.token), 'mcp')), takesOthers)
  assert.match(String(await challengeOf(authenticate(bearer(mcp.access_token)))), /oauth-protected-resource"$/)
  assert.deepEqual(
    refusals.flatMap((refusal) => (refusal.kind === 'wrong_resource' ? [[refusal.appId, refusal.resource]] : [])),
    [
      [planner.appId, 'mcp'],
      [planner.appId, 'mcp'],
      [planner.appId, 'api'],
    ],
  )
})

test('without a token, the MCP server names its metadata and the scope to begin with, also to a signed-in browser', async () => {
  const challenge = `Bearer scope="meeting:read", ${metadata}`
  assert.equal(await challengeOf(authenticate(request({}), 'mcp')), challenge)
  const cookie = { cookie: `parley_session=${alice.token}`, origin: publicAddress }
  assert.equal(await challengeOf(authenticate(request(cookie), 'mcp')), challenge)
})

test('a tool that needs several scopes names all of them at once', async () => {
  const { access_token: token } = await tokensFor(service, planner, alice, { clock, resource: 'mcp' })
  const caller = await authenticate(bearer(token), 'mcp')
  const tool = { access: 'meeting:join', furtherScopes: ['meeting:update'] } as const
  const asking = Promise.resolve().then(() => requireRight(tool, caller, publicAddress, 'mcp'))
  assert.equal(
    await challengeOf(asking),
    `Bearer error="insufficient_scope", scope="meeting:join meeting:update", ${metadata}`,
  )
})

test('a person is seen by a session, and not by a token, which a program may use alone', async () => {
  const { body } = await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['user:read'] })
  usedTables.length = 0
  await authenticate(bearer(body.token))
  assert.deepEqual(usedTables, ['personalToken'])
  usedTables.length = 0
  await authenticate(bearer(alice.token))
  assert.deepEqual(usedTables, ['account', 'session'])
})
