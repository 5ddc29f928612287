import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp, type TestApp, tokenIn } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { EMAIL_VERIFICATION: 'required', TENANTS: 'acme.test=Acme' } })

const signUp = (email: string, changes: object = {}, on: TestApp = app) =>
  sendRequest(on, 'POST', '/api/auth/sign-up', { email, password, name: 'Alice', lname: 'Liddell', ...changes })
const signIn = (email: string, typed = password, on: TestApp = app) =>
  sendRequest(on, 'POST', '/api/auth/sign-in', { email, password: typed })
const verify = (body: object, on: TestApp = app) => sendRequest(on, 'POST', '/api/auth/verify-email', body)

/** Olga, the first, confirms her address and is the administrator. */
async function signUpAndConfirm(email: string, on: TestApp = app) {
  await expectOk(signUp(email, {}, on), 202)
  const [mail] = await on.mails()
  await expectOk(verify({ token: tokenIn(mail) }, on))
  const body = await expectOk(signIn(email, password, on))
  return body
}
const olga = await signUpAndConfirm('olga@example.org')

test('creates the account when the address is confirmed, and not before', async () => {
  const reply = await signUp('Alice@Example.org', { timeZone: 'IST' })
  const body = await expectOk(reply, 202)
  assert.equal(reply.headers.get('set-cookie'), null)
  assert.deepEqual(Object.keys(body), ['user'])
  assert.equal(body.user.emailVerified, false)
  await expectProblem(signIn('alice@example.org'), 'email_not_verified')

  const [mail, again, ...others] = await app.mails()
  assert.equal(others.length, 0)
  assert.equal(mail?.to, 'Alice@Example.org')
  assert.equal(mail?.subject, 'Confirm your email address')
  const link = `http://parley.test/verify-email#token=${tokenIn(mail)}`
  assert.match(tokenIn(mail), /^psu_\w{49}$/)
  assert.ok(mail?.text.includes(`${link}\n`))
  assert.ok(mail?.html.includes(`href="${link}"`) && mail.html.includes('>Confirm my address</a>'))
  assert.notEqual(tokenIn(again), tokenIn(mail), 'signing in has mailed another link')

  const confirmed = await expectOk(verify({ token: tokenIn(mail) }))
  assert.deepEqual(confirmed, { status: 'Your email address is confirmed. Sign in now.' })
  const { body: session } = await signIn('alice@example.org')
  assert.equal(session.user._id, body.user._id)
  assert.equal(session.user.emailVerified, true)
  assert.equal(session.user.timeZone, 'IST')
  assert.match(session.user.svcMeetId, /^9\d{9}$/)
  for (const used of [mail, again]) {
    await expectProblem(verify({ token: tokenIn(used) }), 'invalid_token')
  }
})

test('makes the first person to confirm the administrator, not the first to sign up', async () => {
  const fresh = await startApp({ environment: { EMAIL_VERIFICATION: 'required' } })
  for (const email of ['mallory@example.org', 'owner@example.org']) await signUp(email, {}, fresh)
  const mails = await fresh.mails()
  for (const email of ['owner@example.org', 'mallory@example.org']) {
    const mail = mails.find(({ to }) => to === email)
    await expectOk(verify({ token: tokenIn(mail) }, fresh))
    const { body } = await signIn(email, password, fresh)
    assert.equal(body.user.roleIds.includes('administrator'), email === 'owner@example.org')
  }
})

test('makes one administrator of two who confirm at once on an empty database', async () => {
  const fresh = await startApp({ environment: { EMAIL_VERIFICATION: 'required', SIGN_UP: 'closed' } })
  await Promise.all(['a@example.org', 'b@example.org', 'c@example.org'].map((email) => signUp(email, {}, fresh)))
  const tokens = (await fresh.mails()).map(tokenIn)
  const answers = await Promise.all(tokens.map((token) => verify({ token }, fresh)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403])
})

