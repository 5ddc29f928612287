import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { assertRefused, credentialsOf, disconnect, scheduleAndRead, startClientApp } from './client-app.ts'

test('openid-client completes discovery, connection, refresh and revocation', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri, alice } = clientApp
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  })

  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const link = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'user:read meeting:create meeting:read',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  assert.ok(link.searchParams.has('client_id') && !link.searchParams.has('clientId'))

  const back = new URL(await clientApp.allow(link))
  assert.equal(back.searchParams.get('iss'), issuer)
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  assert.equal(tokens.scope, 'user:read meeting:create meeting:read')
  assert.equal(tokens.expires_in, 86_400)
  assert.equal(tokens.id_token, undefined)
  assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['body'])

  const profile = await client.fetchUserInfo(config, tokens.access_token, alice.profile._id)
  assert.equal(profile.email, alice.email)
  await scheduleAndRead(clientApp, tokens.access_token)

  const refreshed = await client.refreshTokenGrant(config, String(tokens.refresh_token))
  assert.notEqual(refreshed.access_token, tokens.access_token)
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
  await scheduleAndRead(clientApp, refreshed.access_token)

  const introspection = await client.tokenIntrospection(config, refreshed.access_token)
  assert.equal(introspection.active, true)
  assert.equal(introspection.client_id, clientId)

  await client.tokenRevocation(config, String(refreshed.refresh_token))
  await assertRefused(clientApp, refreshed.access_token)
  assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, false)
})

test('openid-client also accepts OAuth’s metadata document, and may authenticate by Basic', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri } = clientApp
  const config = await client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(clientSecret), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
  const back = await clientApp.allow(client.buildAuthorizationUrl(config, { redirect_uri: redirectUri }))
  const tokens = await client.authorizationCodeGrant(config, new URL(back))
  assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['basic'])
  assert.equal(tokens.scope, 'user:read meeting:create meeting:read')

  await disconnect(clientApp)
  await assertRefused(clientApp, tokens.access_token)
})

test('openid-client reads every error reply', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, redirectUri } = clientApp
  const config = await client.discovery(new URL(issuer), clientId, 'acs_wrong', undefined, {
    execute: [client.allowInsecureRequests],
  })
  const link = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, state: 'mine' })

  const denied = await clientApp.deny(link)
  await assert.rejects(client.authorizationCodeGrant(config, new URL(denied), { expectedState: 'mine' }), {
    name: 'AuthorizationResponseError',
    error: 'access_denied',
  })
  const allowed = await clientApp.allow(link)
  // With a WWW-Authenticate header it would not read the JSON.
  await assert.rejects(client.authorizationCodeGrant(config, new URL(allowed), { expectedState: 'mine' }), {
    name: 'ResponseBodyError',
    status: 401,
    error: 'invalid_client',
  })
})
