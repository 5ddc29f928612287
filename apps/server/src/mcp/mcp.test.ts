import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'
import {
  assistantApp,
  assistantToken,
  connectAssistant,
  postMcp,
  toolCall,
  useAssistant,
} from '../../test/mcp/assistant.ts'
import { causesOf, tokensFor } from '../../test/oauth/token-client.ts'
import { schedule, sendRequest, standUp } from '../../test/people.ts'
import { configOf } from '../../test/read-config.ts'
import { createClock, errorsIn, publicAddress, startApp } from '../../test/start-app.ts'
import type { AuthenticatedCaller } from '../access/caller.ts'
import { createRequestLimits, requesterLimits } from '../access/request-limits.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createEncryption } from '../platform/encryption.ts'
import { refuseOverload } from '../platform/http/overload.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import { registerMcp } from './mcp.ts'
import { defineTool, toolInput } from './tool.ts'

const { app, clock, olga, meet, registered, tokenFor } = await useAssistant({ emails: 'dropped' })

/** Meet Alice, with the token of her assistant. */
async function meetAlice() {
  const [alice] = await meet('Alice')
  const token = await tokenFor(alice)
  return { alice, token, bearer: { authorization: `Bearer ${token}` } }
}
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
/** A message as clients of revision 2026-07-28 send it. */
const enveloped = (method: string, params: object, protocolVersion = '2026-07-28') => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const challengeOf = (response: Response) => String(response.headers.get('www-authenticate'))

test('refuses everyone but the user of an app’s token, and says where to get one', async () => {
  const { alice, token, bearer } = await meetAlice()
  const first = await postMcp(app, list)
  assert.equal(first.status, 401)
  assert.match(
    challengeOf(first),
    /^Bearer scope="meeting:read", resource_metadata="http:\/\/parley\.test\/\.well-known\/oauth-protected-resource\/mcp"$/,
  )

  const personal = await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  const { access_token: ofApi } = await tokensFor(app, registered, alice, { clock })
  const others = [ofApi, alice.token, personal.body.token, `${token}x`, 'oat_nothing', '']
  for (const other of others) {
    const refused = await postMcp(app, list, { authorization: `Bearer ${other}` })
    assert.equal(refused.status, 401, other)
    assert.match(
      challengeOf(refused),
      /error="invalid_token", error_description="[^"]+", scope="meeting:read", resource_metadata=/,
    )
  }
  // Nor is a token for this server one for the API.
  assert.equal((await sendRequest(app, 'GET', '/api/meeting/me', undefined, bearer)).status, 401)
  const cookie = await postMcp(app, list, { cookie: `parley_session=${alice.token}`, origin: publicAddress })
  assert.equal(cookie.status, 401)
  assert.doesNotMatch(challengeOf(cookie), /error=/)
})

test('refuses pages of other origins, and names that were made to point here', async () => {
  const { bearer } = await meetAlice()
  for (const origin of ['https://evil.example', 'null', 'http://parley.test:8080']) {
    const refused = await postMcp(app, list, { ...bearer, origin })
    assert.deepEqual([refused.status, (await refused.json()).code], [403, 'cross_origin'], origin)
  }
  assert.equal((await postMcp(app, list, { ...bearer, origin: publicAddress })).status, 200)

  const statusWithHost = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        ...bearer,
        host,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const sent = httpRequest(`${app.base}/mcp`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(list))
    })
  for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', 'parley.test.evil.example']) {
    assert.equal(await statusWithHost(host), 403, host)
  }
  for (const host of [
    'parley.test',
    'PARLEY.test:443',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.0.2.1',
  ]) {
    assert.equal(await statusWithHost(host), 200, host)
  }
})

test('behind a trusted proxy, which writes another Host, only Origin counts', async () => {
  const { bearer } = await meetAlice()
  const proxied = await startApp({ beside: app, environment: { RATE_LIMITS: 'off', TRUST_PROXY: '127.0.0.1' } })
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      ...bearer,
      host: 'upstream',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const sent = httpRequest(`${proxied.base}/mcp`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(list))
  })
  assert.equal(status, 200)
  assert.equal((await postMcp(proxied, list, { ...bearer, origin: 'https://evil.example' })).status, 403)
})

