import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AppUrlCode,
  findCallbackUrlViolations,
  findPageUrlViolations,
  isPlainHttp,
  maxAppUrlLength,
} from './app-url.ts'

const valid = [
  'https://app.example.org/',
  'https://app.example.org',
  'https://app.example.org/callback',
  'https://app.example.org/callback/',
  'https://app.example.org:8443/callback',
  'HTTPS://App.Example.org/Callback',
  'https://app.example.org/a/../b',
  'https://app.example.org/callback?tenant=acme&lang=de',
  'https://app.example.org/callback?',
  'https://app.example.org/token/success',
  'https://token.example.org/clientId',
  'https://app.example.org/callback?tokens=1&mytoken=2&client_id=3&session=4',
  'https://app.example.org/callback?next=token',
  'https://app.example.org/callback?a=b=token',
  'https://app.example.org/%C3%BC',
  'https://app.example.org/a%20b',
  'https://app.example.org/%2A%23',
  'https://xn--bcher-kva.example/',
  'https://app.example.org./callback',
  'https://app_1.example.org/',
  'https://10.example.org/',
  'https://1.2.3.4.example.org/',
  'https://0xcafe.example.org/',
  'https://intranet/callback',
  'https://ip/callback',
  'https://none/callback',
  'http://app.example.org/callback',
  'http://localhost/callback',
  'http://localhost:3000/callback',
  'https://localhost/callback',
]
for (const url of valid) {
  test(`${url} is valid`, () => {
    assert.deepEqual(findPageUrlViolations(url), [])
    assert.deepEqual(findCallbackUrlViolations(url, 'allow'), [])
  })
}

