import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCodeVerifier } from '@parley/rules/oauth/code-exchange'
import { challengeOf, newSecretText } from './pkce.ts'

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
