import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { type ApprovedApp, approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import {
  backendOf,
  codeFor,
  introspectPath,
  postForm,
  revokePath,
  tokenPath,
  tokensFor,
} from '../../../test/oauth/token-client.ts'
import { type Answer, sendRequest } from '../../../test/people.ts'
import { expectOauthError, expectOk } from '../../../test/replies.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const [api, mcp] = [publicAddress, `${publicAddress}/mcp`]
const verifier = 'a'.repeat(43)
const codeChallenge = hash('sha256', verifier, 'base64url')

/** Meet Alice, who uses the apps of Dana. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  const planner = await approvedApp(service, dana, { scopes: ['meeting:read', 'user:read'] })
  const rival = await approvedApp(service, dana, { name: 'Rival' })
  const phone = await approvedApp(service, dana, { name: 'On a phone', clientType: 'native' })
  const backend = backendOf(service, planner)
  const codeOf = (more = {}, app: ApprovedApp = planner) => codeFor(service, app, alice, { clock, ...more })
  const connect = () => tokensFor(service, planner, alice, { clock, scopes: ['meeting:read', 'user:read'] })
  const audienceOf = async (token: string) => (await backend.introspect(token)).body.aud
  /** The redirect of an authorization request, after Allow. */
  const authorize = (resource: string, more = '') =>
    consent(
      service,
      alice,
      authorizeUrl(service, {
        client_id: planner.clientId,
        redirect_uri: callbackUrl,
        response_type: 'code',
        state: 's',
        resource,
      }) + more,
    )
  return { alice, planner, rival, phone, backend, codeOf, connect, audienceOf, authorize }
}

const profileStatus = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status

function assertSays({ status, body, headers }: Answer, error: string, description: string) {
  assert.deepEqual([body.error, body.error_description], [error, description])
  assert.equal(status, error === 'invalid_client' ? 401 : 400)
  assert.equal(body.request_id, headers.get('x-request-id'))
}

const generalGrant = 'The code or token is not valid, has expired, was revoked or was issued to another client.'

test('refuses a missing grant_type, password, client_credentials and any other', async () => {
  const { backend, codeOf } = await scene()
  const post = (form: Record<string, string>) => backend.post(tokenPath, form)
  await expectOauthError(post({ code: await codeOf() }), 'invalid_request')
  await expectOauthError(post({ grant_type: '', code: await codeOf() }), 'invalid_request')
  for (const type of ['password', 'client_credentials', 'implicit', 'AUTHORIZATION_CODE']) {
    await expectOauthError(post({ grant_type: type, code: await codeOf() }), 'unsupported_grant_type')
  }
})

test('ignores unknown parameters', async () => {
  const { backend, codeOf } = await scene()
  await expectOk(backend.exchange(await codeOf(), { audience: 'x', nonce: 'y' }))
})