test('answers alike for addresses with and without an account, and notifies the owner', async () => {
  await signUpAndConfirm('taken@example.org')
  const taken = await signUp('TAKEN@example.org')
  const free = await signUp('FREED@example.org')
  assert.deepEqual([taken.status, free.status], [202, 202])
  const plain = ({ body }: typeof taken) => ({ ...body.user, _id: '', email: '' })
  assert.deepEqual(plain(taken), plain(free))
  const headersOf = ({ headers }: typeof taken) => [...headers.keys()].toSorted()
  assert.deepEqual(headersOf(taken), headersOf(free))
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to, subject }) => [to, subject]).toSorted(), [
    ['FREED@example.org', 'Confirm your email address'],
    ['taken@example.org', 'You already have an account'],
  ])
  const notice = mails.find(({ to }) => to === 'taken@example.org')
  assert.equal(tokenIn(notice), '')
  const { body } = await signIn('taken@example.org')
  assert.equal(body.user.name, 'Alice', 'nothing of the account has changed')
})

test('a person who signed up with another’s address loses it to its owner', async () => {
  await signUp('victim@example.org', { password: 'known to Mallory', name: 'Mallory' })
  await app.mails()
  await signUp('victim@example.org', { password: 'known to the victim', name: 'Victim' })
  const [mail] = await app.mails()
  await verify({ token: tokenIn(mail) })
  await expectProblem(signIn('victim@example.org', 'known to Mallory'), 'wrong_credentials')
  const { body } = await signIn('victim@example.org', 'known to the victim')
  assert.equal(body.user.name, 'Victim')
})

test('accepts a link for a day', async () => {
  await signUp('late@example.org')
  await signUp('later@example.org')
  const [late, later] = (await app.mails()).map(tokenIn)
  clock.advance(24 * 3_600_000 - 1)
  await expectOk(verify({ token: late }))
  clock.advance(1)
  await expectProblem(verify({ token: later }), 'invalid_token')
  await expectProblem(signIn('later@example.org'), 'wrong_credentials')
})

test('emails another link only to an address with a pending sign-up', async () => {
  await signUp('waiting@example.org')
  await app.mails()
  const asked = ['waiting@example.org', 'olga@example.org', 'nobody@example.org']
  const answers = await Promise.all(asked.map((email) => verify({ email })))
  for (const { status, body } of answers) {
    assert.equal(status, 202)
    assert.deepEqual(body, answers[0]?.body)
  }
  const [mail, ...others] = await app.mails()
  assert.equal(mail?.to, 'waiting@example.org')
  assert.equal(others.length, 0)
  await expectOk(verify({ token: tokenIn(mail) }))
})

test('an account from the time without verification can confirm itself when asked to', async () => {
  await app.pool.query(`update account set email_verified_at = null where email_key = 'olga@example.org'`)
  await expectProblem(signIn('olga@example.org'), 'email_not_verified')
  const [mail] = await app.mails()
  assert.match(tokenIn(mail), /^vfy_/)
  // a link to confirm does not change a password
  await expectProblem(
    sendRequest(app, 'POST', '/api/auth/password-reset', {
      token: tokenIn(mail),
      newPassword: password,
    }),
    'invalid_token',
  )
  await expectOk(verify({ token: tokenIn(mail) }))
  await expectOk(signIn('olga@example.org'))
})

test('signing up and signing in with an address do not reveal whether it has an account', async () => {
  await signUpAndConfirm('settled@example.org')
  const addresses = ['settled@example.org', 'vacant@example.org']
  const typed = 'a password of Mallory'
  for (const email of addresses) await expectOk(signUp(email, { password: typed, name: 'Mallory' }), 202)
  const answersTo = async (given: string) => {
    const answers = []
    for (const email of addresses) {
      const { status, headers, body } = await signIn(email, given)
      answers.push({ status, code: body.code, headers: [...headers.keys()].toSorted() })
    }
    assert.deepEqual(answers[0], answers[1])
    return answers[0]?.code
  }
  assert.equal(await answersTo(typed), 'email_not_verified')
  assert.equal(await answersTo('another password'), 'wrong_credentials')
  const mails = (await app.mails()).map(({ to, subject }) => [to, subject])
  assert.deepEqual(
    mails.filter(([to]) => to === 'settled@example.org').map(([, subject]) => subject),
    ['You already have an account'],
    'the owner is told once, by the sign-up',
  )
  // Each such sign-in emails a link where there is no account, and the sign-up waits a day from then on: the same holds
  // where there is one.
  clock.advance(23 * 3_600_000)
  assert.equal(await answersTo(typed), 'email_not_verified')
  await app.mails()
  clock.advance(2 * 3_600_000)
  assert.equal(await answersTo(typed), 'email_not_verified')
  await app.mails()
  clock.advance(25 * 3_600_000)
  assert.equal(await answersTo(typed), 'wrong_credentials')
  const body = await expectOk(signIn('settled@example.org'))
  assert.equal(body.user.name, 'Alice', 'with the right one the owner signs in')
})