const broken: readonly (readonly [string, ...AppUrlCode[]])[] = [
  ['', 'not_a_url'],
  [' ', 'forbidden_character'],
  ['callback', 'not_a_url'],
  ['/callback', 'not_a_url'],
  ['//app.example.org/callback', 'not_a_url'],
  ['app.example.org/callback', 'not_a_url'],
  ['://app.example.org', 'not_a_url'],
  ['https:', 'not_a_url'],
  ['https://', 'not_a_url'],
  ['https:///callback', 'not_a_url'],
  ['https:app.example.org', 'not_a_url'],
  ['https:/app.example.org', 'not_a_url'],
  ['https://:443/', 'not_a_url'],
  ['https://?a=b', 'not_a_url'],
  ['https://app..example.org/', 'not_a_url'],
  ['https://.example.org/', 'not_a_url'],
  ['https://app.example.org:65536/', 'not_a_url'],
  ['https://app.example.org:port/', 'not_a_url'],
  [`https://${'a'.repeat(64)}.example.org/`, 'not_a_url'],
  [`https://${'a.'.repeat(130)}org/`, 'not_a_url'],
  ['https://app.example.org/%', 'forbidden_character'],
  ['https://app.example.org/%zz', 'forbidden_character'],
  ['https://app.example.org/%2', 'forbidden_character'],
  ['https://app.example.org/a b', 'forbidden_character'],
  [' https://app.example.org/', 'forbidden_character'],
  ['https://app.example.org/ ', 'forbidden_character'],
  ['https://app.example.org/\tcallback', 'forbidden_character'],
  ['https://app.example.org/\r\nSet-Cookie:a=b', 'forbidden_character'],
  ['https://app.example.org/%0d%0aSet-Cookie:a=b', 'forbidden_character'],
  ['https://app.example.org/%00', 'forbidden_character'],
  ['https://app.example.org/%7F', 'forbidden_character'],
  ['https://app.example.org/\u0000', 'forbidden_character'],
  ['https://app.example.org/\u007f', 'forbidden_character'],
  ['https://app.example.org\\@evil.example/', 'forbidden_character'],
  ['https:\\\\app.example.org\\', 'forbidden_character'],
  ['https://app.example.org/"onload', 'forbidden_character'],
  ['https://app.example.org/<script>', 'forbidden_character'],
  ['https://app.example.org/{id}', 'forbidden_character'],
  ['https://bücher.example/', 'forbidden_character'],
  ['https://аpple.example/', 'forbidden_character'],
  ['https://app.example.org/\u202egro', 'forbidden_character'],
  ['https://１２７.0.0.1/', 'forbidden_character', 'ip_host'],
  ['javascript:alert(1)', 'not_http'],
  ['JavaScript:alert(1)', 'not_http'],
  ['java\tscript:alert(1)', 'forbidden_character'],
  ['data:text/html,hello', 'not_http'],
  ['ftp://app.example.org/', 'not_http'],
  ['file:///etc/passwd', 'not_http'],
  ['mailto:alice@example.org', 'not_http'],
  ['com.example.app:/callback', 'not_http'],
  ['localhost:3000/callback', 'not_http'],
  ['blob:https://app.example.org/1', 'not_http'],
  ['view-source:https://app.example.org/', 'not_http'],
  ['https://127.0.0.1/', 'ip_host'],
  ['http://127.0.0.1:3000/callback', 'ip_host'],
  ['https://93.184.216.34/callback', 'ip_host'],
  ['https://127.0.0.1./', 'ip_host'],
  ['https://127.1/', 'ip_host'],
  ['https://2130706433/', 'ip_host'],
  ['https://0x7f000001/', 'ip_host'],
  ['https://0X7F.0.0.1/', 'ip_host'],
  ['https://0x/', 'ip_host'],
  ['https://0177.0.0.1/', 'ip_host'],
  ['https://017700000001/', 'ip_host'],
  ['https://256.256.256.256/', 'ip_host'],
  ['https://1.2.3.4.5/', 'ip_host'],
  ['https://app.example.0/', 'ip_host'],
  ['https://%31%32%37.0.0.1/', 'ip_host'],
  ['https://127.0.0.%31/', 'ip_host'],
  ['https://127%2e0%2e0%2e1/', 'ip_host'],
  ['https://[::1]/', 'ip_host'],
  ['https://[::ffff:127.0.0.1]:8443/', 'ip_host'],
  ['https://[2001:db8::1]/callback', 'ip_host'],
  ['https://[fe80::1%25eth0]/', 'ip_host'],
  ['https://[::1', 'ip_host'],
  ['https://*.example.org/', 'wildcard'],
  ['https://%2A.example.org/', 'wildcard'],
  ['https://app.example.org/*', 'wildcard'],
  ['https://app.example.org/?a=*', 'wildcard'],
  ['*', 'wildcard'],
  ['https://app.example.org/#', 'fragment'],
  ['https://app.example.org/#/callback', 'fragment'],
  ['https://app.example.org#', 'fragment'],
  ['https://app.example.org/*#', 'wildcard', 'fragment'],
  ['https://user@app.example.org/', 'userinfo'],
  ['https://user:password@app.example.org/', 'userinfo'],
  ['https://@app.example.org/', 'userinfo'],
  ['https://app.example.org@evil.example/', 'userinfo'],
  ['https://user@127.0.0.1/', 'userinfo', 'ip_host'],
  ['https://app.example.org/?sessionId=1', 'forbidden_parameter'],
  ['https://app.example.org/?token=1', 'forbidden_parameter'],
  ['https://app.example.org/?success=1', 'forbidden_parameter'],
  ['https://app.example.org/?redirect_uri=1', 'forbidden_parameter'],
  ['https://app.example.org/?clientId=1', 'forbidden_parameter'],
  ['https://app.example.org/?token', 'forbidden_parameter'],
  ['https://app.example.org?token=1', 'forbidden_parameter'],
  ['https://app.example.org/?a=1&token=2', 'forbidden_parameter'],
  ['https://app.example.org/?a=1;token=2', 'forbidden_parameter'],
  ['https://app.example.org/?TOKEN=1', 'forbidden_parameter'],
  ['https://app.example.org/?SESSIONID=1', 'forbidden_parameter'],
  ['https://app.example.org/?clientid=1', 'forbidden_parameter'],
  ['https://app.example.org/?Redirect_URI=1', 'forbidden_parameter'],
  ['https://app.example.org/?%74oken=1', 'forbidden_parameter'],
  ['https://app.example.org/?%54OKEN=1', 'forbidden_parameter'],
  ['https://app.example.org/?redirect%5Furi=1', 'forbidden_parameter'],
  ['https://app.example.org/?redirect%5furi=1', 'forbidden_parameter'],
  ['https://app.example.org/?%2574oken=1', 'forbidden_parameter'],
  ['https://app.example.org/?%252574oken=1', 'forbidden_parameter'],
  ['https://app.example.org/?a%26token=1', 'forbidden_parameter'],
  ['https://app.example.org/?+token=1', 'forbidden_parameter'],
  ['https://app.example.org/?%20token%20=1', 'forbidden_parameter'],
  ['https://app.example.org/?token[]=1', 'forbidden_parameter'],
  ['https://app.example.org/?token%5B0%5D=1', 'forbidden_parameter'],
  ['http://127.0.0.1/*?token=1#x', 'wildcard', 'fragment', 'ip_host', 'forbidden_parameter'],
]
for (const [url, ...codes] of broken) {
  test(`${JSON.stringify(url)} is refused: ${codes.join(', ')}`, () => {
    assert.deepEqual(codesOf(findPageUrlViolations(url)), codes)
    assert.deepEqual(codesOf(findCallbackUrlViolations(url, 'require')), codes)
  })
}

const codesOf = (violations: readonly { code: AppUrlCode }[]) => violations.map(({ code }) => code)

