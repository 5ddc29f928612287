import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { appPath, approvedApp, decide, reviewPath, submit } from '../../test/oauth/apps.ts'
import { basic, postForm, tokenPath } from '../../test/oauth/token-client.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import type { Person } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { reportExpiringSecrets } from './app-secrets.ts'

const { app, clock, olga, developers } = await useDevelopers({ emails: 'dropped', start: '2030-01-07T09:00:00Z' })

const make = (dan: Person, one: { _id: string }, body: object) => dan.send('POST', appPath(one, '/secrets'), body)
const list = async (dan: Person, one: { _id: string }) =>
  (await expectOk(dan.send('GET', appPath(one, '/secrets')))).secrets

test('shows a secret once and stores its SHA-256', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Shown once' })
  const reply = await make(dan, mine, { name: 'backend', expiresOn: '2031-01-01T00:00:00Z' })
  const body = await expectOk(reply, 201)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const { secret, _id, ...rest } = body
  assert.match(secret, /^acs_[0-9A-Za-z]{49}$/)
  const shown = {
    name: 'backend',
    sandbox: false,
    forPlayground: false,
    createdOn: '2030-01-07T09:00:00.000Z',
    expiresOn: '2031-01-01T00:00:00.000Z',
    lastUsedOn: null,
  }
  assert.deepEqual(rest, shown)
  assert.deepEqual(await list(dan, mine), [{ _id, ...shown }])
  const row = await app.database.selectFrom('appSecret').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()
  assert.deepEqual(row.secretHash, createHash('sha256').update(secret).digest())
})

test('allows two active secrets for the sandbox and two for the live app', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Two at most' })
  for (const sandbox of [false, true]) {
    const [first] = [
      await expectOk(make(dan, mine, { name: 'one', sandbox }), 201),
      await expectOk(make(dan, mine, { name: 'two', sandbox }), 201),
    ]
    await expectProblem(make(dan, mine, { name: 'three', sandbox }), 'too_many_secrets')
    await expectOk(dan.send('DELETE', appPath(mine, `/secrets/${first._id}`)))
    await expectOk(make(dan, mine, { name: 'three', sandbox }), 201)
  }
  const names = (await list(dan, mine)).map(
    ({ name, sandbox }: { name: string; sandbox: boolean }) => `${name} ${sandbox}`,
  )
  assert.deepEqual(names, ['two false', 'three false', 'two true', 'three true'])
})

test('creates two of the secrets that are requested at the same time', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'At the same time' })
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(dan, mine, { name })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 409, 409])
})

test('creates live secrets once the app is approved, and also while a change of it waits', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await submit(dan, { name: 'Not yet approved' })
  await expectProblem(make(dan, mine, { name: 'early' }), 'app_not_approved')
  await expectOk(make(dan, mine, { name: 'early', sandbox: true }), 201)
  const fields = { ...mine, name: 'Not yet renamed' }
  await expectOk(decide(rita, mine, 'approved'))
  await expectOk(dan.send('PUT', appPath(mine), fields))
  await expectOk(make(dan, mine, { name: 'real' }), 201)
})

test('accepts a name of 1 to 100 characters, and an expiry in the future', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Both sides' })
  const refuse = (body: object, violation: string) =>
    expectProblem(make(dan, mine, { sandbox: true, ...body }), 'invalid_request', [violation])
  await refuse({ name: '' }, '/name too_short')
  await refuse({ name: 'a'.repeat(101) }, '/name too_long')
  await refuse({}, '/name required')
  const expiresOn = clock.now().toISOString()
  await refuse({ name: 'a', expiresOn }, '/expiresOn in_the_past')
  await refuse({ name: 'a', expiresOn: 'tomorrow' }, '/expiresOn bad_format')
  const ahead = new Date(clock.now().getTime() + 1_000).toISOString()
  await expectOk(make(dan, mine, { name: 'a'.repeat(100), expiresOn: ahead }), 201)
  await expectOk(make(dan, mine, { name: 'a', expiresOn: null }), 201)
})

