import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { signInWithProvider } from '../../test/oauth/at-provider.ts'
import { startOpenIdProvider } from '../../test/oauth/openid-provider.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, meetPeople, password, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { as, enter } from '../../test/rooms/rooms.ts'
import { allOf, squatAccount } from '../../test/squatted-account.ts'
import { createClock, startApp, type TestApp, tokenIn } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const provider = await startOpenIdProvider()
const app = await startApp({ clock, emails: 'dropped' })
/** The owners use other instances of the same service. */
const withProvider = await startApp({ clock, beside: app, environment: provider.environment })
const strict = await startApp({ clock, beside: app, environment: { EMAIL_VERIFICATION: 'required' } })
const { bob, carol, alice } = await meetPeople(app)
const squat = (name: string) => squatAccount({ app, clock, bob, carol }, name)
type Squatted = Awaited<ReturnType<typeof squat>>

const newPassword = 'a password of the owner'
const post = (on: TestApp, path: string, body: object, headers?: Record<string, string>) =>
  sendRequest(on, 'POST', path, body, headers)
const verify = (body: object, headers?: Record<string, string>) => post(strict, '/api/auth/verify-email', body, headers)
const signIn = (email: string, typed: string, on = app) => post(on, '/api/auth/sign-in', { email, password: typed })

/** The newest link in the emails of an address. */
async function linkFor(on: TestApp, email: string): Promise<string> {
  const tokens = (await on.mails()).filter(({ to }) => to === email).map(tokenIn)
  return tokens.findLast((token) => token !== '') ?? ''
}

/** Mallory, or the owner, signs in where addresses have to be confirmed: the owner of the address is emailed a link. */
async function confirmationLink(email: string): Promise<string> {
  await expectProblem(signIn(email, password, strict), 'email_not_verified')
  return linkFor(strict, email)
}

/** Check on the instance without activity: its caches must not preserve access. */
async function assertNothingHeld({ held, heldToTheEnd, belongings }: Squatted, before: object, but: object = {}) {
  const now = await held(app)
  assert.deepEqual(now, { ...allOf(now, false), ...but })
  const rest = await heldToTheEnd(app)
  assert.deepEqual(rest, allOf(rest, false))
  assert.deepEqual(await belongings(), before)
}

async function assertAllHeld({ held }: Squatted) {
  const now = await held(app)
  assert.deepEqual(now, allOf(now, true))
}

test('Iris signs in with her organisation’s provider: no credential that Mallory obtained from her account works', async () => {
  const squatted = await squat('Iris')
  await assertAllHeld(squatted)
  const before = await squatted.belongings()
  const iris = { sub: 'iris-1', email: 'iris@example.org', email_verified: true }
  const { token = '' } = await signInWithProvider(withProvider, provider, iris)
  clock.advance(1_000)
  await assertNothingHeld(squatted, before)

  const owner = (method: string, path: string, body?: unknown) =>
    sendRequest(app, method, path, body, { authorization: token })
  const profile = (await owner('GET', '/api/my_profile')).body
  const { profile: made } = squatted.mallory
  assert.deepEqual([profile._id, profile.roomPIN], [made._id, made.roomPIN])
  assert.notEqual(profile.jcData.jcKey, made.jcData.jcKey)
  const [meeting] = (await owner('GET', detailsPath(squatted.hosted))).body
  assert.equal(meeting.pin, squatted.hosted.pin)
  // She herself may enter where Mallory was, as another person to the room.
  const entered = await enter(app, squatted.visited, { authorization: token })
  assert.equal(entered.state, 'admitted')
  assert.notEqual(entered.admissionId, squatted.admissionId)
  const log = (await owner('GET', '/api/auth/security-log')).body.entries
  assert.ok(log.some(({ action }: { action: string }) => action === 'provider.connected'))
})

test('Jane requests a new password first: the same', async () => {
  const squatted = await squat('Jane')
  const before = await squatted.belongings()
  await expectOk(post(app, '/api/auth/password-reset', { email: 'jane@example.org' }), 202)
  const token = await linkFor(app, 'jane@example.org')
  await expectOk(post(strict, '/api/auth/password-reset', { token, newPassword }))
  clock.advance(1_000)
  await assertNothingHeld(squatted, before)
  await expectOk(signIn('jane@example.org', newPassword))
})

test('Kate opens a link that Mallory requested, and does not know the password: she chooses one', async () => {
  const squatted = await squat('Kate')
  const before = await squatted.belongings()
  const token = await confirmationLink('kate@example.org')
  await expectProblem(verify({ token, password: 'the password of Kate' }), 'wrong_credentials')
  await assertAllHeld(squatted)
  const reply = await verify({ token, newPassword })
  const body = await expectOk(reply)
  assert.equal(body.user.email, 'kate@example.org')
  assert.match(reply.headers.get('set-cookie') ?? '', /parley_session=/)
  clock.advance(1_000)
  await assertNothingHeld(squatted, before)
  await expectOk(sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: body.token }))
  await expectOk(signIn('kate@example.org', newPassword, strict))
  await expectProblem(verify({ token, newPassword }), 'invalid_token') // a link is good once
})

test('Lisa’s program confirms with the link alone: all access but the password ends, unless it sends a session of hers', async () => {
  const squatted = await squat('Lisa')
  const before = await squatted.belongings()
  await expectOk(verify({ token: await confirmationLink('lisa@example.org') }, as(carol)))
  clock.advance(1_000)
  await assertNothingHeld(squatted, before, { password: true })
})