test('a URL has at most 2,048 characters', () => {
  const start = 'https://app.example.org/'
  assert.deepEqual(findPageUrlViolations(start + 'a'.repeat(maxAppUrlLength - start.length)), [])
  assert.deepEqual(codesOf(findPageUrlViolations(start + 'a'.repeat(maxAppUrlLength - start.length + 1))), ['too_long'])
})

test('a label of the host has at most 63 characters', () => {
  assert.deepEqual(findPageUrlViolations(`https://${'a'.repeat(63)}.example.org/`), [])
})

const plain = ['http://app.example.org/cb', 'HTTP://app.example.org/cb', 'http://localhost.example.org/cb']
const local = ['http://localhost/cb', 'http://localhost:3000/cb', 'http://LOCALHOST:3000/cb']
const safe = ['https://app.example.org/cb', 'HTTPS://app.example.org/cb', 'https://localhost/cb']
const taken = {
  require: [safe],
  'allow-localhost': [safe, local],
  allow: [safe, local, plain],
} as const
for (const policy of ['require', 'allow-localhost', 'allow'] as const) {
  for (const urls of [safe, local, plain]) {
    const mayBe = taken[policy].some((some) => some === urls)
    for (const url of urls) {
      test(`${policy} ${mayBe ? 'accepts' : 'refuses'} ${url}`, () =>
        assert.deepEqual(codesOf(findCallbackUrlViolations(url, policy)), mayBe ? [] : ['plain_http']))
    }
  }
}

const ofDevice = ['http://127.0.0.1:51004/cb', 'http://[::1]/cb', 'com.example.app:/cb']

test('http is flagged as plain, except to this machine', () => {
  for (const url of plain) assert.equal(isPlainHttp(url), true, url)
  for (const url of [...local, ...safe, ...ofDevice]) assert.equal(isPlainHttp(url), false, url)
})

const callbacksOfNative: readonly (readonly [string, ...AppUrlCode[]])[] = [
  ['http://localhost/callback'],
  ['http://localhost:8080/callback?a=1'],
  ['http://127.0.0.1/callback'],
  ['http://[::1]:51004'],
  ['com.example.app:/callback'],
  ['com.example.app:/'],
  ['com.example.my-app.v2:/oauth2redirect/parley?a=1'],
  ['https://app.example.org/callback'],
  ['http://app.example.org/callback', 'not_native'],
  ['http://LOCALHOST/callback', 'not_native'],
  ['http://127.0.0.2/callback', 'not_native'],
  ['https://127.0.0.1/callback', 'ip_host'],
  ['com.example.app://callback', 'not_native'],
  ['com.example.app:callback', 'not_native'],
  ['com.example.app:', 'not_native'],
  ['Com.example.app:/callback', 'not_native'],
  ['.example.app:/callback', 'not_native'],
  ['com..app:/callback', 'not_native'],
  ['com.example.:/callback', 'not_native'],
  ['1com.example:/callback', 'not_native'],
  ['exampleapp:/callback', 'not_native'],
  ['javascript:alert(1)', 'not_native'],
  ['file:///etc/passwd', 'not_native'],
  ['', 'not_native'],
  ['com.example.app:/callback#a', 'fragment'],
  ['com.example.app:/*', 'wildcard'],
  ['com.example.app:/a b', 'forbidden_character'],
  ['com.example.app:/callback?token=1', 'forbidden_parameter'],
  ['http://localhost/callback?token=1', 'forbidden_parameter'],
  [`com.example.app:/${'a'.repeat(maxAppUrlLength - 16)}`, 'too_long'],
]
for (const [url, ...codes] of callbacksOfNative) {
  test(`${url.slice(0, 60)} of a native app: ${codes.join(', ') || 'valid'}`, () => {
    for (const policy of ['require', 'allow'] as const) {
      assert.deepEqual(codesOf(findCallbackUrlViolations(url, policy, 'native')), codes)
    }
  })
}

test('a single-page app returns to https, or to localhost where the operator permits it', () => {
  const codes = (url: string, policy: 'require' | 'allow-localhost' | 'allow') =>
    codesOf(findCallbackUrlViolations(url, policy, 'single_page'))
  for (const policy of ['require', 'allow-localhost', 'allow'] as const) {
    for (const url of safe) assert.deepEqual(codes(url, policy), [])
    for (const url of plain) assert.deepEqual(codes(url, policy), [policy === 'require' ? 'plain_http' : 'not_https'])
    for (const url of local) assert.deepEqual(codes(url, policy), policy === 'require' ? ['plain_http'] : [])
    assert.deepEqual(codes('http://127.0.0.1/cb', policy), ['ip_host'])
    assert.deepEqual(codes('com.example.app:/cb', policy), ['not_http'])
  }
})
