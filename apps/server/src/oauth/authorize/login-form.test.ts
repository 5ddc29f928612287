import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { arrive, authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, hiddenFields, readingOf } from '../../../test/oauth/plain-browser.ts'
import { meetPeople, password, sendRequest, signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp, type TestApp, tokenIn } from '../../../test/start-app.ts'

const app = await startApp()
const { olga, alice, bob, carol } = await meetPeople(app)
const planner = await approvedApp(app, bob)
const linkOf = (parameters: Record<string, string> = {}, to: TestApp = app, client = planner.clientId) =>
  authorizeUrl(to, { client_id: client, redirect_uri: callbackUrl, response_type: 'code', ...parameters })

async function openLogin(address = linkOf(), to = app) {
  const browser = createPlainBrowser(to)
  return { browser, page: await browser.follow(await browser.get(address)) }
}

const sessionsOf = (accountId: string) =>
  app.database.selectFrom('session').select('id').where('accountId', '=', accountId).execute()

test('Alice signs in on the page, keeps a session, and is redirected with 303', async () => {
  const { browser, page } = await openLogin()
  assert.equal(page.status, 200)
  assert.match(readingOf(page), /Sign in to continue to Planner/)
  const answer = await browser.submit(page, { email: 'ALICE@example.org', password })
  assert.equal(answer.status, 303)
  assert.match(answer.location ?? '', /^\/oauth2\/consent\?request=/)
  assert.match(
    answer.headers.get('set-cookie') ?? '',
    /^parley_session=sst_\w+; Max-Age=2592000; Path=\/; HttpOnly; Sam/,
  )
  const token = browser.cookies.get('parley_session')
  const profile = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: `Bearer ${token}` })
  assert.equal(profile.body._id, alice.profile._id)
  assert.match(readingOf(await browser.follow(answer)), /Allow Planner to use your account\?/)
})

test('answers a wrong password, an unknown address and a disabled account alike; keeps the address, focuses the summary', async () => {
  await olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { disabled: true })
  for (const [email, typed] of [
    [alice.email, 'wrong'],
    ['nobody@example.org', 'wrong'],
    ['not an address', 'wrong'],
    [carol.email, password],
  ] as const) {
    const { browser, page } = await openLogin()
    const answer = await browser.submit(page, { email, password: typed })
    assert.equal(answer.status, 422)
    assert.match(readingOf(answer), /You are not signed in The email address or the password is wrong\./)
    assert.match(answer.text, /<div class="error-summary" role="alert" tabindex="-1" autofocus>/)
    assert.match(answer.text, /<title>Error: Sign in/)
    assert.ok(answer.text.includes(`value="${email}"`))
    assert.equal(answer.text.includes(typed === 'wrong' ? 'value="wrong"' : password), false)
    assert.equal(browser.cookies.has('parley_session'), false)
    // The form of the error page works.
    assert.equal((await browser.submit(answer, { email: alice.email, password })).status, 303)
  }
})

test('names and marks an empty field', async () => {
  const { browser, page } = await openLogin()
  const noAddress = await browser.submit(page, { email: '', password })
  assert.equal(noAddress.status, 422)
  assert.match(readingOf(noAddress), /Enter your email address\./)
  assert.match(noAddress.text, /id="email"[^>]* aria-invalid="true" aria-describedby="refusal"/)
  const noPassword = await browser.submit(page, { email: alice.email })
  assert.match(readingOf(noPassword), /Enter your password\./)
  assert.match(noPassword.text, /id="password"[^>]* aria-invalid="true"/)
})

test('asks for a pause after the eleventh failure, also with the right password', async () => {
  const app = await startApp()
  const { clientId } = await approvedApp(app, await signUp(app, 'Bob'))
  const { browser, page } = await openLogin(linkOf({}, app, clientId), app)
  for (let at = 0; at < 10; at++) {
    assert.equal((await browser.submit(page, { email: 'nobody@example.org', password: 'x' })).status, 422)
  }
  const answer = await browser.submit(page, { email: 'nobody@example.org', password: 'x' })
  assert.equal(answer.status, 429)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.match(readingOf(answer), /Too many attempts\. Wait 15 minutes, then try again\./)
})

