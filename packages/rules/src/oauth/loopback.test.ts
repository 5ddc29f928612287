import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback, withoutPort } from './loopback.ts'

const loopbacks = [
  ['http://localhost', 'http://localhost'],
  ['http://localhost:8080', 'http://localhost'],
  ['http://localhost/', 'http://localhost/'],
  ['http://localhost:65535/callback?a=b:1', 'http://localhost/callback?a=b:1'],
  ['http://localhost:1?a=b', 'http://localhost?a=b'],
  ['http://127.0.0.1:51004/callback', 'http://127.0.0.1/callback'],
  ['http://[::1]:51004/callback', 'http://[::1]/callback'],
] as const
for (const [uri, plain] of loopbacks) {
  test(`${uri} leads to this device`, () => assert.equal(withoutPort(uri), plain))
}

const others = [
  'https://localhost:8080/callback',
  'HTTP://localhost:8080/callback',
  'http://LOCALHOST:8080/callback',
  'http://localhost:/callback',
  'http://localhost:65536/callback',
  'http://localhost:123456/callback',
  'http://localhost:80@other.example/callback',
  'http://localhost@other.example/callback',
  'http://localhost.other.example/callback',
  'http://localhost:80.other.example/callback',
  'http://localhost\\@other.example/callback',
  'http://user@localhost/callback',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://0.0.0.0/callback',
  'http://[::]/callback',
  'http://[::ffff:127.0.0.1]/callback',
  'http://localhost/callback\nx',
  ' http://localhost/callback',
]
for (const uri of others) {
  test(`${JSON.stringify(uri)} does not`, () => assert.equal(isLoopback(uri), false))
}
