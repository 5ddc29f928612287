import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { arrive, authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { meetPeople, password, sendRequest, signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { createClock, startApp, type TestApp, tokenIn } from '../../../test/start-app.ts'
import { requestLifetimeMs } from './authorization-request-store.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { alice, bob } = await meetPeople(app)
const planner = await approvedApp(app, bob)
const linkOf = (parameters: Record<string, string> = {}, to: TestApp = app, client = planner.clientId) =>
  authorizeUrl(to, { client_id: client, redirect_uri: callbackUrl, response_type: 'code', ...parameters })

const minuteMs = 60_000

async function openLogin(parameters = {}) {
  const browser = createPlainBrowser(app)
  return { browser, page: await browser.follow(await browser.get(linkOf(parameters))) }
}

async function passkeyOfAlice() {
  const authenticator = new SoftwareAuthenticator()
  const { body } = await alice.send('POST', '/api/auth/passkeys/options', { currentPassword: password })
  const credential = authenticator.create(body.publicKey)
  await expectOk(alice.send('POST', '/api/auth/passkeys', { name: 'Laptop', credential }), 201)
  assert.equal((await app.mails()).length, 1)
  return authenticator
}

const challenge = async () => (await sendRequest(app, 'POST', '/api/auth/passkey-sign-in/options', {})).body.publicKey

test('offers a new password and a new account, with links that lead back to the request', async () => {
  const { page } = await openLogin()
  const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const back = encodeURIComponent(`/oauth2/consent?request=${request}`)
  assert.ok(page.text.includes(`<a href="/reset-password?next=${back}">Forgot your password?</a>`))
  assert.ok(page.text.includes(`<a href="/sign-up?next=${back}">Create an account</a>`))
})

test('offers no account where sign-up is closed', async () => {
  const closed = await startApp({ environment: { SIGN_UP: 'closed' } })
  const { clientId } = await approvedApp(closed, await signUp(closed, 'Olga'))
  const browser = createPlainBrowser(closed)
  const page = await browser.follow(await browser.get(linkOf({}, closed, clientId)))
  assert.equal(page.text.includes('/sign-up'), false)
  assert.ok(page.text.includes('/reset-password?next='))
})

test('runs only the page’s own script, without requests to other origins; hides the button without it', async () => {
  const { page } = await openLogin()
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; /)
  assert.match(policy, /; script-src 'sha256-[A-Za-z0-9+/=]+'; connect-src 'self'$/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(page.text, /<div id="other-ways" hidden>/)
  const browser = createPlainBrowser(app)
  const consent = await arrive(browser, alice, linkOf())
  assert.doesNotMatch(consent.headers.get('content-security-policy') ?? '', /script-src/)
  assert.doesNotMatch(consent.text, /<script/)
})

test('Alice signs in with her passkey, and continues the same request, also where the app wants a fresh sign-in', async () => {
  const authenticator = await passkeyOfAlice()
  const { browser, page } = await openLogin({ prompt: 'login' })
  const credential = JSON.stringify(authenticator.get(await challenge()))
  const answer = await browser.submit(page, { email: '', password: '', credential })
  assert.equal(answer.status, 303, answer.text)
  assert.match(
    readingOf(await browser.follow(answer)),
    /Allow Planner to use your account\? You are signed in as Alice/,
  )

  const again = await openLogin()
  const replayed = await again.browser.submit(again.page, { credential })
  assert.equal(replayed.status, 422)
  assert.match(readingOf(replayed), /This passkey was not accepted\. Try again, or sign in another way\./)
  for (const wrong of ['{}', 'no JSON', '[1]']) {
    assert.equal((await again.browser.submit(again.page, { credential: wrong })).status, 422)
  }
  assert.equal(again.browser.cookies.has('parley_session'), false)
})

test('refuses a passkey in a form without the token of this browser', async () => {
  const { page } = await openLogin()
  const stranger = createPlainBrowser(app)
  assert.equal((await stranger.submit(page, { credential: '{}' })).status, 403)
})

test('accepts an account created after the request as a fresh sign-in, and not an older session', async () => {
  const before = createPlainBrowser(app)
  await arrive(before, alice, linkOf())
  clock.advance(minuteMs)
  const asked = await before.follow(await before.get(linkOf({ prompt: 'login' })))
  assert.match(readingOf(asked), /^Parley Sign in to continue to Planner/)

  const { browser, page } = await openLogin({ prompt: 'login' })
  const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  clock.advance(minuteMs)
  const dora = { email: 'dora@example.org', password, name: 'Dora' }
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-up', dora)
  browser.cookies.set('parley_session', body.token)
  const led = await browser.follow(await browser.get(`/oauth2/consent?request=${request}`))
  assert.match(readingOf(led), /Allow Planner to use your account\? You are signed in as Dora/)
  const allowed = await browser.submit(led, { decision: 'allow' })
  assert.match(allowed.location ?? '', /[?&]code=/)
})

test('a request outlives the email for a new password, and no more', async () => {
  const { browser, page } = await openLogin()
  await expectOk(sendRequest(app, 'POST', '/api/auth/password-reset', { email: bob.email }), 202)
  const [mail] = await app.mails()
  clock.advance(requestLifetimeMs - minuteMs)
  const newPassword = 'another correct horse'
  await sendRequest(app, 'POST', '/api/auth/password-reset', { token: tokenIn(mail), newPassword })
  assert.equal((await app.mails()).length, 1)
  const answer = await browser.submit(page, { email: bob.email, password: newPassword })
  assert.equal(answer.status, 303, answer.text)
  const led = await browser.follow(answer)
  assert.match(readingOf(led), /Allow Planner to use your account\?/)
  clock.advance(minuteMs)
  assert.match(readingOf(await browser.submit(led, { decision: 'allow' })), /This request has expired/)
})
