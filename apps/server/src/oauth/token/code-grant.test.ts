import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { backendOf, causesOf, codeFor, postForm, tokenPath, tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOauthError, expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const verifier = 'a'.repeat(43)
const codeChallenge = hash('sha256', verifier, 'base64url')

/** Meet Alice and Bob, who use the apps of Dana. */
async function scene() {
  const [alice, bob, dana] = await meet('Alice', 'Bob', 'Dana')
  const planner = await approvedApp(service, dana)
  const rival = await approvedApp(service, dana, { name: 'Rival' })
  const codeOf = (more = {}) => codeFor(service, planner, alice, { clock, ...more })
  return { alice, bob, dana, planner, rival, backend: backendOf(service, planner), codeOf }
}

const profileWith = (token: string) =>
  sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })

test('exchanges a code for the tokens of RFC 6749, 5.1, which no cache stores', async () => {
  const { alice, backend, codeOf } = await scene()
  const reply = await backend.exchange(await codeOf())
  const body = await expectOk(reply)
  assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
  assert.match(body.access_token, /^oat_[A-Za-z0-9]{49}$/)
  assert.match(body.refresh_token, /^ort_[A-Za-z0-9]{49}$/)
  assert.equal(body.token_type, 'Bearer')
  assert.equal(body.expires_in, 86_400)
  assert.equal(body.scope, 'user:read meeting:read')
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.equal(reply.headers.get('access-control-allow-origin'), null)
  assert.equal((await profileWith(body.access_token)).body.sub, alice.profile._id)
})

test('accepts a code of 299 s, and refuses one of 301 s', async () => {
  const { backend, codeOf } = await scene()
  const [young, old] = [await codeOf(), await codeOf()]
  clock.advance(299_000)
  await expectOk(backend.exchange(young))
  clock.advance(2_000)
  await expectOauthError(backend.exchange(old), 'invalid_grant')
})

test('exchanges codes that arrive together for their own tokens', async () => {
  const { alice, bob, planner, rival, backend } = await scene()
  const wrongs = [{ redirect_uri: 'https://a.example/","{\\}' }, { code_verifier: verifier }]
  const answers = await Promise.all(
    [alice, bob, alice].map(async (person) => {
      const code = await codeFor(service, planner, person, { clock })
      const guarded = await codeFor(service, rival, person, { clock, codeChallenge, scopes: ['user:read'] })
      const good = [
        backend.exchange(code, { redirect_uri: callbackUrl }),
        backendOf(service, rival).exchange(guarded, { code_verifier: verifier }),
      ]
      const spoiled = await codeFor(service, planner, person, { clock })
      const bad = wrongs.map((wrong) => backend.exchange(spoiled, wrong))
      return { person, good: await Promise.all(good), bad: await Promise.all(bad) }
    }),
  )
  for (const { person, good, bad } of answers) {
    assert.deepEqual(
      good.map(({ body }) => body.scope),
      ['user:read meeting:read', 'user:read'],
    )
    for (const { body } of good) {
      assert.equal((await profileWith(body.access_token)).body.sub, person.profile._id)
    }
    for (const { status } of bad) assert.equal(status, 400)
  }
})

test('refuses a second redemption of a code and revokes the first tokens', async () => {
  const { planner, backend, codeOf } = await scene()
  const code = await codeOf()
  const first = await backend.exchange(code)
  await expectOk(profileWith(first.body.access_token))
  await expectOauthError(backend.exchange(code), 'invalid_grant')
  await expectProblem(profileWith(first.body.access_token), 'unauthorized')
  await expectOauthError(backend.refresh(first.body.refresh_token), 'invalid_grant')
  const causes = await causesOf(service, planner)
  assert.ok(
    causes.includes('code_replayed: The code was used a second time; its tokens were ended.'),
    causes.join('\n'),
  )
})

test('exchanges one code once for 100 parallel requests; the other 99 revoke its tokens', async () => {
  const { backend, codeOf } = await scene()
  const code = await codeOf()
  const answers = await Promise.all(Array.from({ length: 100 }, () => backend.exchange(code)))
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const answer of answers) if (answer.status !== 200) await expectOauthError(answer, 'invalid_grant')
  await expectProblem(profileWith(won[0]?.body.access_token), 'unauthorized')
})

test("refuses another client's code, and its owner can still redeem it", async () => {
  const { planner, rival, backend, codeOf } = await scene()
  const code = await codeOf()
  await expectOauthError(backendOf(service, rival).exchange(code), 'invalid_grant')
  await expectOauthError(backendOf(service, planner, 'sandbox').exchange(code), 'invalid_grant')
  const body = await expectOk(backend.exchange(code))
  // A second redemption by another client revokes nothing either.
  await expectOauthError(backendOf(service, rival).exchange(code), 'invalid_grant')
  await expectOk(profileWith(body.access_token))
})

test('keeps the code after a failed client authentication', async () => {
  const { planner, codeOf } = await scene()
  const code = await codeOf()
  const form = { grant_type: 'authorization_code', code, client_id: planner.clientId }
  await expectOauthError(postForm(service, tokenPath, { ...form, client_secret: 'wrong' }), 'invalid_client', 401)
  await expectOk(postForm(service, tokenPath, { ...form, client_secret: planner.clientSecret }))
})