test('records creation and retirement in the audit log and in the event log, by name', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Written down' })
  // Events of one moment have no order.
  clock.advance(1_000)
  const { _id } = await expectOk(make(dan, mine, { name: 'backend' }), 201)
  clock.advance(1_000)
  await expectOk(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)))
  const { events } = await expectOk(dan.send('GET', appPath(mine, '/events?limit=2')))
  assert.deepEqual(
    events.map(({ kind, cause }: { kind: string; cause: string }) => [kind, cause]),
    [
      ['secret_retired', 'The secret "backend" was retired.'],
      ['secret_created', 'The secret "backend" was made.'],
    ],
  )
  const entries = await app.database
    .selectFrom('auditEntry')
    .select(['action', 'detail'])
    .where('actorId', '=', dan.profile._id)
    .where('action', 'like', 'app-secret.%')
    .orderBy('action')
    .execute()
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    ['created', 'retired'].map((how) => [
      `app-secret.${how}`,
      { appId: mine._id, secretId: _id, name: 'backend', sandbox: false },
    ]),
  )
})

test('a secret appears in no later reply, no row and no line of the log', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Read nowhere' })
  const real = (await expectOk(make(dan, mine, { name: 'real' }), 201)).secret
  const sandbox = (await expectOk(make(dan, mine, { name: 'test', sandbox: true }), 201)).secret
  const answers = await Promise.all([
    ...['', '?revision=live', '/secrets', '/events', '/testers'].map((rest) => dan.send('GET', appPath(mine, rest))),
    dan.send('GET', '/api/oauth2/apps'),
    dan.send('POST', appPath(mine, '/submit')),
    rita.send('GET', reviewPath(mine)),
    rita.send('GET', '/api/oauth2/reviews?status=all'),
    olga.send('POST', appPath(mine, '/suspend'), {}),
    olga.send('POST', appPath(mine, '/resume')),
  ])
  const kept = await Promise.all(
    (['app', 'appSecret', 'appEvent', 'appReview', 'auditEntry'] as const).map((table) =>
      app.database.selectFrom(table).selectAll().execute(),
    ),
  )
  const all = JSON.stringify([answers.map(({ body }) => body), kept, app.logged])
  for (const secret of [real, sandbox]) {
    assert.equal(all.includes(secret), false)
    assert.equal(all.includes(secret.slice(4)), false)
  }
})

test('an expired secret is no longer active', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Soon expired' })
  const expiresOn = new Date(clock.now().getTime() + 60_000).toISOString()
  await expectOk(make(dan, mine, { name: 'short', expiresOn }), 201)
  await expectOk(make(dan, mine, { name: 'long' }), 201)
  clock.advance(59_999)
  await expectProblem(make(dan, mine, { name: 'next' }), 'too_many_secrets')
  assert.equal((await list(dan, mine)).length, 2)
  clock.advance(1)
  assert.deepEqual((await list(dan, mine)).length, 1)
  await expectOk(make(dan, mine, { name: 'next' }), 201)
})

test('retires a secret of the own app at once, and only once', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const [mine, other] = [
    await approvedApp(dan, rita, { name: 'Retiring' }),
    await approvedApp(eve, rita, { name: 'Of Eve' }),
  ]
  const { _id } = await expectOk(make(dan, mine, { name: 'old' }), 201)
  await expectProblem(eve.send('DELETE', appPath(mine, `/secrets/${_id}`)), 'app_not_found')
  await expectProblem(eve.send('DELETE', appPath(other, `/secrets/${_id}`)), 'secret_not_found')
  await expectOk(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)))
  assert.deepEqual(await list(dan, mine), [])
  await expectProblem(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)), 'secret_not_found')
  await expectProblem(dan.send('DELETE', appPath(mine, '/secrets/no-such-secret')), 'secret_not_found')
})

