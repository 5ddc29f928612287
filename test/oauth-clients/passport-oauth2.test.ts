import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OAuth2Strategy from 'passport-oauth2'
import { assertRefused, type ClientApp, credentialsOf, revoke, scheduleAndRead, startClientApp } from './client-app.ts'

type Connected = { accessToken: string; refreshToken: string; profile: { sub: string; email: string } }
type Tokens = { accessToken: string; refreshToken: string }

class ParleyStrategy extends OAuth2Strategy {
  // Passport creates an object with this one as its prototype for each request, and such an object has no private
  // fields.
  private readonly issuer: string

  constructor({ issuer, clientId, clientSecret, redirectUri }: ClientApp, pkce: boolean) {
    super(
      {
        authorizationURL: `${issuer}/oauth2/authorize`,
        tokenURL: `${issuer}/api/oauth2/v2/token`,
        clientID: clientId,
        clientSecret,
        callbackURL: redirectUri,
        scope: ['user:read', 'meeting:create', 'meeting:read'],
        state: true,
        pkce,
      },
      (accessToken: string, refreshToken: string, profile: Connected['profile'], done: OAuth2Strategy.VerifyCallback) =>
        done(null, { accessToken, refreshToken, profile }),
    )
    this.issuer = issuer
    // Otherwise the token would be in the query, which the service does not read.
    this._oauth2.useAuthorizationHeaderforGET(true)
  }

  override userProfile(accessToken: string, done: (error?: unknown, profile?: unknown) => void) {
    this._oauth2.get(`${this.issuer}/api/user/profile`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(String(body))),
    )
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return new Promise((resolve, reject) =>
      this._oauth2.getOAuthAccessToken(refreshToken, { grant_type: 'refresh_token' }, (error, access, next) =>
        error ? reject(error) : resolve({ accessToken: String(access), refreshToken: String(next) }),
      ),
    )
  }
}

for (const pkce of [false, true]) {
  test(`passport-oauth2 in Express completes the flow ${pkce ? 'with' : 'without'} PKCE`, async () => {
    const site = await listen()
    const clientApp = await startClientApp({ redirectUri: `${site.base}/callback`, requirePkce: pkce })
    const strategy = new ParleyStrategy(clientApp, pkce)
    site.serve(strategy)

    const leaving = await fetch(`${site.base}/login`, { redirect: 'manual' })
    const link = new URL(leaving.headers.get('location') ?? '')
    assert.equal(link.searchParams.get('client_id'), clientApp.clientId)
    assert.equal(String(link.searchParams.get('state')).length, 24)
    const cookie = leaving.headers
      .getSetCookie()
      .map((set) => String(set.split(';')[0]))
      .join('; ')

    const returning = await fetch(await clientApp.allow(link), { headers: { cookie } })
    const connected: Connected = await returning.json()
    assert.equal(connected.profile.sub, clientApp.alice.profile._id)
    assert.deepEqual(clientApp.tokenRequests().map(credentialsOf), ['body'])
    const [asked] = clientApp.profileRequests()
    assert.ok(asked && !asked.query.has('access_token'))
    await scheduleAndRead(clientApp, connected.accessToken)

    const refreshed = await strategy.refresh(connected.refreshToken)
    assert.notEqual(refreshed.refreshToken, connected.refreshToken)
    await scheduleAndRead(clientApp, refreshed.accessToken)
    await revoke(clientApp, refreshed.refreshToken)
    await assertRefused(clientApp, refreshed.accessToken)
  })
}

test('passport-oauth2 recognizes a denial', async () => {
  const site = await listen()
  const clientApp = await startClientApp({ redirectUri: `${site.base}/callback` })
  site.serve(new ParleyStrategy(clientApp, false))
  const leaving = await fetch(`${site.base}/login`, { redirect: 'manual' })
  const returning = await fetch(await clientApp.deny(leaving.headers.get('location') ?? ''))
  assert.equal(returning.status, 401)
})

/** A third party's site. It listens before it is configured, because its address has to be registered first. */
async function listen() {
  const site = express()
  const server = createServer(site)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    base: `http://localhost:${port}`,
    serve(strategy: ParleyStrategy) {
      const strategies = new passport.Passport()
      strategies.use('parley', strategy)
      site.use(session({ secret: 'of this test', resave: false, saveUninitialized: false }))
      site.get('/login', strategies.authenticate('parley', { session: false }))
      site.get('/callback', strategies.authenticate('parley', { session: false }), ({ user }, response) => {
        response.json(user)
      })
    },
  }
}
