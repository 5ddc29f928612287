import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { causesOf, tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../test/people.ts'
import { errorsIn, publicAddress, startApp } from '../../test/start-app.ts'

const app = await startApp({ environment: { RATE_LIMITS: 'off' } })
const { olga, alice } = await meetPeople(app)
const registered = await assistantApp(app, olga)
const token = await assistantToken(app, registered, alice)
const bearer = { authorization: `Bearer ${token}` }
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
  const first = await postMcp(app, list)
  assert.equal(first.status, 401)
  assert.match(
    challengeOf(first),
    /^Bearer scope="meeting:read", resource_metadata="http:\/\/parley\.test\/\.well-known\/oauth-protected-resource\/mcp"$/,
  )

  const personal = await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  const { access_token: ofApi } = await tokensFor(app, registered, alice)
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
  const narrow = await connectAssistant(app, await assistantToken(app, registered, alice, { scopes: ['meeting:join'] }))
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

test('a call beyond the scopes is a 403 that names every scope of the operation, in both forms of the protocol', async () => {
  const instance = await startApp({ beside: app, environment: { RATE_LIMITS: 'off' } })
  const narrow = await assistantToken(app, registered, alice, { scopes: ['meeting:join'] })
  const refused = await postMcp(instance, toolCall('who_am_i'), { authorization: `Bearer ${narrow}` })
  assert.equal(refused.status, 403)
  assert.match(challengeOf(refused), /^Bearer error="insufficient_scope"/)
  assert.match(challengeOf(refused), /scope="user:read"/)
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
  const other = await assistantApp(app, olga, 'Other')
  const assistant = await connectAssistant(app, await assistantToken(app, other, alice))
  await assistant.done('who_am_i')
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  const grant = body.grants.find(({ app: { name } }: { app: { name: string } }) => name === 'Other')
  assert.equal((await alice.send('DELETE', `/api/oauth2/grants/${grant._id}`)).status, 200)
  await assert.rejects(assistant.call('who_am_i'), { message: /401/ })
})

test('a subscription is acknowledged and ends at once, because no list changes', async () => {
  const assistant = await connectAssistant(app, token)
  const message = enveloped('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const headers = { ...bearer, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const answered = await postMcp(app, message, headers)
  assert.equal(answered.headers.get('content-type'), 'text/event-stream')
  assert.match(await answered.text(), /notifications\/subscriptions\/acknowledged[\s\S]*"resultType":"complete"/)
  await assistant.done('who_am_i')
})

test('the log names the tool, and neither arguments nor the token', async () => {
  await postMcp(app, toolCall('who_am_i'), bearer)
  await postMcp(app, toolCall('who_am_i', { secretOfAlice: 'sealed letter' }), bearer)
  await postMcp(app, toolCall('no_such_tool', { secretOfAlice: 'sealed letter' }), bearer)
  const lines = app.logged.join('')
  assert.match(lines, /"tool":"who_am_i"/)
  assert.doesNotMatch(lines, /sealed letter|secretOfAlice/)
  assert.ok(!lines.includes(token))
  assert.deepEqual(errorsIn(app.logged), [])
})
