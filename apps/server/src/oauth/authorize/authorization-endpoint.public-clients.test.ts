import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { arrive, authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { backendOf } from '../../../test/oauth/token-client.ts'
import { meetPeople } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const { alice, bob } = await meetPeople(app)
const verifier = 'a'.repeat(43)
const pkce = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' }

const pocket = await approvedApp(app, bob, {
  name: 'Pocket',
  clientType: 'native',
  callbackUrls: ['http://127.0.0.1/callback', 'com.acme.pocket:/callback', 'https://pocket.example/callback'],
})
const page = await approvedApp(app, bob, {
  name: 'Page',
  clientType: 'single_page',
  callbackUrls: ['https://page.example/app/', 'http://localhost:5173/'],
})
const office = await approvedApp(app, bob, { name: 'Office', callbackUrls: ['http://localhost/callback'] })

const ask = ({ clientId }: { clientId: string }, redirectUri: string, more: Record<string, string> = pkce) =>
  authorizeUrl(app, {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'user:read',
    ...more,
  })

test('a native app gets its code on any port of the device, and exchanges it for that address', async () => {
  const redirectUri = 'http://127.0.0.1:51004/callback'
  const back = await consent(app, alice, ask(pocket, redirectUri))
  assert.equal(back.origin + back.pathname, redirectUri)
  const code = back.searchParams.get('code') ?? ''
  const { exchange } = backendOf(app, pocket)
  const other = await exchange(code, { code_verifier: verifier, redirect_uri: 'http://127.0.0.1:51005/callback' })
  assert.deepEqual([other.status, other.body.error], [400, 'invalid_grant'])
  await expectOk(exchange(code, { code_verifier: verifier, redirect_uri: redirectUri }))
})

test('the redirect to a private-use scheme carries the code', async () => {
  const back = await consent(app, alice, ask(pocket, 'com.acme.pocket:/callback'))
  assert.match(back.href, /^com\.acme\.pocket:\/callback\?code=oac_/)
})

test('only the port may differ, and only of a native app', async () => {
  const visit = (address: string) => createPlainBrowser(app).get(address)
  for (const address of [
    ask(pocket, 'http://127.0.0.1:51004/other'),
    ask(pocket, 'http://localhost:51004/callback'),
    ask(pocket, 'http://127.0.0.1:99999/callback'),
    ask(pocket, 'com.acme.pocket:/other'),
    ask(pocket, 'com.acme.pocket://callback'),
    ask(page, 'http://localhost:5174/'),
    ask(office, 'http://localhost:51004/callback'),
  ]) {
    const { status, location } = await visit(address)
    assert.deepEqual([status, location], [400, undefined], address)
  }
})

test('a public client without PKCE is refused', async () => {
  for (const [client, redirectUri] of [
    [pocket, 'http://127.0.0.1:51004/callback'],
    [page, 'https://page.example/app/'],
  ] as const) {
    const { location = '' } = await createPlainBrowser(app).get(ask(client, redirectUri, {}))
    assert.equal(new URL(location).searchParams.get('error'), 'invalid_request')
  }
})

test('an app at an https address is connected again without a page, one on the device is not', async () => {
  const browser = createPlainBrowser(app)
  for (const [client, redirectUri, silent] of [
    [page, 'https://page.example/app/', true],
    [page, 'http://localhost:5173/', false],
    [pocket, 'https://pocket.example/callback', true],
    [pocket, 'http://127.0.0.1:51004/callback', false],
    [pocket, 'com.acme.pocket:/callback', false],
  ] as const) {
    await consent(app, alice, ask(client, redirectUri, { ...pkce, prompt: 'consent' }), 'allow', browser)
    const again = await arrive(browser, alice, ask(client, redirectUri))
    assert.equal(again.location !== undefined, silent, redirectUri)
    const quiet = await arrive(browser, alice, ask(client, redirectUri, { ...pkce, prompt: 'none' }))
    const { searchParams } = new URL(quiet.location ?? '')
    assert.equal(searchParams.get('error'), silent ? null : 'consent_required', redirectUri)
  }
})

test('the consent page says that the app is on the device, without a warning about http', async () => {
  for (const [redirectUri, says] of [
    ['http://127.0.0.1:51004/callback', /You continue to the app on this device/],
    ['com.acme.pocket:/callback', /You continue to the app on this device/],
    ['https://pocket.example/callback', /You continue to pocket\.example/],
  ] as const) {
    const text = readingOf(
      await arrive(createPlainBrowser(app), alice, ask(pocket, redirectUri, { ...pkce, prompt: 'consent' })),
    )
    assert.match(text, says)
    assert.doesNotMatch(text, /not encrypted/i)
  }
})
