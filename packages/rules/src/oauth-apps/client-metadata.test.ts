import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClientMetadata } from './client-metadata.ts'

const clientId = 'https://assistant.example.com/client.json'
const scopes = ['user:read', 'meeting:create', 'meeting:read'] as const
const context = { clientId, unnamed: 'assistant.example.com', scopes }

const assistant = {
  client_id: clientId,
  client_name: 'Assistant',
  redirect_uris: ['https://assistant.example.com/callback'],
}

const read = (
  changes: object,
  of: typeof context | (Omit<typeof context, 'clientId'> & { clientId: undefined }) = context,
) => readClientMetadata({ ...assistant, ...changes }, of)
const violationsOf = (changes: object) => read(changes).violations?.map(({ path, code }) => `${path} ${code}`)

test('reads the smallest document: it authenticates with none, and may ask for every scope', () => {
  const { redirect_uris } = assistant
  assert.deepEqual(readClientMetadata({ client_id: clientId, redirect_uris }, context).value, {
    name: 'assistant.example.com',
    homepageUrl: '',
    policyUrl: '',
    logoUrl: '',
    redirectUris: redirect_uris,
    scopes: [...scopes],
  })
})

test('reads every field that is used, and ignores all others', () => {
  const { value } = read({
    client_name: ' Assistant ',
    'client_name#de': '\u202eAssistent',
    client_uri: 'https://assistant.example.com/',
    policy_uri: 'https://assistant.example.com/privacy',
    logo_uri: 'https://assistant.example.com/logo.png',
    tos_uri: 'javascript:alert(1)',
    scope: 'openid meeting:read user:read calendar',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code', 'token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    jwks: { keys: [] },
    contacts: [1, 2],
  })
  assert.deepEqual(value, {
    name: 'Assistant',
    homepageUrl: 'https://assistant.example.com/',
    policyUrl: 'https://assistant.example.com/privacy',
    logoUrl: 'https://assistant.example.com/logo.png',
    redirectUris: assistant.redirect_uris,
    scopes: ['user:read', 'meeting:read'],
  })
})

test('the documents of known assistants are accepted', () => {
  const claudeCode = ['http://localhost/callback', 'http://127.0.0.1/callback']
  assert.deepEqual(read({ redirect_uris: claudeCode }).value?.redirectUris, claudeCode)
  const vsCode = ['http://127.0.0.1:33418/', 'http://127.0.0.1/', 'https://vscode.dev/redirect']
  assert.deepEqual(read({ redirect_uris: vsCode }).value?.redirectUris, vsCode)
  // ChatGPT prefers a key, and can do without.
  const methods = ['none', 'private_key_jwt']
  const chatGpt = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: methods }
  assert.equal(read(chatGpt).violations, undefined)
  // Cursor registers a scheme without a domain beside localhost; nothing is redirected to it.
  const cursor = ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback']
  assert.deepEqual(read({ redirect_uris: cursor }).value?.redirectUris, ['http://localhost:8787/callback'])
  const ofADomain = ['com.example.assistant:/callback']
  assert.deepEqual(read({ redirect_uris: ofADomain }).value?.redirectUris, ofADomain)
})

test('a registration has no client_id to compare', () => {
  const { value } = read({ client_id: 'of its own choice' }, { ...context, clientId: undefined })
  assert.equal(value?.name, 'Assistant')
})

for (const other of [
  undefined,
  null,
  '',
  1,
  [clientId],
  'https://assistant.example.com/client.json/',
  'https://assistant.example.com/client.json?',
  'https://ASSISTANT.example.com/client.json',
  'https://other.example.com/client.json',
]) {
  test(`refuses a document with the client_id ${JSON.stringify(other)}`, () =>
    assert.deepEqual(violationsOf({ client_id: other }), ['/client_id other_client']))
}

