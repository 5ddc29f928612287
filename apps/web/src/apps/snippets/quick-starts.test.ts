import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { callbackFor, exampleCallbacks, fillIn } from '@parley/rules/doc-examples'
import { quickStartsFor, readQuickStarts, scopesIn, writeEnvironment } from './quick-starts.ts'

const page = readFileSync(new URL('../../../../../docs/oauth.md', import.meta.url), 'utf8')
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
  assert.equal(callbackFor(['https://a.example/', pageCallback], pageCallback), pageCallback)
  assert.equal(callbackFor(['https://a.example/'], pageCallback), 'https://a.example/')
})