test('reports an unconfirmed address, and begins no session', async () => {
  const app = await startApp({ environment: { EMAIL_VERIFICATION: 'required' } })
  const bob = await confirmedSignUp(app, 'bob@example.org')
  const { clientId } = await approvedApp(app, bob)
  await sendRequest(app, 'POST', '/api/auth/sign-up', { email: 'alice@example.org', password, name: 'Alice' })
  const { browser, page } = await openLogin(linkOf({}, app, clientId), app)
  const answer = await browser.submit(page, { email: 'alice@example.org', password })
  assert.equal(answer.status, 403)
  assert.match(readingOf(answer), /Confirm your email address first: we’ve sent you a link\./)
  assert.equal(browser.cookies.has('parley_session'), false)
  assert.deepEqual(
    (await app.mails()).map(({ to }) => to),
    ['alice@example.org', 'alice@example.org'],
  )
  // A stranger's pending sign-up exists beside Bob's account: its password reveals no more than where there is no
  // account.
  const typed = 'a password of Mallory'
  await sendRequest(app, 'POST', '/api/auth/sign-up', { email: 'bob@example.org', password: typed, name: 'Mallory' })
  const taken = await browser.submit(page, { email: 'bob@example.org', password: typed })
  assert.deepEqual([taken.status, readingOf(taken).replaceAll('bob@', 'alice@')], [answer.status, readingOf(answer)])
  assert.equal(browser.cookies.has('parley_session'), false)
  assert.deepEqual(
    (await app.mails()).map(({ subject }) => subject),
    ['You already have an account'],
  )
  assert.equal((await browser.submit(page, { email: 'bob@example.org', password })).status, 303)
})

async function confirmedSignUp(app: TestApp, email: string) {
  await sendRequest(app, 'POST', '/api/auth/sign-up', { email, password, name: 'Bob' })
  const [mail] = await app.mails()
  await expectOk(sendRequest(app, 'POST', '/api/auth/verify-email', { token: tokenIn(mail) }))
  const { id } = await app.database.selectFrom('account').select('id').executeTakeFirstOrThrow()
  return { profile: { _id: id } }
}

test('refuses a form without the browser’s cookie, or with that of another browser', async () => {
  const { page } = await openLogin()
  const other = await openLogin()
  for (const browser of [createPlainBrowser(app), other.browser]) {
    const answer = await browser.submit(page, { email: alice.email, password })
    assert.equal(answer.status, 403)
    assert.equal(browser.cookies.has('parley_session'), false)
  }
  const { browser, page: own } = await openLogin()
  const { request = '' } = hiddenFields(own)
  for (const csrf of ['', 'x'.repeat(43)]) {
    const answer = await browser.post('/oauth2/login', { request, csrf, email: alice.email, password })
    assert.equal(answer.status, 403)
  }
})

test('ignores a planted cookie', async () => {
  const { browser, page } = await openLogin()
  const id = browser.cookies.get('parley_browser') ?? ''
  assert.match(id, /^[\w-]{43}$/)
  browser.cookies.set('parley_browser', `${id}; parley_browser=${id}`)
  assert.equal((await browser.submit(page, { email: alice.email, password })).status, 403)
  browser.cookies.set('parley_browser', '')
  assert.equal((await browser.submit(page, { email: alice.email, password })).status, 403)
})

