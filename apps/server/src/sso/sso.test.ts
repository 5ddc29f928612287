import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { approvedApp, callbackUrl } from '../../test/oauth/approved-app.ts'
import { permit } from '../../test/oauth/apps.ts'
import { goToProvider, providerSignInPath, signInWithProvider } from '../../test/oauth/at-provider.ts'
import { authorizeUrl } from '../../test/oauth/consenting-person.ts'
import { type ProviderPerson, startOpenIdProvider } from '../../test/oauth/openid-provider.ts'
import { createPlainBrowser, readingOf, type Visit } from '../../test/oauth/plain-browser.ts'
import { password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, publicAddress, startApp } from '../../test/start-app.ts'
import { setUpCodeOf } from '../accounts/set-up.ts'
import { describeProviderError, type ProviderErrorCode, providerErrors } from './provider-error.ts'

const begin = providerSignInPath
const minuteMs = 60_000

const provider = await startOpenIdProvider()
const app = await startApp({ environment: provider.environment })
const olga = await signUp(app, 'Olga')

const gina: ProviderPerson = {
  sub: 'gina-1',
  email: 'gina@example.org',
  email_verified: true,
  given_name: 'Gina',
  family_name: 'Grün',
}

const atProvider = goToProvider
/** Complete the sign-in, back to a page of Parley. */
const signIn = (person: ProviderPerson | undefined, path = begin, on = app, from = provider) =>
  signInWithProvider(on, from, person, path)

const profileOf = async (token: string | undefined, on = app) =>
  (await sendRequest(on, 'GET', '/api/my_profile', undefined, { authorization: token ?? '' })).body
const titleOf = ({ text }: Visit) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1]

test('Gina signs in with her organisation’s provider and has an account; the next time she has the same', async () => {
  const first = await signIn(gina, `${begin}?returnTo=${encodeURIComponent('/meetings?view=week')}`)
  assert.deepEqual([first.visit.status, first.visit.location], [303, '/meetings?view=week'])
  const profile = await profileOf(first.token)
  assert.deepEqual(
    [profile.email, profile.name, profile.lname, profile.emailVerified],
    ['gina@example.org', 'Gina', 'Grün', true],
  )
  const again = await signIn({ ...gina, email: 'moved@example.org', given_name: 'Other' })
  assert.equal((await profileOf(again.token))._id, profile._id, 'it is the provider’s name for her that counts')
  const log = await sendRequest(app, 'GET', '/api/auth/security-log', undefined, { authorization: again.token ?? '' })
  const actions = log.body.entries.map(({ action, about }: { action: string; about: string }) => `${action} ${about}`)
  assert.deepEqual(actions, ['session.begun ', 'session.begun ', 'provider.connected Acme', 'account.created '])
  // Without a password of ours, none is right.
  const empty = { email: gina.email, password: '' }
  await expectProblem(sendRequest(app, 'POST', '/api/auth/sign-in', empty), 'wrong_credentials')
})