test('accepts an absent redirect_uri, and requires that of the authorization request when present', async () => {
  const { backend, codeOf } = await scene()
  await expectOk(backend.exchange(await codeOf(), { redirect_uri: callbackUrl }))
  for (const redirectUri of [`${callbackUrl}/`, callbackUrl.toUpperCase(), `${callbackUrl}?a=1`, 'x']) {
    const code = await codeOf()
    await expectOauthError(backend.exchange(code, { redirect_uri: redirectUri }), 'invalid_grant')
    await expectOk(backend.exchange(code))
  }
})

test('requires a verifier that matches the challenge of the code', async () => {
  const { backend, codeOf } = await scene()
  await expectOk(backend.exchange(await codeOf({ codeChallenge }), { code_verifier: verifier }))
})

test('refuses an absent, wrong or malformed verifier', async () => {
  const { backend, codeOf } = await scene()
  await expectOauthError(backend.exchange(await codeOf({ codeChallenge })), 'invalid_grant')
  for (const wrong of ['b'.repeat(43), verifier.slice(1), `${verifier}=`, codeChallenge, 'a'.repeat(129)]) {
    await expectOauthError(backend.exchange(await codeOf({ codeChallenge }), { code_verifier: wrong }), 'invalid_grant')
  }
})

test('refuses a verifier for a code without a challenge', async () => {
  const { backend, codeOf } = await scene()
  await expectOauthError(backend.exchange(await codeOf(), { code_verifier: verifier }), 'invalid_request')
  await expectOauthError(backend.exchange(await codeOf(), { code_verifier: 'short' }), 'invalid_request')
})

test('refuses a code that is missing, empty, repeated or unknown', async () => {
  const { backend, codeOf } = await scene()
  const code = await codeOf()
  await expectOauthError(backend.post(tokenPath, { grant_type: 'authorization_code' }), 'invalid_request')
  await expectOauthError(backend.exchange(''), 'invalid_request')
  const twice = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['code', code],
  ]
  await expectOauthError(backend.post(tokenPath, twice), 'invalid_request')
  for (const other of ['x', `${code}0`, code.slice(0, -1), `ort_${code.slice(4)}`, '\0', "' or 1=1 --"]) {
    const { status, body } = await backend.exchange(other)
    assert.deepEqual([status, body.error], [400, other === '\0' ? 'invalid_request' : 'invalid_grant'])
  }
  await expectOk(backend.exchange(code))
})

test('refuses a code of a revoked grant, and one from before signing out everywhere', async () => {
  const { alice, backend, codeOf } = await scene()
  const taken = await codeOf()
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  await alice.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`)
  await expectOauthError(backend.exchange(taken), 'invalid_grant')

  const before = await codeOf()
  clock.advance(1)
  const { database } = service
  await database
    .updateTable('account')
    .set({ appTokensEndedAt: clock.now() })
    .where('id', '=', alice.profile._id)
    .execute()
  await expectOauthError(backend.exchange(before), 'invalid_grant')
  clock.advance(1)
  await expectOk(backend.exchange(await codeOf()))
})

test('refuses codes of a suspended app, and of one whose owner lost OAuth, until that is lifted', async () => {
  const { dana, planner, backend, codeOf } = await scene()
  const code = await codeOf()
  const { database } = service
  const suspend = (status: 'suspended' | 'approved') =>
    database.updateTable('app').set({ status }).where('id', '=', planner.appId).execute()
  await suspend('suspended')
  await expectOauthError(backend.exchange(code), 'unauthorized_client')
  await suspend('approved')
  const enable = (oauthEnabled: boolean) =>
    database.updateTable('account').set({ oauthEnabled }).where('id', '=', dana.profile._id).execute()
  await enable(false)
  await expectOauthError(backend.exchange(code), 'unauthorized_client')
  await enable(true)
  await expectOk(backend.exchange(code))
})

test('accepts sandbox codes for the sandbox client only, and ends its tokens with a grant of 7 days', async () => {
  const { planner, backend, codeOf } = await scene()
  const sandbox = backendOf(service, planner, 'sandbox')
  const code = await codeOf({ sandbox: true })
  await expectOauthError(backend.exchange(code), 'invalid_grant')
  const { body } = await sandbox.exchange(code)
  clock.advance(7 * 86_400_000 - 60_000)
  const last = await sandbox.refresh(body.refresh_token)
  assert.equal(last.body.expires_in, 60)
  clock.advance(60_000)
  await expectOauthError(sandbox.refresh(last.body.refresh_token), 'invalid_grant')
  await expectProblem(profileWith(last.body.access_token), 'unauthorized')
})

test('a wider consent adds to the grant; earlier tokens keep their scopes', async () => {
  const { bob, planner } = await scene()
  const before = await tokensFor(service, planner, bob, { scopes: ['user:read'], clock })
  const after = await tokensFor(service, planner, bob, { scopes: ['meeting:read'], clock })
  assert.equal(after.scope, 'meeting:read')
  await expectProblem(profileWith(after.access_token), 'insufficient_scope')
  await expectOk(profileWith(before.access_token))
  const { grants } = (await bob.send('GET', '/api/oauth2/grants')).body
  assert.deepEqual(
    grants.map(({ scopes }: { scopes: string[] }) => scopes),
    [['user:read', 'meeting:read']],
  )
})
