import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccessToken, TokenVerifier } from 'livekit-server-sdk'
import { issueToken, verifyToken } from './livekit-token.ts'

const apiKey = { key: 'key', secret: 'a secret' }
const now = Date.parse('2030-01-07T09:00:00Z')
const claims = {
  identity: 'alice',
  name: 'Alice',
  metadata: 'm',
  attributes: { a: 'b' },
  video: { room: 'r', roomJoin: true, canPublishSources: ['camera'] },
}
const token = issueToken(claims, apiKey, now, 60_000)

test('verifies a token with the values that it was issued with', () => {
  const verified = verifyToken(token, apiKey, now)
  assert.deepEqual({ ...verified, video: {} }, { ...claims, video: {}, issuedMs: Math.floor(now / 1000) * 1000 })
  assert.equal(verified?.video.roomJoin, true)
  assert.deepEqual(verified?.video.canPublishSources, ['camera'])
})

const validity = [
  [now - 10_001, false],
  [now - 10_000, true],
  [now + 69_999, true],
  [now + 70_000, false],
] as const
for (const [at, isValid] of validity) {
  test(`a token of a minute is ${isValid ? '' : 'not '}valid ${(at - now) / 1000} s after it was issued`, () => {
    assert.equal(verifyToken(token, apiKey, at) !== undefined, isValid)
  })
}

test('rejects a token whose signature or payload was modified, or that has none', () => {
  const [header, payload, signature = ''] = token.split('.')
  const other = issueToken({ ...claims, identity: 'mallory' }, apiKey, now, 60_000).split('.')[1]
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const forged = [
    `${header}.${other}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -1)}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${none}.${payload}.${signature}`,
    `${token}.more`,
    '',
    'a'.repeat(9000),
  ]
  for (const one of forged) assert.equal(verifyToken(one, apiKey, now), undefined)
  assert.equal(verifyToken(token, { ...apiKey, key: 'another' }, now), undefined)
})

test('the SDK reads our tokens, and we read those of the SDK', async () => {
  const at = Date.now()
  const read = await new TokenVerifier(apiKey.key, apiKey.secret).verify(issueToken(claims, apiKey, at, 60_000))
  assert.deepEqual([read.sub, read.name, read.video?.room], ['alice', 'Alice', 'r'])
  const theirs = new AccessToken(apiKey.key, apiKey.secret, { identity: 'bob', ttl: 60 })
  theirs.addGrant({ room: 'r', roomJoin: true, canPublish: false })
  const { identity, video } = verifyToken(await theirs.toJwt(), apiKey, at) ?? {}
  assert.deepEqual([identity, video?.canPublish, video?.canSubscribe], ['bob', false, undefined])
})

test('grants nothing for values of the wrong type', () => {
  const odd = { ...claims, video: { room: 'r', roomJoin: 'yes', canPublish: 'no', canPublishSources: [1, 'camera'] } }
  const { video } = verifyToken(issueToken(odd as never, apiKey, now, 60_000), apiKey, now) ?? {}
  assert.deepEqual([video?.roomJoin, video?.canPublish, video?.canPublishSources], [false, false, ['camera']])
})