test('the request names the client and the scopes, and carries state, nonce and PKCE', async () => {
  const { location, headers, status } = await createPlainBrowser(app).get(begin)
  assert.equal(status, 303)
  const asked = Object.fromEntries(new URL(location ?? '').searchParams)
  assert.deepEqual(
    { ...asked, state: '', nonce: '', code_challenge: '' },
    {
      client_id: 'parley',
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${publicAddress}${begin}/callback`,
      state: '',
      nonce: '',
      code_challenge: '',
    },
  )
  const secrets = [asked.state, asked.nonce, asked.code_challenge]
  assert.equal(new Set(secrets.filter((secret) => /^[\w-]{43}$/.test(secret ?? ''))).size, 3)
  assert.match(headers.get('set-cookie') ?? '', /^parley_provider=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const kept = JSON.stringify(await app.database.selectFrom('providerSignIn').selectAll().execute())
  for (const secret of secrets) assert.ok(!kept.includes(secret ?? 'none'))
})

test('finds an account by an address that the provider has verified, and by no other', async () => {
  const verified = await startApp({ environment: { ...provider.environment, EMAIL_VERIFICATION: 'off' } })
  const hanna = await signUp(verified, 'Hanna')
  await verified.database.updateTable('account').set({ emailVerifiedAt: new Date() }).execute()
  const claims = { sub: 'hanna-1', email: 'HANNA@example.org' }
  for (const email_verified of [undefined, false]) {
    const { visit } = await signIn({ ...claims, ...(email_verified === false && { email_verified }) }, begin, verified)
    assert.deepEqual([visit.status, titleOf(visit)], [403, 'Your address isn’t verified'])
  }
  const { token } = await signIn({ ...claims, email_verified: true }, begin, verified)
  assert.equal((await profileOf(token, verified))._id, hanna.profile._id)
  assert.equal((await hanna.send('GET', '/api/my_profile')).status, 200, 'what she has stays hers')
})

test('a person who used another’s address loses the account when its owner signs in', async () => {
  const trap = await signUp(app, 'Iris')
  const script = (await trap.send('POST', '/api/auth/tokens', { name: 'x', scopes: ['user:read'] })).body.token
  const { token } = await signIn({ sub: 'iris-1', email: 'iris@example.org', email_verified: true })
  assert.equal((await profileOf(token))._id, trap.profile._id)
  assert.equal((await profileOf(trap.token)).code, 'unauthorized')
  assert.equal((await profileOf(script)).code, 'unauthorized')
  const typed = { email: 'iris@example.org', password }
  await expectProblem(sendRequest(app, 'POST', '/api/auth/sign-in', typed), 'wrong_credentials')
})

test('a pending sign-up gives no access to the account that the owner of the address has created meanwhile', async () => {
  const careful = await startApp({ environment: { ...provider.environment, EMAIL_VERIFICATION: 'required' } })
  const waiting = { email: 'jane@example.org', password, name: 'Mallory' }
  await expectOk(sendRequest(careful, 'POST', '/api/auth/sign-up', waiting), 202)
  const jane = { sub: 'jane-1', email: 'jane@example.org', email_verified: true }
  assert.equal((await signIn(jane, begin, careful)).visit.status, 303)
  await expectOk(sendRequest(careful, 'POST', '/api/auth/sign-up', waiting), 202)
  const typed = await sendRequest(careful, 'POST', '/api/auth/sign-in', { email: waiting.email, password })
  // As where there is no account: it gives no access, and reveals nothing.
  await expectProblem(typed, 'email_not_verified')
  assert.equal(typed.headers.get('set-cookie'), null)
  assert.equal((await careful.mails()).length, 2)
})

test('creates an account as SIGN_UP allows', async () => {
  const kate = { sub: 'kate-1', email: 'kate@example.org', email_verified: true, name: 'Kate K.' }
  const closed = await startApp({ environment: { ...provider.environment, SIGN_UP: 'closed' } })
  const first = await signIn({ ...kate, sub: 'first-1', email: 'first@example.org' }, begin, closed)
  assert.deepEqual((await profileOf(first.token, closed)).roleIds, ['administrator', 'reviewer'])
  assert.equal(titleOf((await signIn(kate, begin, closed)).visit), 'You don’t have an account yet')

  const invite = await startApp({ environment: { ...provider.environment, SIGN_UP: 'invite' } })
  const admin = await signUp(invite, 'Admin')
  assert.equal(titleOf((await signIn(kate, begin, invite)).visit), 'You don’t have an account yet')
  await admin.send('POST', '/api/admin/invitations', { email: 'KATE@example.org' })
  assert.equal((await invite.mails()).length, 1)
  const { token } = await signIn(kate, begin, invite)
  assert.deepEqual([(await profileOf(token, invite)).name, (await profileOf(token, invite)).lname], ['Kate K.', ''])
})

test('the provider makes no person the administrator of a new service', async () => {
  const lea = { sub: 'lea-1', email: 'lea@example.org', email_verified: true }
  const fresh = await startApp({ firstAccountPolicy: 'protected', environment: provider.environment })
  const { visit } = await signIn(lea, begin, fresh)
  assert.deepEqual([visit.status, titleOf(visit)], [403, 'This service isn’t set up yet'])
  assert.deepEqual(await fresh.database.selectFrom('account').select('id').execute(), [])
  const setUpCode = setUpCodeOf(fresh.encryption)
  const first = { email: 'olga@example.org', password, name: 'Olga', setUpCode }
  assert.equal((await sendRequest(fresh, 'POST', '/api/auth/sign-up', first)).status, 201)
  const { token } = await signIn(lea, begin, fresh)
  assert.deepEqual((await profileOf(token, fresh)).roleIds, [])
})

test('accepts an answer once, in the browser that asked, for ten minutes', async () => {
  const clock = createClock(new Date().toISOString())
  const timed = await startApp({ environment: provider.environment, clock })
  const lisa = { sub: 'lisa-1', email: 'lisa@example.org', email_verified: true }
  const { browser, callback } = await atProvider(timed, provider, lisa)
  const elsewhere = await createPlainBrowser(timed).get(callback)
  assert.deepEqual([elsewhere.status, titleOf(elsewhere)], [400, 'This sign-in can’t continue'])
  const other = await atProvider(timed, provider, lisa)
  assert.equal((await other.browser.get(callback)).status, 400, 'another sign-in’s browser')
  assert.equal((await browser.get(callback)).status, 303)
  assert.equal((await browser.get(callback)).status, 400, 'a second time')
  const late = await atProvider(timed, provider, lisa)
  clock.advance(10 * minuteMs)
  assert.equal((await late.browser.get(late.callback)).status, 400)
  assert.equal((await createPlainBrowser(timed).get(`${begin}/callback`)).status, 400)
})

test('refuses an answer with another code, or from another issuer', async () => {
  const mia = { sub: 'mia-1', email: 'mia@example.org', email_verified: true }
  for (const [name, value] of [
    ['code', 'made-up'],
    ['iss', 'https://evil.example'],
  ] as const) {
    const { browser, callback } = await atProvider(app, provider, mia)
    const changed = new URL(callback)
    changed.searchParams.set(name, value)
    const visit = await browser.get(changed.href)
    assert.deepEqual([visit.status, visit.headers.get('set-cookie')], [502, null], name)
    assert.equal(titleOf(visit), 'The response of Acme can’t be trusted')
  }
})

test('shows the reason to a person who cancels, and to one who is disabled', async () => {
  assert.equal(titleOf((await signIn(undefined)).visit), 'You are not signed in')
  const nora = { sub: 'nora-1', email: 'nora@example.org', email_verified: true }
  const { token } = await signIn(nora)
  const { _id } = await profileOf(token)
  await olga.send('PUT', `/api/admin/accounts/${_id}`, { disabled: true })
  const { visit } = await signIn(nora)
  assert.equal(titleOf(visit), 'Your account is disabled')
  assert.match(readingOf(visit), /Back to sign-in Request ID: /)
  assert.match(visit.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})

test('redirects to pages of ours only', async () => {
  const olive = { sub: 'olive-1', email: 'olive@example.org', email_verified: true }
  for (const [asked, location] of [
    ['/j/9651912175?x=1#pin', '/j/9651912175?x=1#pin'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    [`/${'x'.repeat(2_000)}`, '/'],
  ] as const) {
    const { visit } = await signIn(olive, `${begin}?returnTo=${encodeURIComponent(asked)}`)
    assert.equal(visit.location, location, asked)
  }
})

test('creates one account for two simultaneous sign-ins of a person', async () => {
  const paula = { sub: 'paula-1', email: 'paula@example.org', email_verified: true }
  const ways = [await atProvider(app, provider, paula), await atProvider(app, provider, paula)]
  const visits = await Promise.all(ways.map(({ browser, callback }) => browser.get(callback)))
  assert.deepEqual(
    visits.map(({ status }) => status),
    [303, 303],
  )
  const found = app.database.selectFrom('account').select('id').where('emailKey', '=', paula.email)
  assert.equal((await found.execute()).length, 1)
})

test('shows a message while the provider is unavailable, and retries when it is back', async () => {
  const away = await startOpenIdProvider()
  const served = await startApp({ environment: away.environment })
  const quinn = { sub: 'quinn-1', email: 'quinn@example.org', email_verified: true }
  const half = await atProvider(served, away, quinn)
  await away.stop()
  const late = await half.browser.get(half.callback)
  assert.deepEqual([late.status, titleOf(late)], [503, 'Acme isn’t responding'])

  const never = await startApp({ environment: away.environment })
  const visit = await createPlainBrowser(never).get(begin)
  assert.deepEqual([visit.status, titleOf(visit)], [503, 'Acme isn’t responding'])
  const german = await createPlainBrowser(never).get(begin, { 'accept-language': 'de-AT' })
  assert.match(german.text, /<html lang="de">/)
  assert.equal(titleOf(german), 'Acme antwortet nicht')
  assert.equal((await sendRequest(never, 'GET', '/readyz')).status, 200)
})

test('signs a person in by the provider on the way to an app, too, and asks for consent', async () => {
  await permit(olga, olga, { oauthEnabled: true })
  const rosa = { ...gina, sub: 'rosa-1', email: 'rosa@example.org' }
  const planner = await approvedApp(app, olga)
  const link = authorizeUrl(app, { client_id: planner.clientId, redirect_uri: callbackUrl, response_type: 'code' })
  const start = createPlainBrowser(app)
  const login = await start.follow(await start.get(link))
  const button = /href="(\/api\/auth\/provider-sign-in[^"]+)">Sign in with Acme</.exec(login.text)?.[1] ?? ''
  const { browser, visit } = await signIn(rosa, button)
  const consent = await browser.follow(visit)
  assert.match(readingOf(consent), /Gina Grün|rosa@example\.org/)
  const allowed = await browser.submit(consent, { decision: 'allow' })
  assert.ok(allowed.location?.startsWith(`${callbackUrl}?code=`), allowed.text)
})

test('has no such pages without a provider', async () => {
  const plain = await startApp()
  assert.equal((await sendRequest(plain, 'GET', begin)).status, 404)
})

test("shows an error page in the browser’s language, with the provider's name", () => {
  for (const language of languageCodes) {
    for (const name of Object.keys(providerErrors) as ProviderErrorCode[]) {
      const own = describeProviderError(name, 'Acme', language)
      const english = describeProviderError(name, 'Acme', 'en')
      assert.doesNotMatch(JSON.stringify(own), /name\}|\$t/)
      assert.equal(
        JSON.stringify(own).includes('Acme'),
        JSON.stringify(english).includes('Acme'),
        `${language} ${name}`,
      )
      if (language !== 'en') assert.notEqual(own.title, english.title, `${language} ${name}`)
    }
  }
})