test('Mia has signed up herself: confirming ends nothing, whether she sends her session, its cookie, or the password', async () => {
  const cases: [string, (mia: Squatted['mallory'], token: string) => ReturnType<typeof sendRequest>][] = [
    ['Mia', (mia, token) => verify({ token }, as(mia))],
    [
      'Mira',
      (mira, token) => verify({ token }, { cookie: `parley_session=${mira.token}`, origin: strict.config.baseUrl }),
    ],
    ['Mila', (_mila, token) => verify({ token, password })],
  ]
  for (const [name, confirm] of cases) {
    const own = await squat(name)
    const body = await expectOk(confirm(own.mallory, await confirmationLink(own.mallory.email)))
    assert.equal(body.token !== undefined, name === 'Mila', 'only who types the password is signed in')
    clock.advance(1_000)
    await assertAllHeld(own)
    await expectOk(signIn(own.mallory.email, password, strict))
  }
})

test('Mia’s cookie in a request of another origin does not count as hers', async () => {
  const own = await squat('Milena')
  const token = await confirmationLink('milena@example.org')
  const headers = { cookie: `parley_session=${own.mallory.token}`, origin: 'https://evil.example' }
  await expectOk(verify({ token }, headers))
  assert.equal((await own.held(app)).session, false)
})

test('a new password of a verified address ends sessions as before, and keeps consents, apps and keys', async () => {
  const own = await squat('Nora')
  await expectOk(verify({ token: await confirmationLink('nora@example.org'), password }))
  await post(app, '/api/auth/password-reset', { email: 'nora@example.org' })
  const token = await linkFor(app, 'nora@example.org')
  await expectOk(post(app, '/api/auth/password-reset', { token, newPassword }))
  clock.advance(1_000)
  const held = await own.held(app)
  const kept = ['request for OAuth', 'consent']
  const room = ['host’s key', 'host’s PIN', 'host by the key', 'place in a room']
  assert.deepEqual(held, {
    ...allOf(held, false),
    ...Object.fromEntries([...kept, ...room].map((name) => [name, true])),
  })
})

test('a person who signed up with a stranger’s address loses the password when its owner confirms with another one', async () => {
  const sent = { email: 'olive@example.org', password: 'a password of Mallory', name: 'Mallory' }
  await expectOk(post(strict, '/api/auth/sign-up', sent), 202)
  const token = await linkFor(strict, 'olive@example.org')
  await expectProblem(verify({ token, password: 'something else' }), 'wrong_credentials')
  const short = await expectProblem(verify({ token, newPassword: 'short' }), 'invalid_request')
  assert.equal(short.errors[0].path, '/newPassword')
  const same = await verify({ token, newPassword: 'olive@example.org' })
  assert.equal(same.body.errors[0].code, 'same_as_email')
  await expectOk(verify({ token, newPassword }))
  await expectProblem(signIn('olive@example.org', sent.password, strict), 'wrong_credentials')
  await expectOk(signIn('olive@example.org', newPassword, strict))
})

test('a person who signed up confirms with the password and is signed in; ten wrong ones leave the link usable', async () => {
  const sent = { email: 'paula@example.org', password, name: 'Paula' }
  await post(strict, '/api/auth/sign-up', sent)
  const token = await linkFor(strict, 'paula@example.org')
  for (let at = 1; at <= 10; at++) await expectProblem(verify({ token, password: `guess ${at}` }), 'wrong_credentials')
  await expectProblem(verify({ token, password }), 'too_many_requests')
  await post(strict, '/api/auth/verify-email', { email: 'paula@example.org' })
  const another = await linkFor(strict, 'paula@example.org')
  const body = await expectOk(verify({ token: another, password }))
  assert.equal(body.user.email, 'paula@example.org')
  await expectOk(sendRequest(strict, 'GET', '/api/my_profile', undefined, { authorization: body.token }))
})

test('refuses a confirmation with more than one password', async () => {
  const both = await expectProblem(verify({ token: 'x', password, newPassword }), 'invalid_request')
  assert.equal(both.errors[0].path, '/newPassword')
})

test('leaves nothing behind that is created while access ends', async () => {
  const planner = await approvedApp(app, alice)
  const room = await schedule(bob, standUp({ participants: [alice.email] }))
  const { access_token: token } = await tokensFor(app, planner, alice, { clock, scopes: ['meeting:read'] })
  assert.ok(token)
  const client = await app.pool.connect()
  try {
    await client.query('begin')
    await client.query('delete from session where account_id = $1', [alice.profile._id])
    const attempts = [
      alice.send('POST', '/api/calendar/feed'),
      alice.send('POST', '/api/webhooks', { url: 'https://planner.example/' }),
      alice.send('POST', `/api/oauth2/apps/${planner.appId}/secrets`, { name: 'Another', sandbox: true }),
      alice.send('POST', `/api/rooms/${room.svcMeetId}/enter`, { pin: room.pin }),
    ]
    // Each has found its session, and waits for the ending transaction.
    for (let waiting = 0; waiting < attempts.length; ) {
      const { rows } = await app.pool.query(
        `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      waiting = rows[0].waiting
    }
    await client.query('commit')
    for (const { status } of await Promise.all(attempts)) assert.equal(status, 401)
  } finally {
    client.release()
  }
  const feeds = await app.database
    .selectFrom('calendarFeed')
    .where('accountId', '=', alice.profile._id)
    .selectAll()
    .execute()
  const admissions = await app.database
    .selectFrom('admission')
    .where('accountId', '=', alice.profile._id)
    .selectAll()
    .execute()
  const webhooks = await app.database
    .selectFrom('webhook')
    .where('accountId', '=', alice.profile._id)
    .selectAll()
    .execute()
  assert.deepEqual([feeds, admissions, webhooks], [[], [], []])
})
