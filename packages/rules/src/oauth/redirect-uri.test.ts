import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  identifiesApp,
  isRegistered,
  mayRedirectTo,
  playgroundCallback,
  type RedirectParameter,
  withParameters,
} from './redirect-uri.ts'

const registered = ['https://app.example/callback', 'https://app.example/other?tenant=1']
const comparisons: readonly (readonly [string, boolean])[] = [
  ['https://app.example/callback', true],
  ['https://app.example/other?tenant=1', true],
  ['https://app.example/callback/', false],
  ['https://app.example/Callback', false],
  ['https://APP.example/callback', false],
  ['http://app.example/callback', false],
  ['https://app.example/callback?a=1', false],
  ['https://app.example/callback#a', false],
  ['https://app.example/./callback', false],
  ['https://app.example/x/../callback', false],
  ['https://app.example/%63allback', false],
  ['https://app.example:443/callback', false],
  ['https://app.example/callback ', false],
  ['https://app.example/other', false],
  ['', false],
]
for (const [redirectUri, same] of comparisons) {
  test(`${redirectUri} is ${same ? 'registered' : 'not registered'}`, () =>
    assert.equal(isRegistered(redirectUri, registered, 'confidential'), same))
}

const ofNative = [
  'http://127.0.0.1/callback',
  'http://localhost:8080/cb?a=1',
  'http://[::1]',
  'com.example.app:/callback',
]
const nativeComparisons: readonly (readonly [string, boolean])[] = [
  ['http://127.0.0.1/callback', true],
  ['http://127.0.0.1:51004/callback', true],
  ['http://127.0.0.1:65536/callback', false],
  ['http://127.0.0.1:51004/callback/', false],
  ['http://127.0.0.1:51004/Callback', false],
  ['http://127.0.0.1:51004/callback?a=1', false],
  ['http://localhost:51004/callback', false],
  ['https://127.0.0.1:51004/callback', false],
  ['http://127.0.0.1:51004@evil.example/callback', false],
  ['http://localhost:9/cb?a=1', true],
  ['http://localhost/cb?a=1', true],
  ['http://localhost:9/cb?a=2', false],
  ['http://[::1]:9', true],
  ['http://[::1]:9/', false],
  ['com.example.app:/callback', true],
  ['com.example.app:8080/callback', false],
]
for (const [redirectUri, same] of nativeComparisons) {
  test(`${redirectUri} of a native app is ${same ? 'registered' : 'not registered'}`, () =>
    assert.equal(isRegistered(redirectUri, ofNative, 'native'), same))
}

test('no other app may use another port', () => {
  for (const clientType of ['confidential', 'single_page'] as const) {
    assert.equal(isRegistered('http://localhost:9/cb?a=1', ofNative, clientType), false)
    assert.equal(isRegistered('http://localhost:8080/cb?a=1', ofNative, clientType), true)
  }
})

test('an https address identifies a public client, a port or a scheme of the device does not', () => {
  for (const clientType of ['native', 'single_page'] as const) {
    assert.equal(identifiesApp('https://app.example/callback', clientType), true)
    assert.equal(identifiesApp('HTTPS://app.example/callback', clientType), true)
    assert.equal(identifiesApp('http://localhost:8080/callback', clientType), false)
  }
  assert.equal(identifiesApp('com.example.app:/callback', 'native'), false)
  assert.equal(identifiesApp('http://localhost:8080/callback', 'confidential'), true)
})

const code: readonly RedirectParameter[] = [['code', 'x']]
const additions: readonly (readonly [string, readonly RedirectParameter[], string])[] = [
  ['https://a.example/cb', code, 'https://a.example/cb?code=x'],
  ['https://a.example', code, 'https://a.example?code=x'],
  ['https://a.example/cb?tenant=1', code, 'https://a.example/cb?tenant=1&code=x'],
  ['https://a.example/cb?tenant=a%20b&', code, 'https://a.example/cb?tenant=a%20b&code=x'],
  ['https://a.example/cb?', code, 'https://a.example/cb?code=x'],
  [
    'https://a.example/cb',
    [...code, ['iss', 'https://parley.example']],
    'https://a.example/cb?code=x&iss=https%3A%2F%2Fparley.example',
  ],
  [
    'https://a.example/cb',
    [['state', 'a b&c=d+e/é"\r\n']],
    'https://a.example/cb?state=a%20b%26c%3Dd%2Be%2F%C3%A9%22%0D%0A',
  ],
  ['https://a.example/cb', [['state', Uint8Array.of(0, 0xff, 0x7e)]], 'https://a.example/cb?state=%00%FF~'],
]
for (const [redirectUri, parameters, expected] of additions) {
  test(`redirects to ${expected}`, () => assert.equal(withParameters(redirectUri, parameters), expected))
}

test('the playground is built in for the sandbox, and no live client is sent to a page of the service', () => {
  const base = 'https://meet.example.org'
  const own = playgroundCallback(base)
  const variants = [
    `${own}/`,
    `${own}?a=1`,
    own.replace('callback', '%63allback'),
    'https://MEET.example.org/',
    `${base}/`,
  ]
  for (const clientType of ['confidential', 'native', 'single_page'] as const) {
    const client = { clientType, callbackUrls: ['https://app.example/callback'] }
    assert.equal(mayRedirectTo(own, { ...client, sandbox: true }, base), true)
    assert.equal(mayRedirectTo(own, { ...client, sandbox: false }, base), false)
    // Whatever an app has registered.
    const registering = { clientType, callbackUrls: [own, ...variants] }
    assert.equal(mayRedirectTo(own, { ...registering, sandbox: false }, base), false)
    for (const variant of variants)
      for (const sandbox of [true, false])
        assert.equal(mayRedirectTo(variant, { ...registering, sandbox }, base), false, variant)
    for (const sandbox of [true, false]) {
      assert.equal(mayRedirectTo('https://app.example/callback', { ...client, sandbox }, base), true)
      assert.equal(mayRedirectTo('https://app.example/other', { ...client, sandbox }, base), false)
    }
  }
  const onDevice = { clientType: 'native', callbackUrls: ['http://localhost/developers/playground/callback'] } as const
  const local = 'http://localhost:3000'
  assert.equal(mayRedirectTo(playgroundCallback(local), { ...onDevice, sandbox: false }, local), false)
  assert.equal(
    mayRedirectTo('http://localhost:9/developers/playground/callback', { ...onDevice, sandbox: false }, local),
    true,
  )
})