test('a code yields tokens, a refresh token the next ones; without a client there are none', async () => {
  const { planner, backend, codeOf } = await scene()
  const first = await backend.exchange(await codeOf())
  const second = await backend.refresh(first.body.refresh_token)
  for (const { status, body, headers } of [first, second]) {
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  assert.notEqual(second.body.access_token, first.body.access_token)
  const form = { grant_type: 'authorization_code', code: await codeOf() }
  await expectOauthError(postForm(service, tokenPath, form), 'invalid_client', 401)
  const byAnother = { ...form, client_id: planner.clientId, client_secret: 'wrong' }
  await expectOauthError(postForm(service, tokenPath, byAnother), 'invalid_client', 401)
})

test('the resource of the authorization request is that of the tokens, also after a refresh', async () => {
  const { backend, authorize, audienceOf } = await scene()
  const { searchParams } = await authorize(mcp)
  const body = await expectOk(backend.exchange(searchParams.get('code') ?? '', { resource: mcp }))
  const refreshed = await expectOk(backend.refresh(body.refresh_token, { resource: mcp }))
  for (const token of [body.access_token, refreshed.access_token, refreshed.refresh_token]) {
    assert.equal(await audienceOf(token), mcp)
  }
})

test('an unknown resource goes back on the redirect', async () => {
  const { authorize } = await scene()
  for (const resource of ['https://other.example', `${api}/api`, `${mcp}#a`, '/mcp']) {
    const redirect = await authorize(resource)
    assert.equal(redirect.searchParams.get('error'), 'invalid_target')
    assert.deepEqual([redirect.searchParams.get('state'), redirect.searchParams.get('iss')], ['s', publicAddress])
  }
})

test('the API takes tokens without a resource and its own, and none of the MCP server', async () => {
  const { alice, planner, audienceOf } = await scene()
  const none = await tokensFor(service, planner, alice, { clock })
  const own = await tokensFor(service, planner, alice, { clock, resource: 'api' })
  const others = await tokensFor(service, planner, alice, { clock, resource: 'mcp' })
  assert.equal(await audienceOf(none.access_token), undefined)
  assert.equal(await audienceOf(own.access_token), api)
  assert.deepEqual(
    [
      await profileStatus(none.access_token),
      await profileStatus(own.access_token),
      await profileStatus(others.access_token),
    ],
    [200, 200, 401],
  )
})

test('a code is exchanged for its resource only, and a refusal does not use it', async () => {
  const { backend, codeOf } = await scene()
  const code = await codeOf({ resource: 'mcp' })
  for (const resource of [api, `${api}/`, 'https://other.example', 'mcp']) {
    await expectOauthError(backend.exchange(code, { resource }), 'invalid_target')
  }
  await expectOk(backend.exchange(code))
  await expectOauthError(backend.exchange(await codeOf(), { resource: mcp }), 'invalid_target')
  await expectOk(backend.exchange(await codeOf(), { resource: `${api}/` }))
})

test('a refresh cannot change the resource, and a refusal does not use the token', async () => {
  const { alice, planner, backend, audienceOf } = await scene()
  const { refresh_token: token } = await tokensFor(service, planner, alice, { clock, resource: 'mcp' })
  await expectOauthError(backend.refresh(token, { resource: api }), 'invalid_target')
  const rotated = await expectOk(backend.refresh(token))
  assert.equal(await audienceOf(rotated.access_token), mcp)
  // The repeated request of a lost reply names the resource as the first did.
  assert.equal((await backend.refresh(token, { resource: mcp })).body.access_token, rotated.access_token)
  await expectOauthError(backend.refresh(token, { resource: api }), 'invalid_target')
  await expectOk(backend.refresh(rotated.refresh_token))
})

test('tokens are for one resource', async () => {
  const { planner, codeOf, authorize } = await scene()
  const code = await codeOf({ resource: 'mcp' })
  const form = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['resource', mcp],
    ['resource', mcp],
    ['client_id', planner.clientId],
    ['client_secret', planner.clientSecret],
  ]
  await expectOauthError(postForm(service, tokenPath, form), 'invalid_target')
  const twice = await authorize(mcp, `&resource=${encodeURIComponent(api)}`)
  assert.equal(twice.searchParams.get('error'), 'invalid_target')
})

test('a client that has authenticated reads what is wrong with its code', async () => {
  const { planner, rival, backend, codeOf } = await scene()
  const old = await codeOf()
  clock.advance(300_000)
  assertSays(await backend.exchange(old), 'invalid_grant', 'The code has expired.')

  const code = await codeOf({ codeChallenge })
  const refused = async (form: Record<string, string>, description: string) =>
    assertSays(await backend.exchange(code, form), 'invalid_grant', description)
  await refused({}, 'The code_verifier is missing.')
  await refused({ code_verifier: 'b'.repeat(43) }, 'The code_verifier does not match the code_challenge.')
  const malformed = 'The code_verifier is malformed: it has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~'
  await refused({ code_verifier: verifier.slice(1) }, malformed)
  const elsewhere = { code_verifier: verifier, redirect_uri: `${callbackUrl}/` }
  await refused(elsewhere, 'The redirect_uri is not the one of the authorization request.')
  const ofAnother = 'The code was issued to another client.'
  for (const other of [backendOf(service, rival), backendOf(service, planner, 'sandbox')]) {
    assertSays(await other.exchange(code, { code_verifier: verifier }), 'invalid_grant', ofAnother)
  }
  await expectOk(backend.exchange(code, { code_verifier: verifier }))
  await refused({ code_verifier: verifier }, 'The code was used a second time; its tokens were ended.')
  const uninvited = 'There is a code_verifier, but the authorization request had no code_challenge.'
  assertSays(await backend.exchange(await codeOf(), { code_verifier: verifier }), 'invalid_request', uninvited)
})