for (const [changes, violation] of [
  [{ client_secret: 'hush' }, '/client_secret secret'],
  [{ client_secret: null }, '/client_secret secret'],
  [{ client_secret_expires_at: 0 }, '/client_secret_expires_at secret'],
  [{ token_endpoint_auth_method: 'client_secret_basic' }, '/token_endpoint_auth_method not_allowed'],
  [{ token_endpoint_auth_method: 'client_secret_post' }, '/token_endpoint_auth_method not_allowed'],
  [
    { token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_methods_supported: ['none'] },
    '/token_endpoint_auth_method not_allowed',
  ],
  [{ token_endpoint_auth_method: 'private_key_jwt' }, '/token_endpoint_auth_method not_allowed'],
  [
    { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    '/token_endpoint_auth_method not_allowed',
  ],
  [{ token_endpoint_auth_method: null }, '/token_endpoint_auth_method not_allowed'],
  [{ grant_types: ['client_credentials'] }, '/grant_types not_allowed'],
  [{ grant_types: 'authorization_code' }, '/grant_types not_allowed'],
  [{ response_types: ['token'] }, '/response_types not_allowed'],
  [{ client_name: 1 }, '/client_name not_text'],
  [{ client_name: 'AI' }, '/client_name too_short'],
  [{ client_name: 'a'.repeat(51) }, '/client_name too_long'],
  [{ client_name: 'Parley\u202eyelraP' }, '/client_name control_character'],
  [{ client_name: 'Assis\u200btant' }, '/client_name hidden'],
  [{ client_name: '\u2066Assistant\u2069' }, '/client_name hidden'],
  [{ client_name: '\u0421laude' }, '/client_name mixed_scripts'],
  [{ client_name: 'Assistant\nApproved' }, '/client_name control_character'],
  [{ client_name: '!!!' }, '/client_name no_letter'],
  [{ client_uri: 'javascript:alert(1)' }, '/client_uri not_http'],
  [{ client_uri: {} }, '/client_uri not_text'],
  [{ policy_uri: 'data:text/html,hello' }, '/policy_uri not_http'],
  [{ logo_uri: 'data:image/png;base64,AAAA' }, '/logo_uri not_http'],
  [{ logo_uri: 'https://127.0.0.1/logo.png' }, '/logo_uri ip_host'],
  [{ scope: 'admin root' }, '/scope not_allowed'],
  [{ scope: ['meeting:read'] }, '/scope not_text'],
  [{ redirect_uris: undefined }, '/redirect_uris missing'],
  [{ redirect_uris: 'https://assistant.example.com/' }, '/redirect_uris missing'],
  [{ redirect_uris: { 0: 'https://assistant.example.com/' } }, '/redirect_uris missing'],
  [{ redirect_uris: [] }, '/redirect_uris too_few'],
  [{ redirect_uris: ['javascript:alert(1)', 'data:text/html,hello', 'cursor://a'] }, '/redirect_uris too_few'],
  [{ redirect_uris: [1] }, '/redirect_uris/0 not_text'],
  [{ redirect_uris: ['/callback'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['//evil.example/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://assistant.example.com/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://localhost.evil.example/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://127.0.0.1.evil.example/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://127.0.0.1@evil.example/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://user@127.0.0.1/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://127.0.0.2/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://2130706433/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['https://127.0.0.1/'] }, '/redirect_uris/0 ip_host'],
  [{ redirect_uris: ['http://10.0.0.1/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://[::2]/'] }, '/redirect_uris/0 not_native'],
  [{ redirect_uris: ['http://127.0.0.1/#a'] }, '/redirect_uris/0 fragment'],
  [{ redirect_uris: ['http://[::1]:*/'] }, '/redirect_uris/0 wildcard'],
  [{ redirect_uris: ['https://*.example.com/'] }, '/redirect_uris/0 wildcard'],
  [{ redirect_uris: ['https://assistant.example.com/?token=a'] }, '/redirect_uris/0 forbidden_parameter'],
  [{ redirect_uris: [`https://assistant.example.com/${'a'.repeat(2_100)}`] }, '/redirect_uris/0 too_long'],
] as const) {
  test(`refuses ${JSON.stringify(changes).slice(0, 100)}`, () => assert.equal(violationsOf(changes)?.[0], violation))
}

test('accepts ten redirect URIs, and refuses a longer list without reading it', () => {
  const uris = (count: number) => Array.from({ length: count }, (_, index) => `https://assistant.example.com/${index}`)
  assert.equal(read({ redirect_uris: uris(10) }).value?.redirectUris.length, 10)
  assert.deepEqual(violationsOf({ redirect_uris: uris(11) }), ['/redirect_uris too_many'])
  assert.deepEqual(violationsOf({ redirect_uris: new Array(100_000).fill('javascript:') }), ['/redirect_uris too_many'])
})

test('accepts the addresses of the own computer, with and without a port', () => {
  const local = ['http://localhost/', 'http://127.0.0.1:8080/callback', 'http://[::1]/callback', 'http://[::1]:1/?a=b']
  assert.deepEqual(read({ redirect_uris: local }).value?.redirectUris, local)
})

test('a redirect URI that is listed twice counts once', () => {
  const [uri] = assistant.redirect_uris
  assert.deepEqual(read({ redirect_uris: [uri, uri] }).value?.redirectUris, [uri])
})

test('reports all violations at once', () => {
  const all = violationsOf({
    client_id: '',
    client_name: 'x',
    redirect_uris: ['http://a.example/', 'https://1.1.1.1/'],
  })
  assert.deepEqual(all, [
    '/client_id other_client',
    '/client_name too_short',
    '/redirect_uris/0 not_native',
    '/redirect_uris/1 ip_host',
  ])
})
