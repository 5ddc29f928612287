import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainHttpFields, readAppFields, type SentAppFields } from './app-fields.ts'

const context = {
  useCases: ['scheduling', 'other'],
  scopes: ['user:read', 'meeting:read'],
  httpsCallbacks: 'allow',
  baseUrl: 'https://meet.example.org',
  reservedNames: ['Acme'],
} as const

const calendar: SentAppFields = {
  name: 'Acme Calendar',
  homepageUrl: 'https://acme.example/',
  policyUrl: 'https://acme.example/policy',
  logoUrl: 'https://acme.example/logo.png',
  useCase: 'scheduling',
  description: '',
  callbackUrls: ['https://acme.example/callback'],
  embedOrigins: [],
  scopes: ['meeting:read', 'user:read'],
  clientType: 'confidential',
  requirePkce: false,
  sendIss: true,
}

const found = (changes: Partial<SentAppFields>, httpsCallbacks: 'require' | 'allow' = 'allow') => {
  const { violations = [] } = readAppFields({ ...calendar, ...changes }, { ...context, httpsCallbacks })
  return violations.map(({ path, code }) => `${path} ${code}`)
}
const origins = (count: number) => Array.from({ length: count }, (_, index) => `https://app${index}.acme.example`)
const callbacks = (count: number) => Array.from({ length: count }, (_, index) => `https://acme.example/${index}`)

test('reads a valid app as it was sent, with its scopes in the sent order', () => {
  assert.deepEqual(readAppFields(calendar, context), { value: calendar })
})

test('counts a repeated scope once', () => {
  const read = readAppFields({ ...calendar, scopes: ['meeting:read', 'user:read', 'meeting:read'] }, context)
  assert.deepEqual(read.value?.scopes, ['meeting:read', 'user:read'])
})

test('refuses the name of an organisation to all but the app that is live under it', () => {
  const acme = { ...calendar, name: 'ACME' }
  const codesOf = (liveName?: string) =>
    (readAppFields(acme, { ...context, liveName }).violations ?? []).map(({ path, code }) => `${path} ${code}`)
  assert.deepEqual(
    [codesOf(), codesOf('ACME'), codesOf('Acme 2')],
    [['/name reserved_name'], [], ['/name reserved_name']],
  )
})

const cases: readonly (readonly [string, Partial<SentAppFields>, ...string[]])[] = [
  ['a name of 2', { name: 'ab' }, '/name too_short'],
  ['a name of 3', { name: 'abc' }],
  ['a name of 50', { name: 'a'.repeat(50) }],
  ['a name of 51', { name: 'a'.repeat(51) }, '/name too_long'],
  ['a description of 500', { description: 'a'.repeat(500) }],
  ['a description of 501', { description: 'a'.repeat(501) }, '/description too_long'],
  ['a description of two lines', { description: 'one\ntwo' }],
  ['a description with a bell', { description: '\u0007' }, '/description control_character'],
  ['no callback', { callbackUrls: [] }, '/callbackUrls too_few'],
  ['1 callback', { callbackUrls: callbacks(1) }],
  ['10 callbacks', { callbackUrls: callbacks(10) }],
  ['11 callbacks', { callbackUrls: callbacks(11) }, '/callbackUrls too_many'],
  ['a callback twice', { callbackUrls: [...callbacks(2), ...callbacks(1)] }, '/callbackUrls/2 duplicate'],
  ['10 origins', { embedOrigins: origins(10) }],
  ['11 origins', { embedOrigins: origins(11) }, '/embedOrigins too_many'],
  ['an origin twice', { embedOrigins: [...origins(1), ...origins(1)] }, '/embedOrigins/1 duplicate'],
  ['an origin with a port', { embedOrigins: ['https://acme.example:8443', 'http://localhost:3000'] }],
  ['an origin with a slash', { embedOrigins: ['https://acme.example/'] }, '/embedOrigins/0 not_an_origin'],
  ['an origin with a path', { embedOrigins: ['https://acme.example/app'] }, '/embedOrigins/0 not_an_origin'],
  ['an origin in capitals', { embedOrigins: ['https://Acme.example'] }, '/embedOrigins/0 not_an_origin'],
  ['an origin with the usual port', { embedOrigins: ['https://acme.example:443'] }, '/embedOrigins/0 not_an_origin'],
  ['an origin that is not encrypted', { embedOrigins: ['http://acme.example'] }, '/embedOrigins/0 not_https'],
  ['an origin of an address', { embedOrigins: ['https://192.0.2.1'] }, '/embedOrigins/0 ip_host'],
  ['origins of all subdomains', { embedOrigins: ['https://*.acme.example'] }, '/embedOrigins/0 wildcard'],
  ['the opaque origin', { embedOrigins: ['null'] }, '/embedOrigins/0 not_a_url'],
  [
    'a second source in an origin',
    { embedOrigins: ["https://acme.example 'self'"] },
    '/embedOrigins/0 forbidden_character',
  ],
  ['a second directive in an origin', { embedOrigins: ['https://acme.example;'] }, '/embedOrigins/0 not_an_origin'],
  ['a second policy in an origin', { embedOrigins: ['https://acme,b.example'] }, '/embedOrigins/0 not_an_origin'],
  ['the service itself as an origin', { embedOrigins: ['https://meet.example.org'] }, '/embedOrigins/0 own_address'],
  ['two callbacks that differ in a slash', { callbackUrls: ['https://acme.example/a', 'https://acme.example/a/'] }],
  ['no scope', { scopes: [] }, '/scopes too_few'],
  ['a scope that does not exist', { scopes: ['meeting:read', 'openid'] }, '/scopes/1 not_allowed'],
  ['an unknown use case', { useCase: 'world domination' }, '/useCase not_allowed'],
  ["a use case named like a property of Object's prototype", { useCase: 'toString' }, '/useCase not_allowed'],
  ['a home page at an IP address', { homepageUrl: 'https://127.0.0.1/' }, '/homepageUrl ip_host'],
  ['a policy at a file: URL', { policyUrl: 'file:///policy' }, '/policyUrl not_http'],
  ['a logo as a data: URL', { logoUrl: 'data:image/png;base64,AA==' }, '/logoUrl not_http'],
  [
    'a fourth callback with a fragment',
    { callbackUrls: [...callbacks(3), 'https://a.example/#'] },
    '/callbackUrls/3 fragment',
  ],
]
for (const [name, changes, ...expected] of cases) {
  test(`${name}: ${expected.join(', ') || 'valid'}`, () => assert.deepEqual(found(changes), expected))
}

