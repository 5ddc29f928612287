import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { assertRefused, credentialsOf, scheduleAndRead, startClientApp } from './client-app.ts'

const insecure = { [oauth.allowInsecureRequests]: true }
const discoveryOptions = { algorithm: 'oauth2', ...insecure } as const

test('oauth4webapi completes the flow after discovery', async () => {
  const clientApp = await startClientApp({ requirePkce: true })
  const { clientSecret, redirectUri, alice } = clientApp
  const issuer = new URL(clientApp.issuer)
  const discovered = await oauth.discoveryRequest(issuer, discoveryOptions)
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  assert.equal(server.authorization_response_iss_parameter_supported, true)
  const client: oauth.Client = { client_id: clientApp.clientId }
  const proof = oauth.ClientSecretBasic(clientSecret)

  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const link = new URL(String(server.authorization_endpoint))
  link.search = String(
    new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'meeting:read meeting:create user:read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  )

  // It requires `iss`, because the server metadata announces it (RFC 9207, 2.4).
  const back = oauth.validateAuthResponse(server, client, new URL(await clientApp.allow(link)), state)
  const exchanged = await oauth.authorizationCodeGrantRequest(
    ...([server, client, proof, back, redirectUri, verifier, insecure] as const),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
  // In registered order, regardless of the order in the request.
  assert.equal(tokens.scope, 'user:read meeting:create meeting:read')
  const [exchange] = clientApp.tokenRequests()
  assert.ok(exchange)
  assert.equal(exchange.form.get('redirect_uri'), redirectUri)
  assert.equal(credentialsOf(exchange), 'basic')
  // It percent-encodes even characters that need no encoding (RFC 6749, 2.3.1, and appendix B).
  assert.match(basicOf(exchange.headers.authorization), /%5F/)

  const asked = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
  const profile = await oauth.processUserInfoResponse(server, client, alice.profile._id, asked)
  assert.equal(profile.email, alice.email)
  await scheduleAndRead(clientApp, tokens.access_token)

  const refreshing = await oauth.refreshTokenGrantRequest(
    ...([server, client, proof, String(tokens.refresh_token), insecure] as const),
  )
  const refreshed = await oauth.processRefreshTokenResponse(server, client, refreshing)
  await scheduleAndRead(clientApp, refreshed.access_token)

  const introspecting = await oauth.introspectionRequest(
    ...([server, client, proof, refreshed.access_token, insecure] as const),
  )
  assert.equal((await oauth.processIntrospectionResponse(server, client, introspecting)).active, true)

  const revoking = await oauth.revocationRequest(
    ...([server, client, proof, String(refreshed.refresh_token), insecure] as const),
  )
  await oauth.processRevocationResponse(revoking)
  await assertRefused(clientApp, refreshed.access_token)
  await assert.rejects(
    oauth.protectedResourceRequest(
      ...([
        refreshed.access_token,
        'GET',
        new URL(String(server.userinfo_endpoint)),
        undefined,
        null,
        insecure,
      ] as const),
    ),
    oauth.WWWAuthenticateChallengeError,
  )
})

test('oauth4webapi finds the authorization server from a refusal of the API', async () => {
  const { issuer } = await startClientApp()
  const resource = new URL(issuer)
  const asked = await oauth.resourceDiscoveryRequest(resource, insecure)
  const metadata = await oauth.processResourceDiscoveryResponse(resource, asked)
  assert.deepEqual(metadata.authorization_servers, [issuer])
})

test('oauth4webapi reads the error of a used code', async () => {
  const clientApp = await startClientApp()
  const issuer = new URL(clientApp.issuer)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, discoveryOptions))
  const client: oauth.Client = { client_id: clientApp.clientId }
  const link = new URL(String(server.authorization_endpoint))
  link.search = String(
    new URLSearchParams({ client_id: client.client_id, redirect_uri: clientApp.redirectUri, response_type: 'code' }),
  )
  const back = oauth.validateAuthResponse(server, client, new URL(await clientApp.allow(link)), oauth.expectNoState)
  const exchange = async () => {
    const proof = oauth.ClientSecretPost(clientApp.clientSecret)
    const answered = await oauth.authorizationCodeGrantRequest(
      ...([server, client, proof, back, clientApp.redirectUri, oauth.nopkce, insecure] as const),
    )
    return oauth.processAuthorizationCodeResponse(server, client, answered)
  }
  const tokens = await exchange()
  await assert.rejects(exchange(), { error: 'invalid_grant', status: 400 })
  await assertRefused(clientApp, tokens.access_token)
})

function basicOf(header = ''): string {
  return Buffer.from(header.slice('Basic '.length), 'base64').toString()
}
