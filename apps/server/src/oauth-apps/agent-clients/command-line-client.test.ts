import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appOf, connect, idOf, open, titleOf } from '../../../test/oauth/assistants.ts'
import { postForm, tokenPath } from '../../../test/oauth/token-client.ts'
import { signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

/* The service's own command line, as a client of the service. Olga administers it, Carol uses the program. */

const start = async (environment: Record<string, string> = {}) => {
  const app = await startApp({
    emails: 'dropped',
    environment: { BASE_URL: 'http://localhost:3000', ...environment },
    fetchDocument: async (url) => assert.fail(`${url} was fetched`),
  })
  const olga = await signUp(app, 'Olga')
  return { app, olga, carol: await signUp(app, 'Carol'), url: `${app.config.baseUrl}/oauth2/command-line.json` }
}

test('its document is public, and names no secret and no address but that of the own computer', async () => {
  const { app, url } = await start()
  const document = await (await fetch(`${app.base}/oauth2/command-line.json`)).json()
  assert.equal(document.client_id, url)
  assert.deepEqual(document.redirect_uris, ['http://127.0.0.1/callback'])
  assert.equal(document.token_endpoint_auth_method, 'none')
})

for (const AGENT_CLIENTS of ['off', 'reviewed', 'open']) {
  test(`people connect it without a review, by its name, with AGENT_CLIENTS=${AGENT_CLIENTS}`, async () => {
    const { app, carol, url } = await start({ AGENT_CLIENTS })
    const page = await open(app, carol, url, { scope: 'meeting:read' })
    assert.equal(page.status, 200, titleOf(page))
    assert.match(page.text, /Parley command line/)
    assert.match(page.text, /You continue to a program that runs on this computer/)
    const { refresh_token, client_id = url } = await expectOk(connect(app, carol, url))
    await expectOk(postForm(app, tokenPath, { grant_type: 'refresh_token', refresh_token, client_id }))
    const row = await appOf(app, url)
    assert.deepEqual([row?.status, row?.liveByConfiguration], ['approved', false])
  })
}

test('it is sent to no other path, host or scheme than that of the document, and to no page', async () => {
  const { app, carol, url } = await start()
  const refused = [
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1.evil.test:49152/callback',
    'http://localhost:49152/callback',
    'https://127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/callback?next=1',
    'https://evil.test/callback',
  ]
  for (const redirect_uri of refused) {
    const page = await open(app, carol, url, { redirect_uri })
    assert.equal(page.status, 400, redirect_uri)
    assert.equal(page.location, undefined, redirect_uri)
  }
  const unproven = await open(app, carol, url, { code_challenge: '', code_challenge_method: '' })
  assert.match(unproven.location ?? unproven.text, /code_challenge/)
})

test('an administrator suspends it as any app', async () => {
  const { app, olga, carol, url } = await start()
  const { access_token } = await expectOk(connect(app, carol, url))
  const reasons = [{ code: 'other', text: 'Not here' }]
  await expectOk(olga.send('POST', `/api/oauth2/apps/${await idOf(app, url)}/suspend`, { reasons }))
  const page = await open(app, carol, url)
  assert.notEqual(page.status, 200)
  const profile = await fetch(`${app.base}/api/user/profile`, { headers: { authorization: `Bearer ${access_token}` } })
  assert.equal(profile.status, 401)
})