test('counts failures alike beside the caller’s own sign-up, whose password does not reset them', async () => {
  const fresh = await startApp({ environment: { EMAIL_VERIFICATION: 'required', TRUST_PROXY: '127.0.0.1' } })
  await signUpAndConfirm('owner@example.org', fresh)
  for (const email of ['owner@example.org', 'none@example.org']) {
    await signUp(email, { password: 'a password of Mallory' }, fresh)
    const from = { 'x-forwarded-for': '198.51.100.1' }
    const attempt = (typed: string) => sendRequest(fresh, 'POST', '/api/auth/sign-in', { email, password: typed }, from)
    const statuses: number[] = []
    for (let at = 1; at <= 10; at++) {
      statuses.push((await attempt(`guess ${at}`)).status, (await attempt('a password of Mallory')).status)
    }
    statuses.push((await attempt('guess 11')).status)
    const pairs = Array.from({ length: 9 }, () => [401, 403]).flat()
    assert.deepEqual(statuses, [...pairs, 401, 429, 429], email)
  }
  await fresh.mails()
})

test('a wrong password reveals nothing about a pending sign-up', async () => {
  await signUp('quiet@example.org')
  await expectProblem(signIn('quiet@example.org', 'wrong password'), 'wrong_credentials')
  assert.equal((await app.mails()).length, 1)
})

test('refuses an invalid link', async () => {
  for (const token of ['', 'x', olga.token, `psu_${'0'.repeat(49)}`]) {
    await expectProblem(verify({ token }), 'invalid_token')
  }
  await expectProblem(verify({}), 'invalid_request', [' required'])
  await expectProblem(verify({ email: 'x' }), 'invalid_request', ['/email bad_format'])
  await expectProblem(verify({ token: 1 }), 'invalid_request', ['/token wrong_type'])
})

test('emails an address at most six times an hour, over all requests, and answers the seventh as the first', async () => {
  const first = await signUp('bombed@example.org')
  const replies = []
  for (let sent = 0; sent < 8; sent++) replies.push(await verify({ email: 'BOMBED@example.org' }))
  const shown = replies.map(({ status, headers, body }) => [status, headers.get('retry-after'), body])
  assert.deepEqual(shown, Array(8).fill([202, null, replies[0]?.body]))
  assert.equal((await app.mails()).length, 6)
  const last = await signUp('bombed@example.org')
  const withoutIds = ({ status, body }: typeof first) => [status, Object.keys(body.user), body.user.email]
  assert.deepEqual(withoutIds(last), withoutIds(first))
  assert.deepEqual(await app.mails(), [])
})

test('puts a confirmed address of a mapped domain into its own organisation', async () => {
  const { user } = await signUpAndConfirm('wile@acme.test')
  assert.notEqual(user.tenantId, olga.user.tenantId)
})

test('stores and logs no link in clear', async () => {
  await signUp('secret@example.org')
  const jobs = await app.pool.query('select * from graphile_worker._private_jobs')
  const [mail] = await app.mails()
  const pending = await app.pool.query('select * from pending_sign_up')
  const kept = JSON.stringify([jobs.rows, pending.rows]) + app.logged.join('')
  assert.ok(jobs.rows.length > 0)
  for (const secret of [tokenIn(mail), password]) assert.equal(kept.includes(secret), false)
})
