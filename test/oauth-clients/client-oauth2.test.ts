import assert from 'node:assert/strict'
import { test } from 'node:test'
import ClientOAuth2 from 'client-oauth2'
import { assertRefused, credentialsOf, revoke, scheduleAndRead, startClientApp } from './client-app.ts'

test('client-oauth2 completes the flow', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri, alice } = clientApp
  const client = new ClientOAuth2({
    clientId,
    clientSecret,
    redirectUri,
    accessTokenUri: `${issuer}/api/oauth2/v2/token`,
    authorizationUri: `${issuer}/oauth2/authorize`,
    scopes: ['user:read', 'meeting:create', 'meeting:read'],
  })
  // Without a state, it sends an empty one.
  const link = client.code.getUri()
  assert.equal(new URL(link).searchParams.get('state'), '')

  const token = await client.code.getToken(await clientApp.allow(link))
  assert.equal(token.expired(), false)
  assert.equal(token.data.scope, 'user:read meeting:create meeting:read')
  assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['basic'])

  // It sends `Bearer` only if `token_type` is `bearer`, in any case; otherwise it puts the token into the query.
  const signed = token.sign({ url: `${issuer}/api/user/profile` })
  assert.equal(signed.url, `${issuer}/api/user/profile`)
  const answered = await fetch(signed.url, { headers: Object(signed).headers })
  assert.equal((await answered.json()).email, alice.email)
  await scheduleAndRead(clientApp, token.accessToken)

  const refreshed = await token.refresh()
  assert.notEqual(refreshed.refreshToken, token.refreshToken)
  await scheduleAndRead(clientApp, refreshed.accessToken)
  await revoke(clientApp, refreshed.refreshToken)
  await assertRefused(clientApp, refreshed.accessToken)
  await assert.rejects(refreshed.refresh(), { code: 'EAUTH' })
})

test('client-oauth2 checks the returned state', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri } = clientApp
  const client = new ClientOAuth2({
    clientId,
    clientSecret,
    redirectUri,
    state: 'a b+c/d=ü%20',
    accessTokenUri: `${issuer}/api/oauth2/v2/token`,
    authorizationUri: `${issuer}/oauth2/authorize`,
  })
  const token = await client.code.getToken(await clientApp.allow(client.code.getUri()))
  // It requested no scopes, so it is granted all that the app registered.
  assert.equal(token.data.scope, 'user:read meeting:create meeting:read')
})
