import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { type ApprovedApp, approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import {
  backendOf,
  codeFor,
  introspectPath,
  postForm,
  revokePath,
  tokenPath,
  tokensFor,
} from '../../../test/oauth/token-client.ts'
import { type Answer, meetPeople } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice } = await meetPeople(service)
const planner = await approvedApp(service, olga, { scopes: ['meeting:read', 'user:read'] })
const rival = await approvedApp(service, olga, { name: 'Rival' })
const phone = await approvedApp(service, olga, { name: 'On a phone', clientType: 'native' })
const backend = backendOf(service, planner)
const verifier = 'a'.repeat(43)
const codeChallenge = hash('sha256', verifier, 'base64url')

const codeOf = (more = {}, app: ApprovedApp = planner) => codeFor(service, app, alice, { clock, ...more })
const connect = () => tokensFor(service, planner, alice, { clock, scopes: ['meeting:read', 'user:read'] })

function assertSays({ status, body, headers }: Answer, error: string, description: string) {
  assert.deepEqual([body.error, body.error_description], [error, description])
  assert.equal(status, error === 'invalid_client' ? 401 : 400)
  assert.equal(body.request_id, headers.get('x-request-id'))
}

const generalGrant = 'The code or token is not valid, has expired, was revoked or was issued to another client.'

test('a client that has authenticated reads what is wrong with its code', async () => {
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
  assert.equal((await backend.exchange(code, { code_verifier: verifier })).status, 200)
  await refused({ code_verifier: verifier }, 'The code was used a second time; its tokens were ended.')
  const uninvited = 'There is a code_verifier, but the authorization request had no code_challenge.'
  assertSays(await backend.exchange(await codeOf(), { code_verifier: verifier }), 'invalid_request', uninvited)
})

test('a client that has authenticated reads what is wrong with its refresh token', async () => {
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
  const { refresh_token: token } = await connect()
  const { body } = await backend.refresh(token, { scope: 'größe' })
  assert.equal(body.error, 'invalid_scope')
  assert.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
})