test('binds cookies to the host under https', async () => {
  const secure = await startApp({ environment: { BASE_URL: 'https://parley.test' } })
  const owner = await signUp(secure, 'Bob')
  const { clientId } = await approvedApp(secure, owner)
  const browser = createPlainBrowser(secure)
  const first = await browser.get(linkOf({}, secure, clientId))
  const page = await browser.get(String((await browser.get(first.location ?? '')).location))
  const cookie = page.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^__Host-parley_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('an expired request has no sign-in form, and accepts none', async () => {
  for (const path of ['/oauth2/login', '/oauth2/login?request=', `/oauth2/login?request=${'x'.repeat(43)}`]) {
    const page = await createPlainBrowser(app).get(path)
    assert.equal(page.status, 400)
    assert.match(readingOf(page), /This request has expired/)
  }
})

test('fills the field with login_hint when it is an address, and shows it nowhere otherwise', async () => {
  const { page } = await openLogin(linkOf({ login_hint: 'alice@example.org' }))
  assert.match(page.text, /name="email" value="alice@example.org"/)
  const { page: sly } = await openLogin(linkOf({ login_hint: '"><script>alert(1)</script>' }))
  assert.match(sly.text, /name="email" value=""/)
  assert.equal(sly.text.includes('alert(1)'), false)
})

test('prompt=login has Alice sign in again, and ends her old session at this browser', async () => {
  const { browser, page } = await openLogin()
  await browser.submit(page, { email: alice.email, password })
  const before = await sessionsOf(alice.profile._id)
  const again = await browser.follow(await browser.get(linkOf({ prompt: 'login' })))
  assert.match(readingOf(again), /Sign in to continue to Planner/)
  // Choosing the account is not signing in.
  const { request = '' } = hiddenFields(again)
  const chosen = await browser.follow(await browser.submit(await browser.get(`/oauth2/account?request=${request}`), {}))
  assert.match(readingOf(chosen), /Sign in to continue to Planner/)
  const answer = await browser.submit(again, { email: alice.email, password })
  assert.match(readingOf(await browser.follow(answer)), /Allow Planner/)
  const after = await sessionsOf(alice.profile._id)
  assert.equal(after.length, before.length)
  assert.notDeepEqual(after, before)
})

test('shows a signed-in person the consent page directly, with a way to switch accounts', async () => {
  const { browser, page } = await openLogin()
  await browser.submit(page, { email: alice.email, password })
  const asked = await browser.follow(await browser.get(linkOf()))
  assert.match(readingOf(asked), /You are signed in as Alice Test .* Not you\? Switch account/)
  const link = /href="(\/oauth2\/account\?request=[\w-]+)">Not you/.exec(asked.text)?.[1] ?? ''
  const choice = await browser.get(link)
  assert.match(readingOf(choice), /Choose an account .* Continue as Alice Use another account/)
  const stays = await browser.follow(await browser.submit(choice, {}))
  assert.match(readingOf(stays), /You are signed in as Alice Test/)
  const login = await browser.get(/href="(\/oauth2\/login\?request=[\w-]+)">Use another/.exec(choice.text)?.[1] ?? '')
  const bobs = await browser.follow(await browser.submit(login, { email: bob.email, password }))
  assert.match(readingOf(bobs), /You are signed in as Bob Test/)
})

test('prompt=select_account asks which account, once', async () => {
  const { browser, page } = await openLogin()
  await browser.submit(page, { email: alice.email, password })
  const choice = await browser.follow(await browser.get(linkOf({ prompt: 'select_account' })))
  assert.match(readingOf(choice), /Choose an account/)
  assert.match(readingOf(await browser.follow(await browser.submit(choice, {}))), /Allow Planner/)
  const foreign = createPlainBrowser(app)
  await arrive(foreign, bob, linkOf())
  assert.equal((await foreign.submit(choice, {})).status, 403)
  assert.equal((await createPlainBrowser(app).submit(choice, {})).status, 403)
})

test('ignores another person’s choice of account', async () => {
  const hers = await openLogin(linkOf({ prompt: 'login' }))
  const signedIn = await hers.browser.submit(hers.page, { email: bob.email, password })
  const { browser, page } = await openLogin()
  await browser.submit(page, { email: alice.email, password })
  const visit = await browser.follow(await browser.get(signedIn.location ?? ''))
  assert.match(readingOf(visit), /Sign in to continue to Planner/)
})

test('logs neither passwords nor session tokens', async () => {
  const { browser, page } = await openLogin()
  await browser.submit(page, { email: alice.email, password: 'a wrong password of Alice' })
  await browser.submit(page, { email: alice.email, password })
  const log = app.logged.join('')
  const token = browser.cookies.get('parley_session') ?? 'none'
  for (const secret of ['a wrong password of Alice', password, token]) assert.equal(log.includes(secret), false)
})