test('takes one message in each POST, and no other method', async () => {
  const { bearer } = await meetAlice()
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    const refused = await fetch(`${app.base}/mcp`, { method, headers: bearer })
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST'], method)
  }
  const sent: [unknown, Record<string, string>, number][] = [
    [[list, { ...list, id: 2 }], {}, 400],
    ['{"jsonrpc":', {}, 400],
    ['{}', { 'content-type': 'text/plain' }, 415],
    [{ ...list, padding: 'x'.repeat(1024 * 1024) }, {}, 413],
    ['{"jsonrpc":"2.0"}', {}, 400],
    [{ jsonrpc: '2.0', id: 1, result: {} }, {}, 202],
  ]
  for (const [message, headers, status] of sent) {
    const answered = await postMcp(app, message, { ...bearer, ...headers })
    assert.equal(answered.status, status, JSON.stringify(message).slice(0, 60))
  }
})

test('says which revisions it speaks, and begins no session with clients of former ones', async () => {
  const { token, bearer } = await meetAlice()
  const assistant = await connectAssistant(app, token)
  assert.deepEqual(assistant.client.getServerVersion()?.name, 'parley')
  assert.match(String(assistant.client.getInstructions()), /propose_meeting/)
  assert.deepEqual(assistant.client.getServerCapabilities(), { tools: { listChanged: false } })

  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
  const begun = await postMcp(app, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, bearer)
  assert.equal(begun.status, 200)
  assert.equal(begun.headers.get('mcp-session-id'), null)
  assert.match(await begun.text(), /"protocolVersion":"2025-06-18"/)
  assert.equal(begun.headers.get('cache-control'), 'no-store')

  const unknown = await postMcp(app, enveloped('tools/list', {}, '2099-01-01'), {
    ...bearer,
    'mcp-protocol-version': '2099-01-01',
    'mcp-method': 'tools/list',
  })
  assert.equal(unknown.status, 400)
  assert.deepEqual((await unknown.json()).error.data.supported, ['2026-07-28'])
})

test('lists all tools to everyone, described and annotated, whatever their scopes', async () => {
  const { alice, token } = await meetAlice()
  const narrow = await connectAssistant(app, await tokenFor(alice, { scopes: ['meeting:join'] }))
  const wide = await connectAssistant(app, token)
  const { tools } = await narrow.client.listTools()
  assert.deepEqual(tools, (await wide.client.listTools()).tools)
  assert.ok(tools.length > 0)
  for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
    assert.match(name, /^[a-z_]+$/)
    assert.ok(title && description && description.length > 40, name)
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
    assert.deepEqual(Object.keys(annotations ?? {}).toSorted(), hints.toSorted(), name)
    assert.equal(inputSchema.additionalProperties, false, name)
    assert.equal(outputSchema?.type, 'object', name)
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      assert.ok(Object(schema).description, `${name} describes ${field}`)
    }
  }
})

const occurrence = { meetingId: 'x', occurrence: 'one', originalStart: '2027-03-29T07:00:00Z' }
const scopesOfTools: [string, object, string][] = [
  ['who_am_i', {}, 'user:read'],
  ['find_time', {}, 'meeting:read'],
  ['list_meetings', {}, 'meeting:read'],
  ['get_meeting', {}, 'meeting:read'],
  ['join_link', {}, 'meeting:read'],
  ['propose_meeting', {}, 'meeting:create meeting:read'],
  ['schedule_meeting', {}, 'meeting:create'],
  ['change_meeting', { ...occurrence, occurrence: 'all' }, 'meeting:read meeting:update'],
  ['change_meeting', occurrence, 'meeting:read meeting:update'],
  ['change_meeting', { ...occurrence, occurrence: 'following' }, 'meeting:read meeting:update meeting:create'],
  ['cancel_meeting', {}, 'meeting:read meeting:delete'],
  ['restore_meeting', {}, 'meeting:read meeting:update'],
  ['respond_to_invitation', {}, 'meeting:join'],
]

test('a call without the scopes of its tool is a 403 that names them all', async () => {
  const { alice } = await meetAlice()
  const [toJoin, toRead] = [
    await tokenFor(alice, { scopes: ['meeting:join'] }),
    await tokenFor(alice, { scopes: ['user:read'] }),
  ]
  const { tools } = await (await connectAssistant(app, toJoin)).client.listTools()
  assert.deepEqual(new Set(scopesOfTools.map(([name]) => name)), new Set(tools.map(({ name }) => name)))
  for (const [name, input, scopes] of scopesOfTools) {
    const token = scopes === 'meeting:join' ? toRead : toJoin
    const refused = await postMcp(app, toolCall(name, input), { authorization: `Bearer ${token}` })
    assert.equal(refused.status, 403, name)
    assert.match(challengeOf(refused), new RegExp(`^Bearer error="insufficient_scope".* scope="${scopes}"`), name)
  }
})

