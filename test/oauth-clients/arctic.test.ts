import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as arctic from 'arctic'
import { assertRefused, credentialsOf, scheduleAndRead, startClientApp } from './client-app.ts'

const scopes = ['user:read', 'meeting:create', 'meeting:read']

test('arctic completes the flow', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri, alice } = clientApp
  const client = new arctic.OAuth2Client(clientId, clientSecret, redirectUri)
  const state = arctic.generateState()
  const verifier = arctic.generateCodeVerifier()
  const link = client.createAuthorizationURLWithPKCE(
    ...([`${issuer}/oauth2/authorize`, state, arctic.CodeChallengeMethod.S256, verifier, scopes] as const),
  )

  const back = new URL(await clientApp.allow(link))
  assert.equal(back.searchParams.get('state'), state)
  const tokenEndpoint = `${issuer}/api/oauth2/v2/token`
  const code = String(back.searchParams.get('code'))
  const tokens = await client.validateAuthorizationCode(tokenEndpoint, code, verifier)
  // It reads `expires_in` only if it is a number.
  assert.equal(tokens.accessTokenExpiresInSeconds(), 86_400)
  assert.deepEqual(tokens.scopes(), scopes)
  assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['basic'])

  const answered = await fetch(`${issuer}/api/user/profile`, {
    headers: { authorization: `Bearer ${tokens.accessToken()}` },
  })
  assert.equal((await answered.json()).sub, alice.profile._id)
  await scheduleAndRead(clientApp, tokens.accessToken())

  const narrower = await client.refreshAccessToken(tokenEndpoint, tokens.refreshToken(), ['meeting:read'])
  assert.deepEqual(narrower.scopes(), ['meeting:read'])
  const refreshed = await client.refreshAccessToken(tokenEndpoint, narrower.refreshToken(), [])
  await client.revokeToken(`${issuer}/api/oauth2/v2/revoke`, refreshed.refreshToken())
  await assertRefused(clientApp, refreshed.accessToken())
  await assertRefused(clientApp, tokens.accessToken())
})

test('arctic reports the code of an error', async () => {
  const clientApp = await startClientApp()
  const { issuer, clientId, clientSecret, redirectUri } = clientApp
  const client = new arctic.OAuth2Client(clientId, clientSecret, redirectUri)
  await assert.rejects(
    client.validateAuthorizationCode(`${issuer}/api/oauth2/v2/token`, 'oac_never_issued', null),
    (error) => error instanceof arctic.OAuth2RequestError && error.code === 'invalid_grant',
  )
})
