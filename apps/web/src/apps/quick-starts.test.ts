import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { callbackFor, exampleCallbacks, fillIn } from '@parley/rules/oauth-apps/example-programs'
import { missingCallback, quickStartsFor, readQuickStarts, scopesIn, writeEnvironment } from './quick-starts.ts'

const page = readFileSync(new URL('../../../../docs/quick-starts.md', import.meta.url), 'utf8')
const quickStarts = readQuickStarts(page)
const pageCallback = exampleCallbacks.confidential
const issuer = 'https://meet.example.org'

test('reads each client library of the page with its programs', () => {
  assert.deepEqual(
    quickStarts.map(({ name }) => name),
    [
      'curl',
      'Node with openid-client',
      'Express with passport',
      'Auth.js',
      'Python with Authlib',
      'Go',
      'PHP',
      'Java',
      'Native app with openid-client',
      'Single-page app with oauth4webapi',
    ],
  )
  for (const { name, parts } of quickStarts) {
    const code = parts.filter(({ kind }) => kind === 'code')
    assert.ok(code.length > 0, name)
    for (const { text } of code) assert.doesNotMatch(text, /```/, name)
  }
})

test('inserts the service’s own address into every program', () => {
  for (const { name, parts } of quickStarts) {
    const text = fillIn(parts.map((part) => part.text).join('\n'), {
      issuer,
      callback: pageCallback,
      scopes: ['user:read'],
    })
    assert.doesNotMatch(text, /localhost:3000/, name)
    if (name !== 'curl') assert.ok(text.includes(issuer), name)
  }
})

test('inserts the callback, and leaves credentials to environment variables', () => {
  for (const { name, parts } of quickStartsFor(quickStarts, 'confidential')) {
    const code = parts.map((part) => part.text).join('\n')
    assert.match(code, /CLIENT_SECRET/, name)
    if (name !== 'Auth.js') assert.ok(code.includes(pageCallback), name)
  }
  assert.doesNotMatch(writeEnvironment(issuer, 'test_abc', 'confidential'), /CLIENT_SECRET=/)
})

test('a public client gets the program for where it runs, which mentions no secret', () => {
  const named = (clientType: 'native' | 'single_page') =>
    quickStartsFor(quickStarts, clientType).map(({ name, parts }) => {
      assert.doesNotMatch(parts.map((part) => part.text).join('\n'), /CLIENT_SECRET/)
      return name
    })
  assert.deepEqual(named('native'), ['Native app with openid-client'])
  assert.deepEqual(named('single_page'), ['Single-page app with oauth4webapi'])
  assert.equal(quickStartsFor(quickStarts, 'confidential').length, quickStarts.length - 2)
  assert.doesNotMatch(writeEnvironment(issuer, 'test_abc', 'native'), /SECRET/)
  const [page] = quickStartsFor(quickStarts, 'single_page')
  const text = page?.parts.map((part) => part.text).join('\n') ?? ''
  const own = {
    issuer,
    callback: 'https://acme.example/app/',
    scopes: ['user:read', 'meeting:read'],
    clientId: 'test_abc',
  }
  const filled = fillIn(text, own)
  assert.ok(filled.includes("const redirectUri = 'https://acme.example/app/'"))
  assert.ok(filled.includes("client_id: 'test_abc'"))
  assert.ok(filled.includes("scope: 'user:read meeting:read'"))
})

test('finds the scopes that a program requests', () => {
  const text = quickStarts.find(({ name }) => name === 'Go')?.parts.map((part) => part.text) ?? []
  assert.deepEqual(scopesIn(text.join('\n'), ['user:read', 'meeting:create', 'meeting:join']), [
    'user:read',
    'meeting:create',
  ])
})

test('inserts the app’s callback and scopes in the syntax of each program', () => {
  const own = { issuer, callback: 'https://acme.example/back', scopes: ['user:read', 'meeting:read', 'meeting:delete'] }
  const filled = (name: string) =>
    fillIn(
      quickStarts
        .find((one) => one.name === name)
        ?.parts.map((part) => part.text)
        .join('\n') ?? '',
      own,
    )
  assert.ok(filled('curl').includes('redirect_uri=https://acme.example/back&'))
  assert.ok(filled('curl').includes('scope=user:read%20meeting:read%20meeting:delete&'))
  assert.ok(filled('Go').includes('Scopes:       []string{"user:read", "meeting:read", "meeting:delete"}'))
  assert.ok(filled('Python with Authlib').includes('scope="user:read meeting:read meeting:delete"'))
  assert.doesNotMatch(filled('Node with openid-client'), /user:read meeting:create/)
})

test('every program listens and answers at the localhost callback of the app', () => {
  const filled = (clientType: 'confidential' | 'native' | 'single_page', callback: string) =>
    quickStartsFor(quickStarts, clientType).map(({ name, parts }) => ({
      name,
      text: fillIn(parts.map((part) => part.text).join('\n'), { issuer, callback, scopes: ['user:read'] }),
    }))
  for (const { name, text } of filled('confidential', 'http://localhost:8093/deep/back')) {
    assert.doesNotMatch(text, /8080|['"`=]\/callback/, name)
    if (name === 'Auth.js') continue
    assert.ok(text.includes('http://localhost:8093/deep/back'), name)
    if (name !== 'curl') assert.match(text, /(listen\(|localhost", |localhost:)8093\b/, name)
    if (name !== 'curl') assert.match(text, /['"]\/deep\/back[?'"]/, name)
  }
  for (const { name, text } of filled('single_page', 'http://localhost:9000/spa/')) {
    assert.doesNotMatch(text, /8080|app\/index/, name)
    assert.match(text, /`spa\/index\.html`[\s\S]*http-server -p 9000[\s\S]*'http:\/\/localhost:9000\/spa\/'/, name)
  }
  for (const { name, text } of filled('native', 'http://localhost:4711/back')) {
    assert.match(text, /listen\(0, 'localhost'\)[\s\S]*`http:\/\/localhost:\$\{server[^`]*\}\/back`/, name)
    assert.match(text, /pathname !== '\/back'/, name)
  }
  // A public address leaves the port alone, and a scheme of a device everything.
  for (const { name, text } of filled('confidential', 'https://acme.example/back'))
    if (name !== 'curl') assert.match(text, /8080/, name)
  for (const { text } of filled('native', 'com.example.app:/cb')) assert.match(text, /listen\(0, '127\.0\.0\.1'\)/)
})

test('an issuer on the port of the examples stays', () => {
  const text = "issuer = 'http://localhost:3000'; listen(8080)"
  const own = { issuer: 'http://localhost:8080', callback: 'http://localhost:8093/cb', scopes: [] }
  assert.equal(fillIn(text, own), "issuer = 'http://localhost:8080'; listen(8093)")
})

test('a program uses the callback on the machine of the developer, of its own path where there is one', () => {
  const [local, authJs] = ['http://localhost:8093/cb', 'http://localhost:8093/auth/callback/parley']
  const cases = [
    [['https://a.example/', pageCallback], pageCallback, pageCallback],
    [['https://a.example/', local], pageCallback, local],
    [[local, authJs], 'http://localhost:8080/auth/callback/parley', authJs],
    [[local, 'http://localhost:9/callback'], pageCallback, 'http://localhost:9/callback'],
    [['https://a.example/'], pageCallback, 'https://a.example/'],
    [[], pageCallback, pageCallback],
  ] as const
  for (const [callbackUrls, preferred, chosen] of cases)
    assert.equal(callbackFor(callbackUrls, preferred), chosen, callbackUrls.join())
})

test('names the callback to register only where a program cannot run with one that the app has', () => {
  const missing = (name: string, clientType: 'confidential' | 'native' | 'single_page', ...callbackUrls: string[]) =>
    missingCallback({ name }, { callbackUrls, clientType })
  assert.equal(missing('Go', 'confidential', 'http://localhost:8093/cb'), undefined)
  assert.equal(missing('Go', 'confidential', 'https://a.example/'), pageCallback)
  const authJs = 'http://localhost:8093/auth/callback/parley'
  assert.equal(missing('Auth.js', 'confidential', 'http://localhost:8093/cb'), authJs)
  assert.equal(missing('Auth.js', 'confidential', 'http://localhost:8093/cb', authJs), undefined)
  assert.equal(missing('Auth.js', 'confidential', 'https://a.example/'), 'http://localhost:8080/auth/callback/parley')
  assert.equal(missing('Native app', 'native', 'http://127.0.0.1:4711/cb'), undefined)
  assert.equal(missing('Native app', 'native', 'com.example.app:/cb'), exampleCallbacks.native)
  assert.equal(missing('Single-page app', 'single_page', 'http://localhost:9/'), undefined)
})
