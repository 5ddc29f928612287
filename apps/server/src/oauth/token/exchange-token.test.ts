import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, codeFor, postForm, tokenPath } from '../../../test/oauth/token-client.ts'
import { type Answer, meetPeople } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const backend = backendOf(service, planner)
const codeOf = (more = {}) => codeFor(service, planner, alice, { clock, ...more })

function assertRefused({ status, body, headers }: Answer, error: string, expected = 400) {
  assert.equal(status, expected, JSON.stringify(body))
  assert.equal(body.error, error)
  assert.match(body.error_description, /^[\x20-\x7e]+$/)
  assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description', 'request_id'])
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(String(headers.get('content-type')), /^application\/json/)
}

test('refuses a missing grant_type, password, client_credentials and any other', async () => {
  const post = (form: Record<string, string>) => backend.post(tokenPath, form)
  assertRefused(await post({ code: await codeOf() }), 'invalid_request')
  assertRefused(await post({ grant_type: '', code: await codeOf() }), 'invalid_request')
  for (const type of ['password', 'client_credentials', 'implicit', 'AUTHORIZATION_CODE']) {
    assertRefused(await post({ grant_type: type, code: await codeOf() }), 'unsupported_grant_type')
  }
})

test('ignores unknown parameters', async () => {
  assert.equal((await backend.exchange(await codeOf(), { audience: 'x', nonce: 'y' })).status, 200)
})

test('a code yields tokens, a refresh token the next ones; without a client there are none', async () => {
  const first = await backend.exchange(await codeOf())
  const second = await backend.refresh(first.body.refresh_token)
  for (const { status, body, headers } of [first, second]) {
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  assert.notEqual(second.body.access_token, first.body.access_token)
  const form = { grant_type: 'authorization_code', code: await codeOf() }
  assertRefused(await postForm(service, tokenPath, form), 'invalid_client', 401)
  const byAnother = { ...form, client_id: planner.clientId, client_secret: 'wrong' }
  assertRefused(await postForm(service, tokenPath, byAnother), 'invalid_client', 401)
})