const dayMs = 24 * 60 * 60 * 1_000
type Registered = { _id: string; sandboxClientId: string }

const makePlayground = (dan: Person, one: Registered) => dan.send('POST', appPath(one, '/playground-secret'))
const makeOwn = (dan: Person, one: Registered, name: string) =>
  expectOk(dan.send('POST', appPath(one, '/secrets'), { name, sandbox: true }), 201)
const listNames = async (dan: Person, one: Registered): Promise<string[]> =>
  (await expectOk(dan.send('GET', appPath(one, '/secrets')))).secrets.map(({ name }: { name: string }) => name)

/** Whether the sandbox client authenticates with this secret: then the code, not the client, is refused. */
async function isTaken({ sandboxClientId }: Registered, secret: string): Promise<boolean> {
  const form = { grant_type: 'authorization_code', code: 'oac_none', redirect_uri: 'https://acme.example/callback' }
  const { body } = await postForm(app, tokenPath, form, { authorization: basic(sandboxClientId, secret) })
  assert.ok(['invalid_grant', 'invalid_client'].includes(body.error), JSON.stringify(body))
  return body.error === 'invalid_grant'
}

test('the Playground replaces its own old secret, and never a secret of the developer', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Playing' })
  const own = [await makeOwn(dan, mine, 'Laptop'), await makeOwn(dan, mine, 'Server')]
  const first = await expectOk(makePlayground(dan, mine), 201)
  assert.deepEqual(
    [first.name, first.sandbox, first.forPlayground, first.expiresOn],
    ['Playground', true, true, '2030-01-08T09:00:00.000Z'],
  )
  const second = await expectOk(makePlayground(dan, mine), 201)
  assert.deepEqual(await listNames(dan, mine), ['Laptop', 'Server', 'Playground'])
  assert.deepEqual(await Promise.all([first, ...own, second].map(({ secret }) => isTaken(mine, secret))), [
    false,
    true,
    true,
    true,
  ])
  // The developer's own are two at most as before.
  await expectProblem(dan.send('POST', appPath(mine, '/secrets'), { name: 'Third', sandbox: true }), 'too_many_secrets')
})

test('the secret of the Playground leaves both places of the developer free', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Playing first' })
  await expectOk(makePlayground(dan, mine), 201)
  for (const name of ['Laptop', 'Server']) await makeOwn(dan, mine, name)
  assert.deepEqual(await listNames(dan, mine), ['Playground', 'Laptop', 'Server'])
})

test('the secret of the Playground ends after a day, and its end is not announced', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Playing for a day' })
  const { secret } = await expectOk(makePlayground(dan, mine), 201)
  await reportExpiringSecrets(app.database, clock.now())
  const reported = await app.database
    .selectFrom('appSecret')
    .select('id')
    .where('appId', '=', mine._id)
    .where('expiryReportedAt', 'is not', null)
    .execute()
  assert.deepEqual(reported, [])
  clock.advance(dayMs - 1)
  assert.equal(await isTaken(mine, secret), true)
  clock.advance(1)
  assert.equal(await isTaken(mine, secret), false)
  await expectOk(makePlayground(dan, mine), 201)
})

test('of secrets of the Playground that are made at the same time, one is left', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Playing twice' })
  const answers = await Promise.all([makePlayground(dan, mine), makePlayground(dan, mine), makePlayground(dan, mine)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.deepEqual(await listNames(dan, mine), ['Playground'])
})

test('a secret of the Playground is for the developer of an app that has secrets', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const mine = await approvedApp(dan, rita, { name: 'Of Dan' })
  await expectProblem(eve.send('POST', appPath(mine, '/playground-secret')), 'app_not_found')
  const device = await submit(dan, { name: 'On a phone', clientType: 'native', callbackUrls: ['http://127.0.0.1/cb'] })
  await expectProblem(makePlayground(dan, device), 'public_client')
})
