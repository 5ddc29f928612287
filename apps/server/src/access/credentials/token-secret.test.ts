import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createRandom, secureRandom } from '../../platform/random.ts'
import { newToken, readToken, readTokenOf, type TokenKind, tokenPrefixes } from './token-secret.ts'

test('a token names its kind and is found by its SHA-256', () => {
  for (const kind of Object.keys(tokenPrefixes) as TokenKind[]) {
    const { token, hash } = newToken(kind, secureRandom)
    assert.match(token, /^[a-z]{3}_[0-9A-Za-z]{49}$/)
    assert.ok(token.startsWith(tokenPrefixes[kind]))
    assert.deepEqual(hash, createHash('sha256').update(token).digest())
    assert.deepEqual(readToken(token), { kind, hash })
    assert.deepEqual(readTokenOf(kind, token), hash)
  }
})

test('the smallest and the largest secret have the same length', () => {
  for (const byte of [0x00, 0xff]) {
    const { token } = newToken(
      'session',
      createRandom((length) => Buffer.alloc(length, byte)),
    )
    assert.equal(token.length, 53)
    assert.notEqual(readToken(token), undefined)
  }
})

test('refuses a link for another purpose', () => {
  assert.equal(readTokenOf('resetPassword', newToken('verifyEmail', secureRandom).token), undefined)
})

test('detects any single wrong character', () => {
  const { token } = newToken('personal', secureRandom)
  for (let at = 0; at < token.length; at++) {
    const wrong = token[at] === 'x' ? 'y' : 'x'
    assert.equal(readToken(token.slice(0, at) + wrong + token.slice(at + 1)), undefined, `character ${at}`)
  }
})

test('refuses a token that is cut, lengthened, of another kind or empty', () => {
  const { token } = newToken('session', secureRandom)
  for (const text of [
    '',
    'sst_',
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    token.toUpperCase(),
    `oat_${token.slice(4)}`,
  ]) {
    assert.equal(readToken(text), undefined, text)
  }
})

test('never generates a token twice', () => {
  const made = new Set(Array.from({ length: 1_000 }, () => newToken('session', secureRandom).token))
  assert.equal(made.size, 1_000)
})
