import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Auth, type AuthConfig } from '@auth/core'
import { assertRefused, type ClientApp, credentialsOf, revoke, scheduleAndRead, startClientApp } from './client-app.ts'

const site = 'http://localhost:8080'
const redirectUri = `${site}/auth/callback/parley`

type Connected = { accessToken: string; refreshToken: string; scope: string; id: string; email: string }

/** Auth.js as a site would configure it, and the contents of its session at the end. */
function configure({ issuer, clientId, clientSecret }: ClientApp, provider: object) {
  const connected: Connected[] = []
  const config: AuthConfig = {
    secret: 'of this test',
    trustHost: true,
    basePath: '/auth',
    providers: [
      {
        id: 'parley',
        name: 'Parley',
        type: 'oauth',
        issuer,
        clientId,
        clientSecret,
        userinfo: {
          request: async ({ tokens }: { tokens: { access_token?: string } }) => {
            const headers = { authorization: `Bearer ${tokens.access_token}` }
            return (await fetch(`${issuer}/api/user/profile`, { headers })).json()
          },
        },
        profile: ({ sub, name, email }) => ({ id: sub, name, email }),
        ...provider,
      },
    ],
    callbacks: {
      jwt({ token, account, user }) {
        if (account) {
          connected.push({
            accessToken: String(account.access_token),
            refreshToken: String(account.refresh_token),
            scope: String(account.scope),
            id: account.providerAccountId,
            email: String(user.email),
          })
        }
        return token
      },
    },
    logger: { error: (error) => errors.push(error), warn() {}, debug() {} },
  }
  const errors: Error[] = []
  return { config, connected, errors }
}

/** A browser that visits the site: the sign-in is a POST with the site's CSRF token. */
async function signIn(config: AuthConfig): Promise<{ link: string; cookie: string }> {
  const asked = await Auth(new Request(`${site}/auth/csrf`), config)
  const { csrfToken } = await asked.json()
  const posted = await Auth(
    new Request(`${site}/auth/signin/parley`, {
      method: 'POST',
      headers: { cookie: cookiesOf(asked), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken, callbackUrl: site }),
    }),
    config,
  )
  assert.equal(posted.status, 302)
  return { link: posted.headers.get('location') ?? '', cookie: cookiesOf(posted) }
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((set) => String(set.split(';')[0]))
    .join('; ')

for (const checks of [['pkce'], ['state'], ['pkce', 'state']] as const) {
  test(`Auth.js with only an issuer completes the flow, checking ${checks.join(' and ')}`, async () => {
    const clientApp = await startClientApp({ redirectUri, requirePkce: checks[0] === 'pkce' })
    const { config, connected, errors } = configure(clientApp, { checks })
    const { link, cookie } = await signIn(config)
    const query = new URL(link).searchParams
    assert.equal(
      query.has('state'),
      checks.some((check) => check === 'state'),
    )

    const back = await clientApp.allow(link)
    const returned = await Auth(new Request(back, { headers: { cookie } }), config)
    assert.deepEqual(errors, [])
    assert.equal(returned.headers.get('location'), site)
    const [found] = connected
    assert.ok(found)
    assert.equal(found.id, clientApp.alice.profile._id)
    assert.equal(found.email, clientApp.alice.email)
    // It requested unknown scopes or none, so it is granted those that the app registered.
    assert.equal(found.scope, 'user:read meeting:create meeting:read')
    assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['basic'])
    await scheduleAndRead(clientApp, found.accessToken)

    const refreshed = await refresh(clientApp, found.refreshToken)
    await scheduleAndRead(clientApp, refreshed)
    await revoke(clientApp, found.refreshToken)
    await assertRefused(clientApp, refreshed)
  })
}

test('Auth.js without discovery requests `openid profile email`, and connects', async () => {
  const clientApp = await startClientApp({ redirectUri })
  const { issuer } = clientApp
  const { config, connected, errors } = configure(clientApp, {
    authorization: `${issuer}/oauth2/authorize`,
    token: `${issuer}/api/oauth2/v2/token`,
    userinfo: `${issuer}/api/user/profile`,
  })
  const { link, cookie } = await signIn(config)
  assert.equal(new URL(link).searchParams.get('scope'), 'openid profile email')
  await Auth(new Request(await clientApp.allow(link), { headers: { cookie } }), config)
  assert.deepEqual(errors, [])
  assert.equal(connected[0]?.scope, 'user:read meeting:create meeting:read')
})

test('Auth.js without an issuer connects to an app that has switched `iss` off', async () => {
  const clientApp = await startClientApp({ redirectUri, sendIss: false })
  const { issuer } = clientApp
  const { config, connected, errors } = configure(clientApp, {
    issuer: undefined,
    authorization: `${issuer}/oauth2/authorize`,
    token: `${issuer}/api/oauth2/v2/token`,
    userinfo: `${issuer}/api/user/profile`,
  })
  const { link, cookie } = await signIn(config)
  const back = await clientApp.allow(link)
  assert.ok(!new URL(back).searchParams.has('iss'))
  await Auth(new Request(back, { headers: { cookie } }), config)
  assert.deepEqual(errors, [])
  assert.equal(connected.length, 1)
})

/** Auth.js leaves refreshing to its users: one request, as in its guide. */
async function refresh({ issuer, clientId, clientSecret }: ClientApp, refreshToken: string): Promise<string> {
  const response = await fetch(`${issuer}/api/oauth2/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }),
  })
  const { access_token: accessToken } = await response.json()
  assert.equal(response.status, 200)
  return accessToken
}
