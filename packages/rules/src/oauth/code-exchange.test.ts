import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyFailedExchange, type FoundCode } from './code-exchange.ts'

const now = new Date('2030-01-01T00:00:00Z')
const code: FoundCode = {
  ofThisClient: true,
  redirectUri: 'https://planner.example/callback',
  codeChallenge: null,
  resource: null,
  expiresAt: new Date('2030-01-01T00:00:01Z'),
  usedAt: null,
  appSuspended: false,
  ownerActive: true,
  userDisabled: false,
  signedOutSince: false,
  grantRevokedBecause: null,
  grantExpiresAt: new Date('2030-01-02T00:00:00Z'),
  familyEndedBecause: null,
  scopesWithdrawn: false,
}
const nothing = { redirectUri: undefined, challenge: undefined, resource: undefined }

const cases: [string, FoundCode | undefined, object, string][] = [
  ['an unknown code', undefined, {}, 'invalid_grant'],
  ["another client's code, used or not", { ...code, ofThisClient: false, usedAt: now }, {}, 'invalid_grant'],
  ['a used code, even with other errors', { ...code, usedAt: now, expiresAt: now }, { redirectUri: 'x' }, 'replay'],
  ['a code at its expiry', { ...code, expiresAt: now }, {}, 'invalid_grant'],
  ['another redirect URI', code, { redirectUri: 'https://planner.example/callback/' }, 'invalid_grant'],
  ['a verifier for a code without a challenge', code, { challenge: 'c' }, 'invalid_request'],
  ['a malformed verifier for a code without a challenge', code, { challenge: 'mismatch' }, 'invalid_request'],
  ['a missing verifier', { ...code, codeChallenge: 'c' }, {}, 'invalid_grant'],
  ['a wrong verifier', { ...code, codeChallenge: 'c' }, { challenge: 'd' }, 'invalid_grant'],
  ['another resource', { ...code, resource: 'mcp' }, { resource: 'api' }, 'invalid_target'],
  ['a resource for a code without one', code, { resource: 'mcp' }, 'invalid_target'],
  [
    'another resource, with a wrong verifier',
    { ...code, codeChallenge: 'c' },
    { challenge: 'd', resource: 'mcp' },
    'invalid_grant',
  ],
  ['the resource of the code', { ...code, resource: 'mcp' }, { resource: 'mcp' }, 'temporarily_unavailable'],
  ['the API, for a code without a resource', code, { resource: 'api' }, 'temporarily_unavailable'],
  ['no resource, for a code with one', { ...code, resource: 'mcp' }, {}, 'temporarily_unavailable'],
  ['a suspended app', { ...code, appSuspended: true }, {}, 'unauthorized_client'],
  ['an owner without OAuth', { ...code, ownerActive: false }, {}, 'unauthorized_client'],
  ['a disabled user', { ...code, userDisabled: true }, {}, 'invalid_grant'],
  ['a user who signed out everywhere', { ...code, signedOutSince: true }, {}, 'invalid_grant'],
  ['a revoked grant', { ...code, grantRevokedBecause: 'revoked' }, {}, 'invalid_grant'],
  ['a grant at its expiry', { ...code, grantExpiresAt: now }, {}, 'invalid_grant'],
  ['a reason that is gone meanwhile', code, { redirectUri: code.redirectUri }, 'temporarily_unavailable'],
]
for (const [what, found, presentation, outcome] of cases) {
  test(`${what}: ${outcome}`, () => {
    const failed = classifyFailedExchange(found, { ...nothing, ...presentation }, now)
    assert.equal(failed.kind === 'refused' ? failed.error : failed.kind, outcome)
    assert.match(failed.cause, /^[A-Z].*\.$/)
  })
}
