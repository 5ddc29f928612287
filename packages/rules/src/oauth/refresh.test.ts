import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyFailedRefresh, type FoundRefreshToken } from './refresh.ts'

const now = new Date('2030-01-01T00:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const token: FoundRefreshToken = {
  ofThisClient: true,
  scopes: ['meeting:read', 'user:read'],
  resource: null,
  expiresAt: new Date('2030-01-01T00:00:01Z'),
  rotatedAt: null,
  successorRotatedAt: null,
  access: null,
  appSuspended: false,
  ownerActive: true,
  userDisabled: false,
  signedOutSince: false,
  grantRevokedBecause: null,
  grantExpiresAt: new Date('2030-01-02T00:00:00Z'),
  familyEndedBecause: null,
  scopesWithdrawn: false,
}
const access = { scopes: token.scopes, expiresAt: new Date('2030-01-01T23:59:30Z') }
const rotated = { ...token, rotatedAt: ago(30_000), access }
const narrow = { ...rotated, access: { ...access, scopes: ['user:read'] } }

const cases: [string, FoundRefreshToken | undefined, readonly string[] | undefined, string][] = [
  ['an unknown token', undefined, undefined, 'invalid_grant'],
  ["another client's token, rotated or not", { ...rotated, ofThisClient: false }, undefined, 'invalid_grant'],
  ['a token at its expiry', { ...token, expiresAt: now }, undefined, 'invalid_grant'],
  ['a larger scope', token, ['user:read', 'meeting:create'], 'invalid_scope'],
  [
    'a second use at once, on an instance whose clock is behind',
    { ...rotated, rotatedAt: ago(-5) },
    undefined,
    'repeat',
  ],
  ['a second use after 59.999 s', { ...rotated, rotatedAt: ago(59_999) }, undefined, 'repeat'],
  ['a second use after 60 s', { ...rotated, rotatedAt: ago(60_000) }, undefined, 'replay'],
  ['a second use after the successor was used', { ...rotated, successorRotatedAt: ago(1) }, undefined, 'replay'],
  ['a second use after the token’s expiry', { ...rotated, expiresAt: ago(1) }, undefined, 'repeat'],
  ['a second use with all scopes listed', rotated, ['user:read', 'meeting:read'], 'repeat'],
  ['a second use with fewer scopes', rotated, ['user:read'], 'invalid_grant'],
  ['a second use with more scopes', narrow, undefined, 'invalid_grant'],
  ['a second use with the same fewer scopes', narrow, ['user:read'], 'repeat'],
  ['a second use when the access token was revoked', { ...rotated, access: null }, undefined, 'invalid_grant'],
  ['a second use in a family that has ended', { ...rotated, familyEndedBecause: 'x' }, undefined, 'invalid_grant'],
  ['a suspended app', { ...token, appSuspended: true }, undefined, 'unauthorized_client'],
  ['a grant that was taken back', { ...token, grantRevokedBecause: 'x' }, undefined, 'invalid_grant'],
  ['nothing wrong any more', token, ['user:read'], 'temporarily_unavailable'],
]
for (const [what, found, wanted, outcome] of cases) {
  test(`${what}: ${outcome}`, () => {
    const failed = classifyFailedRefresh(
      found,
      { clientType: 'confidential', scopes: wanted, resource: undefined },
      now,
    )
    assert.equal(failed.kind === 'refused' ? failed.error : failed.kind, outcome)
    if (failed.kind === 'repeat') assert.equal(failed.expiresAt, access.expiresAt)
  })
}

const sent = { clientType: 'confidential', scopes: undefined, resource: undefined } as const
const outcomeOf = (found: FoundRefreshToken, more: object) => {
  const failed = classifyFailedRefresh(found, { ...sent, ...more }, now)
  return failed.kind === 'refused' ? failed.error : failed.kind
}

test('a second use of a public client’s token is a replay after ten seconds', () => {
  for (const clientType of ['native', 'single_page']) {
    assert.equal(outcomeOf({ ...rotated, rotatedAt: ago(9_999) }, { clientType }), 'repeat', clientType)
    assert.equal(outcomeOf({ ...rotated, rotatedAt: ago(10_000) }, { clientType }), 'replay', clientType)
    const used = { ...rotated, rotatedAt: ago(2), successorRotatedAt: ago(1) }
    assert.equal(outcomeOf(used, { clientType }), 'superseded', clientType)
    const late = { ...rotated, rotatedAt: ago(10_000), successorRotatedAt: ago(1) }
    assert.equal(outcomeOf(late, { clientType }), 'replay', clientType)
    const revoked = { ...rotated, rotatedAt: ago(1), access: null }
    assert.equal(outcomeOf(revoked, { clientType }), 'invalid_grant', clientType)
    assert.equal(outcomeOf(token, { clientType }), 'temporarily_unavailable', clientType)
  }
})

test('a refresh cannot change the resource', () => {
  assert.equal(outcomeOf({ ...token, resource: 'mcp' }, { resource: 'api' }), 'invalid_target')
  assert.equal(outcomeOf(token, { resource: 'mcp' }), 'invalid_target')
  assert.equal(outcomeOf(token, { resource: 'api' }), 'temporarily_unavailable')
  assert.equal(outcomeOf({ ...token, resource: 'mcp' }, { resource: 'mcp' }), 'temporarily_unavailable')
  assert.equal(outcomeOf({ ...token, resource: 'mcp' }, {}), 'temporarily_unavailable')
  assert.equal(outcomeOf({ ...rotated, resource: 'mcp' }, { resource: 'api' }), 'invalid_target')
})
