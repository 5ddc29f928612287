import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthorizationCode } from 'simple-oauth2'
import { assertRefused, credentialsOf, scheduleAndRead, startClientApp } from './client-app.ts'

for (const authorizationMethod of ['header', 'body'] as const) {
  test(`simple-oauth2 completes the flow with its credentials in the ${authorizationMethod}`, async () => {
    const clientApp = await startClientApp()
    const { issuer, clientId, clientSecret, redirectUri } = clientApp
    const client = new AuthorizationCode({
      client: { id: clientId, secret: clientSecret },
      auth: {
        tokenHost: issuer,
        tokenPath: '/api/oauth2/v2/token',
        revokePath: '/api/oauth2/v2/revoke',
        authorizePath: '/oauth2/authorize',
      },
      options: { authorizationMethod },
    })
    // Base64 with the characters that a URL has to escape.
    const state = Buffer.from(JSON.stringify({ csrf: '>>>???', page: '/settings' })).toString('base64')
    assert.match(state, /[+/=]/)
    const scope = ['user:read', 'meeting:create', 'meeting:read']
    const back = new URL(await clientApp.allow(client.authorizeURL({ redirect_uri: redirectUri, scope, state })))
    assert.equal(back.searchParams.get('state'), state)

    const code = String(back.searchParams.get('code'))
    const accessToken = await client.getToken({ code, redirect_uri: redirectUri })
    assert.equal(accessToken.expired(), false)
    assert.equal(accessToken.token.scope, scope.join(' '))
    assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), [
      authorizationMethod === 'header' ? 'basic' : 'body',
    ])
    await scheduleAndRead(clientApp, String(accessToken.token.access_token))

    const refreshed = await accessToken.refresh()
    await scheduleAndRead(clientApp, String(refreshed.token.access_token))
    // It parses each reply as JSON, and throws when there is none; the service therefore replies `{}`.
    await refreshed.revokeAll()
    assert.deepEqual(
      clientApp.revocations().map(({ status }) => status),
      [200, 200],
    )
    await assertRefused(clientApp, String(refreshed.token.access_token))
    await assert.rejects(refreshed.refresh())
  })
}
