import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { password, sendRequest, signInAgain, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp, type TestApp } from '../../test/start-app.ts'

const path = '/api/auth/sign-in'

/** Requests of tests that set an address go through a trusted proxy. */
const behindProxy = { TRUST_PROXY: '127.0.0.1' }

const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (app: TestApp, email: string, typed: string, headers?: Record<string, string>) =>
  sendRequest(app, 'POST', path, { email, password: typed }, headers)

async function failTimes(times: number, attempt: (at: number) => Promise<{ status: number }>) {
  for (let at = 0; at < times; at++) assert.equal((await attempt(at)).status, 401, `failure ${at + 1}`)
}

const app = await startApp()
const olga = await signUp(app, 'Olga')

test('Alice signs in, with her address in any case, and is recognised by her token', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const future = await startApp({ clock })
  const alice = await signUp(future, 'Alice')
  clock.advance(60_000)
  const reply = await signIn(future, 'ALICE@Example.org', password)
  const body = await expectOk(reply)
  assert.equal(body.expiresAt, '2030-01-31T00:01:00.000Z')
  assert.deepEqual(body.user, alice.profile)
  assert.match(reply.headers.get('set-cookie') ?? '', new RegExp(`^parley_session=${body.token}; `))
  const profile = await sendRequest(future, 'GET', '/api/my_profile', undefined, { authorization: body.token })
  assert.deepEqual(profile.body, alice.profile)
})

test('answers a wrong password and an unknown address alike', async () => {
  await signUp(app, 'Alice')
  const answers = [
    await signIn(app, 'alice@example.org', 'wrong password'),
    await signIn(app, 'nobody@example.org', 'wrong password'),
    await signIn(app, 'not an address', 'wrong password'),
    await signIn(app, `${'x'.repeat(242)}@example.org`, 'wrong password'),
    await signIn(app, 'alice@example.org', 'x'.repeat(1_024)),
    await signIn(app, 'alice@example.org', ''),
  ]
  const [first, ...others] = answers.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }))
  await expectProblem(first, 'wrong_credentials')
  for (const other of others) assert.deepEqual(other, first)
})

test('names the missing fields of a request', async () => {
  await expectProblem(sendRequest(app, 'POST', path, {}), 'invalid_request', ['/email required', '/password required'])
  await expectProblem(sendRequest(app, 'POST', path, { email: 1, password: { $gt: '' } }), 'invalid_request', [
    '/email wrong_type',
    '/password wrong_type',
  ])
})

test('refuses a disabled account like a wrong password', async () => {
  const bob = await signUp(app, 'Bob')
  await olga.send('PUT', `/api/admin/accounts/${bob.profile._id}`, { disabled: true })
  await expectProblem(signIn(app, bob.email, password), 'wrong_credentials')
})

test('refuses a remote eleventh attempt, also with the right password, and admits Alice at home', async () => {
  const app = await startApp({ environment: behindProxy })
  await sendRequest(
    app,
    'POST',
    '/api/auth/sign-up',
    { email: 'alice@example.org', password, name: 'Alice' },
    from('192.0.2.1'),
  )
  // Mallory has many networks; she is counted by the account she attacks.
  await failTimes(10, (at) => signIn(app, 'alice@example.org', `guess ${at}`, from(`198.51.100.${at}`)))
  const eleventh = await signIn(app, 'alice@example.org', 'guess 11', from('198.51.100.11'))
  await expectProblem(eleventh, 'too_many_requests')
  assert.ok(Number(eleventh.headers.get('retry-after')) > 0)
  await expectProblem(signIn(app, 'alice@example.org', password, from('198.51.100.12')), 'too_many_requests')
  await expectOk(signIn(app, 'alice@example.org', password, from('192.0.2.1')))
})

test('limits an address without an account in the same way', async () => {
  const app = await startApp()
  await failTimes(10, (at) => signIn(app, 'nobody@example.org', `guess ${at}`))
  await expectProblem(signIn(app, 'NOBODY@example.org', 'guess 11'), 'too_many_requests')
})

test('refuses the eleventh failure at home, and affects no other network', async () => {
  const app = await startApp({ environment: behindProxy })
  const home = from('2001:db8:1:2::1')
  await sendRequest(app, 'POST', '/api/auth/sign-up', { email: 'alice@example.org', password, name: 'Alice' }, home)
  // The rest of the /64 is the same home.
  await failTimes(10, (at) => signIn(app, 'alice@example.org', 'wrong', from(`2001:db8:1:2::${at + 1}`)))
  await expectProblem(signIn(app, 'alice@example.org', password, home), 'too_many_requests')
  await expectOk(signIn(app, 'alice@example.org', password, from('2001:db8:1:3::1')))
})

test('limits a network to fifty failures over all accounts, also with a forged header', async () => {
  const app = await startApp()
  await failTimes(50, (at) => signIn(app, `person${at}@example.org`, 'guess', from(`192.0.2.${at}`)))
  await expectProblem(signIn(app, 'person51@example.org', 'guess', from('192.0.2.51')), 'too_many_requests')
})

