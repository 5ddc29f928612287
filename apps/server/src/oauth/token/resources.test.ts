import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { backendOf, codeFor, postForm, tokenPath, tokensFor } from '../../../test/oauth/token-client.ts'
import { type Answer, meetPeople, sendRequest } from '../../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const backend = backendOf(service, planner)
const [api, mcp] = [publicAddress, `${publicAddress}/mcp`]

const codeOf = (more = {}) => codeFor(service, planner, alice, { clock, ...more })
const profileStatus = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status
const audienceOf = async (token: string) => (await backend.introspect(token)).body.aud

function assertRefused({ status, body }: Answer) {
  assert.deepEqual([status, body.error], [400, 'invalid_target'])
}

/** The redirect of an authorization request, after Allow. */
const authorize = (resource: string) =>
  consent(
    service,
    alice,
    authorizeUrl(service, {
      client_id: planner.clientId,
      redirect_uri: 'https://planner.example/callback',
      response_type: 'code',
      state: 's',
      resource,
    }),
  )

test('the resource of the authorization request is that of the tokens, also after a refresh', async () => {
  const { searchParams } = await authorize(mcp)
  const { status, body } = await backend.exchange(searchParams.get('code') ?? '', { resource: mcp })
  assert.equal(status, 200)
  const refreshed = await backend.refresh(body.refresh_token, { resource: mcp })
  assert.equal(refreshed.status, 200)
  for (const token of [body.access_token, refreshed.body.access_token, refreshed.body.refresh_token]) {
    assert.equal(await audienceOf(token), mcp)
  }
})

test('an unknown resource goes back on the redirect', async () => {
  for (const resource of ['https://other.example', `${api}/api`, `${mcp}#a`, '/mcp']) {
    const redirect = await authorize(resource)
    assert.equal(redirect.searchParams.get('error'), 'invalid_target')
    assert.deepEqual([redirect.searchParams.get('state'), redirect.searchParams.get('iss')], ['s', publicAddress])
  }
})

test('the API takes tokens without a resource and its own, and none of the MCP server', async () => {
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
  const code = await codeOf({ resource: 'mcp' })
  for (const resource of [api, `${api}/`, 'https://other.example', 'mcp']) {
    assertRefused(await backend.exchange(code, { resource }))
  }
  assert.equal((await backend.exchange(code)).status, 200)
  assertRefused(await backend.exchange(await codeOf(), { resource: mcp }))
  assert.equal((await backend.exchange(await codeOf(), { resource: `${api}/` })).status, 200)
})

test('a refresh cannot change the resource, and a refusal does not use the token', async () => {
  const { refresh_token: token } = await tokensFor(service, planner, alice, { clock, resource: 'mcp' })
  assertRefused(await backend.refresh(token, { resource: api }))
  const rotated = await backend.refresh(token)
  assert.equal(rotated.status, 200)
  assert.equal(await audienceOf(rotated.body.access_token), mcp)
  // The repeated request of a lost reply names the resource as the first did.
  assert.equal((await backend.refresh(token, { resource: mcp })).body.access_token, rotated.body.access_token)
  assertRefused(await backend.refresh(token, { resource: api }))
  assert.equal((await backend.refresh(rotated.body.refresh_token)).status, 200)
})

test('tokens are for one resource', async () => {
  const code = await codeOf({ resource: 'mcp' })
  const form = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['resource', mcp],
    ['resource', mcp],
    ['client_id', planner.clientId],
    ['client_secret', planner.clientSecret],
  ]
  assertRefused(await postForm(service, tokenPath, form))
  const twice = await createRedirect()
  assert.equal(twice.searchParams.get('error'), 'invalid_target')
})

async function createRedirect(): Promise<URL> {
  const { clientId } = planner
  const url = authorizeUrl(service, {
    client_id: clientId,
    redirect_uri: 'https://planner.example/callback',
    response_type: 'code',
    resource: mcp,
  })
  return consent(service, alice, `${url}&resource=${encodeURIComponent(api)}`)
}
