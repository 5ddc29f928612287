import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import * as oauth from 'openid-client'
import { appPath, approvedApp, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

/** Dan's site, with an unmodified openid-client: it redirects people to Parley and greets them when they return. */
async function openSite() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  after(() => new Promise((resolve) => server.close(resolve)))
  const address = `http://localhost:${port}`
  const redirectUri = `${address}/callback`

  async function serve(issuer: string, clientId: string, clientSecret: string, scope: string) {
    const config = await oauth.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    })
    const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
    const expectedState = oauth.randomState()
    const link = oauth.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state: expectedState,
      code_challenge_method: 'S256',
      code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    })
    const callback = async (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', address)
      const page = (text: string) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<!doctype html><title>Acme</title><h1>${text}</h1>`)
      if (url.pathname !== '/callback') return response.writeHead(204).end()
      if (url.searchParams.has('error')) return page(`Acme: ${url.searchParams.get('error')}`)
      const tokens = await oauth.authorizationCodeGrant(config, url, { expectedState, pkceCodeVerifier })
      const profile = await oauth.fetchUserInfo(config, tokens.access_token, oauth.skipSubjectCheck)
      page(`Acme greets ${profile.email}: ${tokens.scope}`)
    }
    server.on('request', (request, response) => {
      callback(request, response).catch((error) => response.writeHead(500).end(String(error)))
    })
    return link.href
  }
  return { redirectUri, serve }
}

test('Carol allows an app that uses openid-client, and its developer sees it', async () => {
  const { app, openPage } = await startStory()
  const { olga, dan, carol } = await meetDevelopers(app)
  const site = await openSite()
  const registered = await approvedApp(dan, olga, { callbackUrls: [site.redirectUri] })
  const { secret } = await expectOk(dan.send('POST', appPath(registered, '/secrets'), { name: 'Site' }), 201)
  const scope = 'user:read meeting:read'
  const link = await site.serve(app.config.baseUrl, registered.clientId, secret, scope)

  const { page } = await openPage({ person: carol })
  await page.goto(link)
  await page.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  await checkPage(page, 'consent')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'Acme: access_denied' }).waitFor()
  await page.goto(link)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: `Acme greets ${carol.email}: ${scope}` }).waitFor()

  const developer = await openPage({ person: dan })
  await developer.page.goto(`/developers/${registered._id}?view=log`)
  await developer.page.getByText('A user allowed user:read, meeting:read.').waitFor()
  await developer.page.getByText('The user chose Deny.').waitFor()
  const mails = await app.mails()
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Your app Acme Calendar is approved'],
  )
  const grants = await expectOk(carol.send('GET', '/api/oauth2/grants'))
  assert.deepEqual(
    grants.grants.map((grant: { app: { name: string } }) => grant.app.name),
    ['Acme Calendar'],
  )
})