test('trusts behind a proxy only the address that the proxy has added', async () => {
  const app = await startApp({ environment: behindProxy })
  await failTimes(50, (at) => signIn(app, `person${at}@example.org`, 'guess', from(`192.0.2.${at}, 198.51.100.1`)))
  await expectProblem(
    signIn(app, 'another@example.org', 'guess', from('192.0.2.99, 198.51.100.1')),
    'too_many_requests',
  )
  await expectProblem(
    signIn(app, 'another@example.org', 'guess', from('198.51.100.1, 192.0.2.99')),
    'wrong_credentials',
  )
})

test('limits a network to sixty successful sign-ins a minute; Alice signs in from another one', async () => {
  const app = await startApp({ environment: behindProxy })
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const office = from('192.0.2.1')
  for (let at = 0; at < 60; at += 20) {
    const signIns = Array.from({ length: 20 }, () => signIn(app, alice.email, password, office))
    for (const { status } of await Promise.all(signIns)) assert.equal(status, 200)
  }
  const refused = await signIn(app, 'ALICE@example.org', password, office)
  await expectProblem(refused, 'too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) <= 60)
  // Signed-in people who confirm their password share the count.
  const sent = { currentPassword: password, newPassword: 'a wholly new passphrase' }
  await expectProblem(alice.send('POST', '/api/auth/password', sent, office), 'too_many_requests')
  await expectOk(signIn(app, alice.email, password, from('198.51.100.1')))
  await expectOk(signIn(app, bob.email, password, office))
})

test('thirty simultaneous guesses reveal no more than ten, not even that the last one was right', async () => {
  const app = await startApp({ environment: behindProxy })
  await signUp(app, 'Alice')
  const guesses = Array.from({ length: 30 }, (_, at) =>
    signIn(app, 'alice@example.org', at === 29 ? password : 'guess', from('198.51.100.1')),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 10)
  assert.equal(statuses.filter((status) => status === 429).length, 20)
})

test('refuses no attempt when the limits are off', async () => {
  const app = await startApp({ environment: { RATE_LIMITS: 'off' } })
  await failTimes(12, () => signIn(app, 'nobody@example.org', 'guess'))
})

test('instances that share a database count together', async () => {
  const shared = { DATABASE_URL: 'postgres://parley@localhost/parley', SECRET_KEY: '0'.repeat(64) }
  const app = await startApp({ environment: shared })
  await failTimes(10, () => signIn(app, 'nobody@example.org', 'guess'))
  await expectProblem(signIn(app, 'nobody@example.org', 'guess'), 'too_many_requests')
})

test('renews an outdated hash once', async () => {
  const app = await startApp()
  const alice = await signUp(app, 'Alice')
  const cheap = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  await sql.raw(`update account set password_hash = '${cheap}'`).execute(app.database)
  const both = await Promise.all([signIn(app, alice.email, 'password'), signIn(app, alice.email, 'password')])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  const { passwordHash } = await app.database.selectFrom('account').select('passwordHash').executeTakeFirstOrThrow()
  assert.match(passwordHash ?? '', /^\$argon2id\$v=19\$m=8,t=1,p=1\$/, 'the cost of this app')
  await expectOk(signIn(app, alice.email, 'password'))
})

test('stores and logs neither passwords nor tokens nor PINs in clear', async () => {
  const app = await startApp()
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-up', {
    email: 'alice@example.org',
    password,
    name: 'Alice',
  })
  const { token } = (await signIn(app, 'alice@example.org', password)).body
  await signIn(app, 'alice@example.org', 'a wrong password of Alice')
  const tables = ['account', 'session', 'auditEntry', 'knownNetwork', 'mailedLink', 'pendingSignUp'] as const
  const rows = await Promise.all(tables.map((table) => app.database.selectFrom(table).selectAll().execute()))
  const kept = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  const everything = kept + app.logged.join('')
  const secrets = [password, 'a wrong password of Alice', token, body.token, body.user.roomPIN, body.user.jcData.jcKey]
  for (const secret of secrets) assert.equal(everything.includes(secret), false, secret.slice(0, 4))
  assert.equal(kept.includes(body.user.svcMeetId), true)
})

test('the hundred-and-first session replaces the oldest', async () => {
  const many = await startApp({ environment: { RATE_LIMITS: 'off' } })
  const carol = await signUp(many, 'Carol')
  const tokens = []
  for (let at = 0; at < 99; at++) tokens.push(await signInAgain(many, carol.email))
  assert.equal((await carol.send('GET', '/api/auth/sessions')).body.sessions.length, 100)
  tokens.push(await signInAgain(many, carol.email))
  await expectProblem(carol.send('GET', '/api/auth/sessions'), 'unauthorized')
  const newest = { authorization: tokens.at(-1) ?? '' }
  assert.equal((await sendRequest(many, 'GET', '/api/auth/sessions', undefined, newest)).body.sessions.length, 100)
})