test('reports all violations at once', () => {
  const wrong = { name: '', homepageUrl: '', policyUrl: '*', logoUrl: 'ftp://a.example/', useCase: '', scopes: [''] }
  assert.deepEqual(found({ ...wrong, callbackUrls: ['https://acme.example/?token=1#'] }), [
    '/name too_short',
    '/homepageUrl not_a_url',
    '/policyUrl wildcard',
    '/logoUrl not_http',
    '/useCase not_allowed',
    '/callbackUrls/0 fragment',
    '/callbackUrls/0 forbidden_parameter',
    '/scopes/0 not_allowed',
  ])
})

test('applies the policy about http to callbacks only', () => {
  const plain = { homepageUrl: 'http://acme.example/', callbackUrls: ['http://acme.example/callback'] }
  assert.deepEqual(found(plain), [])
  assert.deepEqual(found(plain, 'require'), ['/callbackUrls/0 plain_http'])
})

test('lists the fields with unencrypted URLs', () => {
  const callbackUrls = ['https://acme.example/', 'http://localhost:3000/', 'http://acme.example/']
  const fields = { ...calendar, callbackUrls, policyUrl: 'http://acme.example/policy' }
  assert.deepEqual(plainHttpFields(fields), ['policyUrl', 'callbackUrls/2'])
})

test('public clients always use PKCE', () => {
  for (const clientType of ['native', 'single_page'] as const) {
    assert.deepEqual(readAppFields({ ...calendar, clientType }, context), {
      value: { ...calendar, clientType, requirePkce: true },
    })
  }
})

test('the type of a submitted app is fixed', () => {
  const read = (clientType: SentAppFields['clientType'], fixedClientType: SentAppFields['clientType']) =>
    readAppFields({ ...calendar, clientType }, { ...context, fixedClientType }).violations?.map(
      ({ path, code }) => `${path} ${code}`,
    )
  assert.deepEqual(read('native', 'confidential'), ['/clientType fixed'])
  assert.deepEqual(read('confidential', 'single_page'), ['/clientType fixed'])
  assert.equal(read('native', 'native'), undefined)
})

test('a callback does not lead to the service itself, whatever the type of the app', () => {
  const own = 'https://meet.example.org/developers/playground/callback'
  for (const clientType of ['confidential', 'native', 'single_page'] as const) {
    const callbackUrls = ['https://acme.example/callback', own, 'https://MEET.example.org:443/']
    assert.deepEqual(found({ callbackUrls, clientType }), [
      '/callbackUrls/1 own_address',
      '/callbackUrls/2 own_address',
    ])
    assert.deepEqual(found({ callbackUrls: ['https://meet.example.org:8443/'], clientType }), [])
  }
})
