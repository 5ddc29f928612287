import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCodeVerifier } from '@parley/rules/oauth/code-exchange'
import { playgroundCallback } from '@parley/rules/oauth/redirect-uri'
import { challengeOf, newAuthorization, newSecretText, readAuthorizationResponse } from './authorization.ts'

const issuer = 'https://meet.example.org'
const redirectUri = playgroundCallback(issuer)
const wishes = {
  endpoint: `${issuer}/oauth2/authorize`,
  clientId: 'test_app',
  redirectUri,
  scopes: ['user:read', 'meeting:read'],
  askAgain: false,
}

test('an authorization request has all required parameters, a challenge and a fresh state', async () => {
  const [one, other] = await Promise.all([newAuthorization(wishes), newAuthorization({ ...wishes, askAgain: true })])
  const { searchParams } = new URL(one.url)
  assert.equal(searchParams.get('response_type'), 'code')
  assert.equal(searchParams.get('redirect_uri'), redirectUri)
  assert.equal(searchParams.get('scope'), 'user:read meeting:read')
  assert.equal(searchParams.get('code_challenge_method'), 'S256')
  assert.equal(searchParams.has('prompt'), false)
  assert.ok(one.verifier !== undefined && !one.url.includes(one.verifier))
  assert.equal(new URL(other.url).searchParams.get('prompt'), 'consent')
  assert.notEqual(one.state, other.state)
})

test('a response is trusted only with the right state and issuer', () => {
  const read = (query: string) => readAuthorizationResponse(query, { state: 'ours' }, issuer)
  const sound = read(`?code=oac_1&state=ours&iss=${encodeURIComponent(issuer)}`)
  assert.deepEqual([sound.code, sound.stateFits, sound.issuerFits], ['oac_1', true, true])
  const foreign = read('?code=oac_1&state=theirs&iss=https%3A%2F%2Fevil.example')
  assert.deepEqual([foreign.stateFits, foreign.issuerFits], [false, false])
  const denied = read('?error=access_denied&state=ours')
  assert.deepEqual([denied.code, denied.stateFits, denied.issuerFits], [undefined, true, undefined])
})

test('computes the challenge of RFC 7636, appendix B', async () => {
  assert.equal(
    await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('generates well-formed and distinct verifiers', () => {
  const some = Array.from({ length: 100 }, newSecretText)
  assert.equal(new Set(some).size, some.length)
  for (const verifier of some) assert.ok(isCodeVerifier(verifier), verifier)
})