test('a call beyond the scopes says so in both forms of the protocol, and in the log of the app', async () => {
  const { alice } = await meetAlice()
  const instance = await startApp({ beside: app, environment: { RATE_LIMITS: 'off' } })
  const narrow = await tokenFor(alice, { scopes: ['meeting:join'] })
  const refused = await postMcp(instance, toolCall('who_am_i'), { authorization: `Bearer ${narrow}` })
  assert.equal(refused.status, 403)
  assert.match(
    challengeOf(refused),
    /resource_metadata="http:\/\/parley\.test\/\.well-known\/oauth-protected-resource\/mcp"/,
  )

  const assistant = await connectAssistant(instance, narrow)
  await assert.rejects(assistant.call('who_am_i'), { name: 'InsufficientScopeError' })
  // Its developer reads why: the instance writes its log when it ends, at the latest.
  await instance.close()
  const causes = await causesOf(app, registered)
  const expected =
    'api_refused: POST /mcp (who_am_i): 403 insufficient_scope. The access token does not carry user:read.'
  assert.ok(causes.includes(expected), JSON.stringify(causes))
})

test('a grant that Alice ends is refused from the next request on', async () => {
  const { alice } = await meetAlice()
  const other = await assistantApp(app, olga, 'Other')
  const assistant = await connectAssistant(app, await assistantToken(app, other, alice, { clock }))
  await assistant.done('who_am_i')
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  const grant = body.grants.find(({ app: { name } }: { app: { name: string } }) => name === 'Other')
  assert.equal((await alice.send('DELETE', `/api/oauth2/grants/${grant._id}`)).status, 200)
  await assert.rejects(assistant.call('who_am_i'), { message: /401/ })
})

