import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, password, sendRequest } from '../../test/people.ts'
import { startApp, type TestApp, tokenIn } from '../../test/start-app.ts'
import { setUpCodeOf } from './set-up.ts'

const codeOf = (app: TestApp) => setUpCodeOf(app.encryption)
const local = { BASE_URL: 'http://parley.localhost' }
const behindProxy = { TRUST_PROXY: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })

const start = (environment: Record<string, string> = {}, beside?: TestApp) =>
  startApp({ firstAccountPolicy: 'protected', environment, ...(beside && { beside }) })

const signUp = (app: TestApp, name: string, more: object = {}, headers: Record<string, string> = {}) =>
  sendRequest(app, 'POST', '/api/auth/sign-up', { email: `${name}@example.org`, password, name, ...more }, headers)

const isAdministrator = ({ status, body }: Answer) => {
  assert.equal(status, 201, JSON.stringify(body))
  return body.user.roleIds.includes('administrator')
}
const refusalOf = ({ status, body }: Answer) => [
  status,
  body.code,
  ...(body.errors ?? []).map((e: { path: string }) => e.path),
]
const accountsOf = (app: TestApp) => app.database.selectFrom('account').select('email').execute()

test('a local first account needs no code, and is the administrator', async () => {
  const app = await start(local)
  assert.equal(isAdministrator(await signUp(app, 'olga')), true)
  assert.equal(isAdministrator(await signUp(app, 'alice', {}, from('192.0.2.1'))), false, 'later ones need none')
})

test('a remote person becomes the administrator only with the code, in any spelling of it', async () => {
  const app = await start()
  const asked = ['set_up_code_required', '/setUpCode']
  assert.deepEqual(refusalOf(await signUp(app, 'mallory')), [403, ...asked])
  assert.deepEqual(refusalOf(await signUp(app, 'mallory', { setUpCode: ' ' })), [403, ...asked])
  const wrong = await signUp(app, 'mallory', { setUpCode: 'AAAA-AAAA-AAAA-AAAA' })
  assert.deepEqual(refusalOf(wrong), [403, 'wrong_set_up_code', '/setUpCode'])
  assert.deepEqual(await accountsOf(app), [])
  const typed = codeOf(app).toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  assert.equal(isAdministrator(await signUp(app, 'olga', { setUpCode: typed })), true)
  assert.equal(isAdministrator(await signUp(app, 'alice')), false)
  assert.equal(isAdministrator(await signUp(app, 'mallory', { setUpCode: codeOf(app) })), false, 'it is of use once')
})

test('a code has four groups of four unambiguous characters, and depends on the secret key', async () => {
  const [one, other] = [await start(), await start()]
  for (const app of [one, other]) assert.match(codeOf(app), /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  assert.notEqual(codeOf(one), codeOf(other))
  assert.deepEqual(refusalOf(await signUp(one, 'olga', { setUpCode: codeOf(other) }))[1], 'wrong_set_up_code')
})

test('a proxy on the same machine makes no visitor local', async () => {
  const cases: [Record<string, string>, Record<string, string>][] = [
    [local, from('192.0.2.1')],
    [local, { via: '1.1 proxy' }],
    [local, { origin: 'https://evil.example' }],
    [{ ...local, ...behindProxy }, {}],
    [{ BASE_URL: 'https://meet.example.org' }, {}],
    [{ ...local, SET_UP_CODE: 'always' }, {}],
  ]
  for (const [environment, headers] of cases) {
    const app = await start(environment)
    const context = JSON.stringify([environment, headers])
    assert.equal(refusalOf(await signUp(app, 'mallory', {}, headers))[1], 'set_up_code_required', context)
    assert.equal(isAdministrator(await signUp(app, 'olga', { setUpCode: codeOf(app) }, headers)), true, context)
  }
})

test('a network waits after ten wrong codes, also with the right one; another network does not', async () => {
  const app = await start(behindProxy)
  for (let at = 1; at <= 10; at++) {
    const wrong = await signUp(app, 'mallory', { setUpCode: `guess ${at}` }, from('198.51.100.1'))
    assert.equal(wrong.body.code, 'wrong_set_up_code', `guess ${at}`)
  }
  const paused = await signUp(app, 'mallory', { setUpCode: codeOf(app) }, from('198.51.100.1'))
  assert.deepEqual([paused.status, Number(paused.headers.get('retry-after')) > 0], [429, true])
  assert.equal(isAdministrator(await signUp(app, 'olga', { setUpCode: codeOf(app) }, from('192.0.2.1'))), true)
})

test('instances on one database accept the same code, and make one administrator of two who send it at once', async () => {
  const one = await start()
  const other = await start({}, one)
  assert.equal(codeOf(one), codeOf(other))
  const setUpCode = codeOf(one)
  const made = await Promise.all([signUp(one, 'olga', { setUpCode }), signUp(other, 'alice', { setUpCode })])
  assert.deepEqual(made.map(isAdministrator).toSorted(), [false, true])
  assert.equal(isAdministrator(await signUp(other, 'bob')), false)
})

test('where addresses are confirmed, the code is required at the sign-up and takes effect at the confirmation', async () => {
  const app = await start({ EMAIL_VERIFICATION: 'required' })
  const verify = (token: string) => sendRequest(app, 'POST', '/api/auth/verify-email', { token })
  assert.equal(refusalOf(await signUp(app, 'mallory'))[1], 'set_up_code_required')
  assert.equal((await signUp(app, 'olga', { setUpCode: codeOf(app) })).status, 202)
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
  assert.deepEqual(refusalOf(await verify(tokenIn(mail))), [403, 'set_up_code_required'])
  assert.deepEqual(await accountsOf(app), [])

  assert.notEqual(tokenIn(first), tokenIn(again))
  assert.equal((await verify(tokenIn(again))).status, 200)
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: 'olga@example.org', password })
  assert.deepEqual(body.user.roleIds, ['administrator', 'reviewer'])
  assert.equal((await verify(tokenIn(mail))).status, 200, 'now it is one account among others')
})

test('a closed service requires the code for its first account, and refuses later ones as before', async () => {
  const app = await start({ SIGN_UP: 'closed' })
  assert.equal(refusalOf(await signUp(app, 'mallory'))[1], 'set_up_code_required')
  assert.equal(isAdministrator(await signUp(app, 'olga', { setUpCode: codeOf(app) })), true)
  assert.equal(refusalOf(await signUp(app, 'alice', { setUpCode: codeOf(app) }))[1], 'sign_up_closed')
})

test('accepts a code of at most a hundred characters', async () => {
  const app = await start()
  assert.deepEqual(refusalOf(await signUp(app, 'olga', { setUpCode: 1 })), [400, 'invalid_request', '/setUpCode'])
  const long = await signUp(app, 'olga', { setUpCode: 'x'.repeat(101) })
  assert.deepEqual(refusalOf(long), [400, 'invalid_request', '/setUpCode'])
})
