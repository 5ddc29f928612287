import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTokenRequest } from './token-request.ts'

test('reads a code with its redirect URI and verifier', () => {
  const form = {
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: 'u',
    code_verifier: 'v',
    refresh_token: 'r',
  }
  assert.deepEqual(readTokenRequest(form), { kind: 'code', code: 'c', redirectUri: 'u', codeVerifier: 'v' })
})

const scopes = [
  [undefined, undefined],
  ['user:read', ['user:read']],
  ['user:read meeting:read user:read', ['user:read', 'meeting:read']],
  ['openid user:read', ['user:read']],
  ['openid profile email offline_access', undefined],
] as const
for (const [scope, wanted] of scopes) {
  test(`a refresh with the scope ${scope} requests ${wanted ?? 'all scopes of the token'}`, () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'r', ...(scope === undefined ? {} : { scope }) }
    assert.deepEqual(readTokenRequest(form), { kind: 'refresh', refreshToken: 'r', scopes: wanted })
  })
}

const refused = [
  [{}, 'invalid_request'],
  [{ grant_type: 'authorization_code' }, 'invalid_request'],
  [{ grant_type: 'refresh_token' }, 'invalid_request'],
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token', refresh_token: 'r', scope: 'a  b' }, 'invalid_scope'],
  [{ grant_type: 'refresh_token', refresh_token: 'r', scope: 'a\tb' }, 'invalid_scope'],
] as const
for (const [form, error] of refused) {
  test(`${JSON.stringify(form)} is ${error}`, () => {
    const request = readTokenRequest(form)
    assert.equal(request.kind === 'refused' && request.error, error)
  })
}
