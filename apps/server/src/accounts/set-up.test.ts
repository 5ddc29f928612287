import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, password, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp, type TestApp, tokenIn } from '../../test/start-app.ts'
import { setUpCodeOf } from './set-up.ts'

const codeOf = (app: TestApp) => setUpCodeOf(app.encryption)
const behindProxy = { TRUST_PROXY: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })

const start = (environment: Record<string, string> = {}, beside?: TestApp) =>
  startApp({ firstAccountPolicy: 'protected', environment, ...(beside && { beside }) })

const signUp = (app: TestApp, name: string, more: object = {}, headers: Record<string, string> = {}) =>
  sendRequest(app, 'POST', '/api/auth/sign-up', { email: `${name}@example.org`, password, name, ...more }, headers)

const isAdministrator = async (answering: Answer | Promise<Answer>) =>
  (await expectOk(answering, 201)).user.roleIds.includes('administrator')
const accountsOf = (app: TestApp) => app.database.selectFrom('account').select('email').execute()

/** What a visitor reads of the service. */
const readService = async (app: TestApp) => expectOk(sendRequest(app, 'GET', '/api/service'))

test('shows a visitor that the service is new and needs the set-up code until an account exists, and who may sign up', async () => {
  const app = await start({ SIGN_UP: 'invite', SUPPORT_CONTACT: 'mailto:help@example.org' })
  const shown = {
    signUp: 'invite',
    providerName: null,
    reminderMinutes: 15,
    mailIsSent: true,
    linksAreLocal: false,
    supportContact: 'mailto:help@example.org',
    organisation: null,
  }
  assert.deepEqual(await readService(app), { firstRun: true, setUpCodeRequired: true, ...shown })
  await expectOk(signUp(app, 'olga', { setUpCode: codeOf(app) }), 201)
  assert.deepEqual(await readService(app), { firstRun: false, setUpCodeRequired: false, ...shown })
})

test('shows a visitor the name of the sign-in provider, and no more of it', async () => {
  const provider = { OIDC_ISSUER: 'https://login.acme.example', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'secret' }
  const { providerName, ...others } = await readService(await start({ ...provider, OIDC_NAME: 'Acme' }))
  assert.equal(providerName, 'Acme')
  assert.doesNotMatch(JSON.stringify(others), /acme|parley|secret/)
})

test('shows a visitor whether email leaves the service, and whether its links open elsewhere', async () => {
  const fresh = await startApp({ outreach: 'none', environment: { BASE_URL: 'http://localhost:3000' } })
  const { mailIsSent, linksAreLocal } = await readService(fresh)
  assert.deepEqual({ mailIsSent, linksAreLocal }, { mailIsSent: false, linksAreLocal: true })
})

test('the first person becomes the administrator only with the code, in any spelling of it', async () => {
  const app = await start()
  for (const sent of [{}, { setUpCode: ' ' }])
    await expectProblem(signUp(app, 'mallory', sent), 'set_up_code_required', ['/setUpCode required'])
  const wrong = signUp(app, 'mallory', { setUpCode: 'AAAA-AAAA-AAAA-AAAA' })
  await expectProblem(wrong, 'wrong_set_up_code', ['/setUpCode wrong_set_up_code'])
  assert.deepEqual(await accountsOf(app), [])
  const typed = codeOf(app).toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  assert.equal(await isAdministrator(signUp(app, 'olga', { setUpCode: typed })), true)
  assert.equal(await isAdministrator(signUp(app, 'alice')), false)
  assert.equal(await isAdministrator(signUp(app, 'mallory', { setUpCode: codeOf(app) })), false, 'it is of use once')
})

test('a code has four groups of four unambiguous characters, and depends on the secret key', async () => {
  const [one, other] = [await start(), await start()]
  for (const app of [one, other]) assert.match(codeOf(app), /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  assert.notEqual(codeOf(one), codeOf(other))
  await expectProblem(signUp(one, 'olga', { setUpCode: codeOf(other) }), 'wrong_set_up_code')
})

test('a request from the machine itself needs the code as well', async () => {
  const app = await start({ BASE_URL: 'http://parley.localhost' })
  await expectProblem(signUp(app, 'mallory', {}, { origin: 'http://parley.localhost' }), 'set_up_code_required', [
    '/setUpCode required',
  ])
})

test('a network waits after ten wrong codes, also with the right one; another network does not', async () => {
  const app = await start(behindProxy)
  for (let at = 1; at <= 10; at++) {
    const guess = signUp(app, 'mallory', { setUpCode: `guess ${at}` }, from('198.51.100.1'))
    await expectProblem(guess, 'wrong_set_up_code')
  }
  const paused = await signUp(app, 'mallory', { setUpCode: codeOf(app) }, from('198.51.100.1'))
  await expectProblem(paused, 'too_many_requests')
  assert.ok(Number(paused.headers.get('retry-after')) > 0)
  assert.equal(await isAdministrator(signUp(app, 'olga', { setUpCode: codeOf(app) }, from('192.0.2.1'))), true)
})

test('instances on one database accept the same code, and make one administrator of two who send it at once', async () => {
  const one = await start()
  const other = await start({}, one)
  assert.equal(codeOf(one), codeOf(other))
  const setUpCode = codeOf(one)
  const made = await Promise.all([signUp(one, 'olga', { setUpCode }), signUp(other, 'alice', { setUpCode })])
  assert.deepEqual((await Promise.all(made.map(isAdministrator))).toSorted(), [false, true])
  assert.equal(await isAdministrator(signUp(other, 'bob')), false)
})

test('where addresses are confirmed, the code is required at the sign-up and takes effect at the confirmation', async () => {
  const app = await start({ EMAIL_VERIFICATION: 'required' })
  const verify = (token: string) => sendRequest(app, 'POST', '/api/auth/verify-email', { token })
  await expectProblem(signUp(app, 'mallory'), 'set_up_code_required')
  await expectOk(signUp(app, 'olga', { setUpCode: codeOf(app) }), 202)
  // Signing in sends the link again, with the rights of the sign-up.
  await sendRequest(app, 'POST', '/api/auth/sign-in', { email: 'olga@example.org', password })
  const [first, again] = await app.mails()

  // A sign-up that was begun before the code was required.
  await app.pool.query(
    `insert into pending_sign_up (token_hash, account_id, email, email_key, password_hash, name, lname, time_zone, created_at, expires_at)
     select token_hash || 'x'::bytea, gen_random_uuid(), 'mallory@example.org', 'mallory@example.org', password_hash,
       'Mallory', '', '', created_at, expires_at from pending_sign_up limit 1`,
  )
  await sendRequest(app, 'POST', '/api/auth/verify-email', { email: 'mallory@example.org' })
  const [mail] = await app.mails()
  await expectProblem(verify(tokenIn(mail)), 'set_up_code_required')
  assert.deepEqual(await accountsOf(app), [])

  assert.notEqual(tokenIn(first), tokenIn(again))
  await expectOk(verify(tokenIn(again)))
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: 'olga@example.org', password })
  assert.deepEqual(body.user.roleIds, ['administrator', 'reviewer'])
  await expectOk(verify(tokenIn(mail))) // now it is one account among others
})

test('a closed service requires the code for its first account, and refuses later ones as before', async () => {
  const app = await start({ SIGN_UP: 'closed' })
  await expectProblem(signUp(app, 'mallory'), 'set_up_code_required')
  assert.equal(await isAdministrator(signUp(app, 'olga', { setUpCode: codeOf(app) })), true)
  await expectProblem(signUp(app, 'alice', { setUpCode: codeOf(app) }), 'sign_up_closed')
})