test('a subscription is acknowledged and ends at once, because no list changes', async () => {
  const { token, bearer } = await meetAlice()
  const assistant = await connectAssistant(app, token)
  const message = enveloped('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const headers = { ...bearer, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const answered = await postMcp(app, message, headers)
  assert.equal(answered.headers.get('content-type'), 'text/event-stream')
  assert.match(await answered.text(), /notifications\/subscriptions\/acknowledged[\s\S]*"resultType":"complete"/)
  await assistant.done('who_am_i')
})

test('the log names the tool, and neither arguments nor the token', async () => {
  const { token, bearer } = await meetAlice()
  const before = app.logged.length
  await postMcp(app, toolCall('who_am_i'), bearer)
  await postMcp(app, toolCall('who_am_i', { secretOfAlice: 'private text' }), bearer)
  await postMcp(app, toolCall('no_such_tool', { secretOfAlice: 'private text' }), bearer)
  const logged = app.logged.slice(before)
  const lines = logged.join('')
  assert.match(lines, /"tool":"who_am_i"/)
  assert.doesNotMatch(lines, /private text|secretOfAlice/)
  assert.ok(!lines.includes(token))
  assert.deepEqual(errorsIn(logged), [])
})

const nested = (depth: number): unknown => (depth === 0 ? 1 : { more: nested(depth - 1) })

test('no message, whatever it holds, is an error of the service', async () => {
  const { alice, token, bearer } = await meetAlice()
  const assistant = await connectAssistant(app, token)
  const meeting = await schedule(alice, standUp())
  const before = app.logged.length
  const values: unknown[] = [
    null,
    0,
    -1,
    1e308,
    '',
    '\u0000',
    '\ud83d',
    'x'.repeat(300_000),
    [],
    {},
    [null],
    nested(100),
    { __proto__: 1, constructor: { prototype: 1 } },
    '2027-03-29T09:00',
    '{"$ref":"#/definitions/x"}',
  ]
  const { tools } = await assistant.client.listTools()
  const messages: unknown[] = values.flatMap((value) => [
    value,
    { jsonrpc: '2.0', id: value, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1, method: value },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: value },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: value } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: value } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', _meta: value } },
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: value },
    { jsonrpc: '2.0', method: value },
  ])
  for (const { name, inputSchema } of tools) {
    for (const field of Object.keys(inputSchema.properties ?? {})) {
      for (const value of values) messages.push(toolCall(name, { meetingId: meeting._id, [field]: value }))
    }
  }
  assert.ok(messages.length > 700, `${messages.length}`)
  for (const message of messages) {
    const answered = await postMcp(app, message, bearer)
    const text = await answered.text()
    const sent = JSON.stringify(message).slice(0, 120)
    assert.ok(answered.status < 500, `${answered.status}: ${sent}`)
    assert.doesNotMatch(text, /internal_error|at .*\.ts:|node_modules|select |insert /i, sent)
  }
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('hostile headers of the protocol are refused', async () => {
  const { bearer } = await meetAlice()
  const before = app.logged.length
  for (const [name, value] of [
    ['mcp-protocol-version', 'x'.repeat(5_000)],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-session-id', 'stolen'],
    ['mcp-method', 'tools/call'],
    ['accept', 'text/html'],
  ] as const) {
    const answered = await postMcp(app, toolCall('who_am_i'), { ...bearer, [name]: value })
    assert.ok(answered.status < 500, `${name}: ${answered.status}`)
  }
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('while the database is locked, a tool says when to try again, and nothing of the database', async () => {
  const { alice, token } = await meetAlice()
  const assistant = await connectAssistant(app, token)
  await schedule(alice, standUp())
  const holder = new pg.Client(app.shared.testDatabase.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table meeting')
  const { sentence, isError } = await assistant.call('list_meetings')
  await holder.query('rollback')
  await holder.end()
  assert.ok(isError)
  assert.match(sentence, /not available right now.* Try again in \d+ seconds\. \(unavailable, request [\w-]+\)$/)
  assert.equal((await assistant.done('list_meetings')).totalCount, 1)
})

test('of one person so many requests are answered at a time, so many wait, and more are refused, whatever the assistant', async () => {
  const [gate, full] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { inProgress, waiting } = requesterLimits.account.large
  let entered = 0
  const slow = defineTool({
    name: 'slow',
    title: 'Slow',
    description: 'Runs until the test lets it end.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: toolInput({}),
    output: Type.Object({}),
    uses: () => [],
    run: async () => {
      // Those of Alice, and one of Bob; one more would be a fault, and waits for nothing.
      if (++entered === inProgress + 1) full.resolve()
      if (entered > inProgress + 1) return { kind: 'done', sentence: 'Done.', result: {} }
      await gate.promise
      return { kind: 'done', sentence: 'Done.', result: {} }
    },
  })
  const http = Fastify()
  after(() => http.close())
  http.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof ProblemError && error.code === 'too_many_requests' ? 429 : 500).send(),
  )
  const log = createLog({ level: 'silent' })
  refuseOverload(http, log)
  const service = {
    http,
    runInTurn: createRequestLimits({ http, rateLimits: true }),
    clock: createClock('2030-01-01T00:00:00Z'),
    config: configOf({}),
    encryption: createEncryption(Buffer.alloc(32, 1)),
    databaseFailures: createDatabaseFailureLog(log),
    authenticate: async ({ headers }: FastifyRequest) => callerOf(String(headers.authorization)),
    call: () => assert.fail('no endpoint is called'),
    recordAppRefusal: () => assert.fail('nothing is refused'),
    version: '1',
  }
  registerMcp(service, [slow])
  const headers = { accept: 'application/json, text/event-stream' }
  const send = async (authorization: string) =>
    http.inject({ method: 'POST', url: '/mcp', headers: { ...headers, authorization }, payload: toolCall('slow') })

  const running = [...Array.from({ length: inProgress + waiting }, () => send('alice')), send('bob')]
  await full.promise
  assert.equal(entered, inProgress + 1)
  assert.equal((await send('alice')).statusCode, 429)
  gate.resolve()
  for (const { statusCode, body } of await Promise.all(running)) {
    assert.equal(statusCode, 200)
    assert.match(body, /Done/)
  }
  assert.equal((await send('alice')).statusCode, 200)
})

const callerOf = (accountId: string): AuthenticatedCaller => ({
  accountId,
  tenantId: 'tenant',
  addressKey: `${accountId}@example.org`,
  addressTrusted: true,
  administrator: false,
  reviewer: false,
  timeZone: 'UTC',
  credential: { kind: 'oauth', grantId: 'grant', familyId: 'family', appId: 'app', sandbox: false, scopes: [] },
  expiresAt: null,
  accountIds: [accountId],
})
