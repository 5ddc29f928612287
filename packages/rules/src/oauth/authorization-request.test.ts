import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RequestingApp, readAuthorizationRequest, stateToReturn } from './authorization-request.ts'

const app: RequestingApp = { scopes: ['meeting:read', 'user:read', 'meeting:create'], requirePkce: false }
const strict: RequestingApp = { ...app, requirePkce: true }
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const s256 = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }

type Sent = Record<string, string | string[]>
const read = (sent: Sent, asking: RequestingApp) =>
  readAuthorizationRequest(
    new Map(Object.entries(sent).map(([name, value]) => [name, [value].flat()])),
    asking,
    'https://meet.example',
  )

const taken: readonly (readonly [string, Sent, RequestingApp, object])[] = [
  ['a request with only the required parameters', { response_type: 'code' }, app, {}],
  ['a scope', { response_type: 'code', scope: 'user:read' }, app, { scopes: ['user:read'] }],
  [
    'scopes, which are returned in registered order, each once',
    { response_type: 'code', scope: 'user:read  meeting:read user:read' },
    app,
    { scopes: ['meeting:read', 'user:read'] },
  ],
  [
    'the scopes of OpenID Connect alone',
    { response_type: 'code', scope: 'openid profile email offline_access' },
    app,
    {},
  ],
  [
    'the scopes of OpenID Connect and one of ours',
    { response_type: 'code', scope: 'openid user:read' },
    app,
    { scopes: ['user:read'] },
  ],
  [
    'parameters without a value',
    { response_type: 'code', scope: '', code_challenge: '', prompt: '', state: '' },
    app,
    {},
  ],
  ['PKCE', s256, app, { codeChallenge: challenge }],
  ['PKCE of an app that requires it', s256, strict, { codeChallenge: challenge }],
  ['prompts', { response_type: 'code', prompt: 'login consent' }, app, { prompts: ['login', 'consent'] }],
  ['the API as resource', { response_type: 'code', resource: 'https://meet.example' }, app, { resource: 'api' }],
  [
    'the MCP server as resource',
    { response_type: 'code', resource: 'https://meet.example/mcp' },
    app,
    { resource: 'mcp' },
  ],
  ['unknown parameters, even repeated', { response_type: 'code', response_mode: 'x', nonce: ['1', '2'] }, app, {}],
  ['a state of 4,096 bytes', { response_type: 'code', state: 's'.repeat(4096) }, app, {}],
]
for (const [name, sent, asking, differing] of taken) {
  test(`accepts ${name}`, () => {
    const usual = { scopes: app.scopes, codeChallenge: undefined, prompts: [], resource: undefined }
    assert.deepEqual(read(sent, asking), { kind: 'read', request: { ...usual, ...differing } })
  })
}

const refused: readonly (readonly [string, Sent, RequestingApp, string])[] = [
  ['response_type missing', {}, app, 'invalid_request'],
  ['response_type empty', { response_type: '' }, app, 'invalid_request'],
  ['response_type twice', { response_type: ['code', 'code'] }, app, 'invalid_request'],
  ['response_type token', { response_type: 'token' }, app, 'unsupported_response_type'],
  ['response_type id_token', { response_type: 'id_token' }, app, 'unsupported_response_type'],
  ['response_type code token', { response_type: 'code token' }, app, 'unsupported_response_type'],
  ['response_type CODE', { response_type: 'CODE' }, app, 'unsupported_response_type'],
  [
    'scope outside the registered ones',
    { response_type: 'code', scope: 'user:read meeting:delete' },
    app,
    'invalid_scope',
  ],
  ['scope unknown', { response_type: 'code', scope: 'openid everything' }, app, 'invalid_scope'],
  ['scope in capitals', { response_type: 'code', scope: 'USER:READ' }, app, 'invalid_scope'],
  ['scopes with a comma', { response_type: 'code', scope: 'user:read,meeting:read' }, app, 'invalid_scope'],
  ['scope twice', { response_type: 'code', scope: ['user:read', 'user:read'] }, app, 'invalid_request'],
  ['state twice', { response_type: 'code', state: ['a', 'a'] }, app, 'invalid_request'],
  ['a state of 4,097 bytes', { response_type: 'code', state: 's'.repeat(4097) }, app, 'invalid_request'],
  ['challenge plain', { ...s256, code_challenge_method: 'plain' }, app, 'invalid_request'],
  ['challenge s256', { ...s256, code_challenge_method: 's256' }, app, 'invalid_request'],
  ['challenge without method', { response_type: 'code', code_challenge: challenge }, app, 'invalid_request'],
  ['method without challenge', { response_type: 'code', code_challenge_method: 'S256' }, app, 'invalid_request'],
  ['challenge of 42', { ...s256, code_challenge: challenge.slice(1) }, app, 'invalid_request'],
  ['challenge of 44', { ...s256, code_challenge: `${challenge}A` }, app, 'invalid_request'],
  ['challenge in Base64', { ...s256, code_challenge: challenge.replace('-', '+') }, app, 'invalid_request'],
  ['challenge with a line end', { ...s256, code_challenge: `${challenge}\n` }, app, 'invalid_request'],
  ['challenge twice', { ...s256, code_challenge: [challenge, challenge] }, app, 'invalid_request'],
  ['no challenge of an app that requires PKCE', { response_type: 'code' }, strict, 'invalid_request'],
  ['resource unknown', { response_type: 'code', resource: 'https://other.example' }, app, 'invalid_target'],
  [
    'resource twice',
    { response_type: 'code', resource: ['https://meet.example', 'https://meet.example/mcp'] },
    app,
    'invalid_target',
  ],
  ['prompt none login', { response_type: 'code', prompt: 'none login' }, app, 'invalid_request'],
  ['prompt unknown', { response_type: 'code', prompt: 'create' }, app, 'invalid_request'],
  ['prompt twice', { response_type: 'code', prompt: ['login', 'login'] }, app, 'invalid_request'],
]
for (const [name, sent, asking, error] of refused) {
  test(`refuses ${name}: ${error}`, () => {
    const reading = read(sent, asking)
    assert.ok(reading.kind === 'refused')
    assert.equal(reading.error, error)
    // The characters that a description may have (RFC 6749, 4.1.2.1).
    assert.match(reading.description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })
}

const states: readonly (readonly [string, string[], string | undefined])[] = [
  ['none', [], undefined],
  ['empty', [''], undefined],
  ['any bytes', ['\0\xff "+&='], '\0\xff "+&='],
  ['4,096 bytes', ['s'.repeat(4096)], 's'.repeat(4096)],
  ['4,097 bytes', ['s'.repeat(4097)], undefined],
  ['two', ['a', 'b'], undefined],
]
for (const [name, sent, state] of states) {
  test(`state, ${name}: ${state === undefined ? 'not returned' : 'returned'}`, () =>
    assert.equal(stateToReturn(new Map([['state', sent]])), state))
}