test('a client that has authenticated reads what is wrong with its refresh token', async () => {
  const { rival, backend, connect } = await scene()
  const { access_token: access, refresh_token: refresh } = await connect()
  const refused = async (token: string, description: string, on = backend) =>
    assertSays(await on.refresh(token), 'invalid_grant', description)
  await refused(access, 'refresh_token holds an access token, not a refresh token.')
  await refused(refresh.slice(0, -1), 'refresh_token is incomplete or mistyped.')
  await refused('x', 'refresh_token is not one of this service.')
  await refused(refresh, 'The refresh token was issued to another client.', backendOf(service, rival))
  const more = 'scope names more than the refresh token carries: meeting:delete.'
  assertSays(await backend.refresh(refresh, { scope: 'user:read meeting:delete' }), 'invalid_scope', more)
  await backend.refresh(refresh)
  clock.advance(60_000)
  await refused(refresh, 'A refresh token was used again after 60 seconds; its family was ended.')
  await refused(refresh, 'These tokens were ended: something of it was used twice.')

  const revoked = await connect()
  await backend.revoke(revoked.refresh_token)
  await refused(revoked.refresh_token, 'These tokens were ended: the app revoked its refresh token.')
  const old = await connect()
  clock.advance(60 * 24 * 60 * 60 * 1000)
  await refused(old.refresh_token, 'The refresh token has expired.')
})

test('every sender reads which parameter of the form is wrong', async () => {
  const { backend, phone } = await scene()
  const { clientId } = phone
  const cases = [
    [{}, 'invalid_request', 'grant_type is missing.'],
    [
      { grant_type: 'password' },
      'unsupported_grant_type',
      'grant_type is neither authorization_code nor refresh_token.',
    ],
    [{ grant_type: 'authorization_code' }, 'invalid_request', 'code is missing.'],
    [{ grant_type: 'refresh_token' }, 'invalid_request', 'refresh_token is missing.'],
    [{ grant_type: 'authorization_code', code: 'x\0' }, 'invalid_request', 'code holds a NUL character.'],
    [{ grant_type: 'x'.repeat(101) }, 'invalid_request', 'grant_type has more than 100 characters.'],
    [
      { grant_type: 'refresh_token', refresh_token: 'pat' },
      'invalid_grant',
      'refresh_token is not one of this service.',
    ],
  ] as const
  for (const [form, error, description] of cases) {
    assertSays(await backend.post(tokenPath, form), error, description)
    assertSays(await postForm(service, tokenPath, { ...form, client_id: clientId }), error, description)
  }
  for (const path of [revokePath, introspectPath]) {
    assertSays(await backend.post(path, {}), 'invalid_request', 'token is missing.')
  }
  const twice = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', 'x'],
    ['refresh_token', 'x'],
  ]
  assertSays(await backend.post(tokenPath, twice), 'invalid_request', 'refresh_token was sent more than once.')
})

test('a client without a secret, and one whose secret is wrong, reads nothing about codes and tokens', async () => {
  const { planner, codeOf, connect, phone } = await scene()
  const device = backendOf(service, phone)
  const code = await codeOf({ codeChallenge }, phone)
  for (const form of [{}, { code_verifier: 'b'.repeat(43) }, { redirect_uri: `${callbackUrl}/` }]) {
    assertSays(await device.exchange(code, form), 'invalid_grant', generalGrant)
  }
  const tokens = await device.exchange(code, { code_verifier: verifier })
  assertSays(await device.exchange(code, { code_verifier: verifier }), 'invalid_grant', generalGrant)
  assertSays(await device.refresh(tokens.body.refresh_token), 'invalid_grant', generalGrant)

  const form = { grant_type: 'refresh_token', refresh_token: (await connect()).refresh_token }
  const wrong = { ...form, client_id: planner.clientId, client_secret: 'wrong' }
  assertSays(await postForm(service, tokenPath, wrong), 'invalid_client', 'The client could not be authenticated.')
})

test('what is quoted in a description is plain ASCII without quotation marks', async () => {
  const { backend, connect } = await scene()
  const { refresh_token: token } = await connect()
  const { body } = await backend.refresh(token, { scope: 'größe' })
  assert.equal(body.error, 'invalid_scope')
  assert.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
})
