import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { appPath, approvedApp, decide, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import { violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { rita, dan } = await meetDevelopers(app)
const make = (one: { _id: string }, body: object) => dan.send('POST', appPath(one, '/secrets'), body)
const list = async (one: { _id: string }) => (await done(dan.send('GET', appPath(one, '/secrets')))).secrets

test('shows a secret once and stores its SHA-256', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Shown once' })
  const { status, body, headers } = await make(mine, { name: 'backend', expiresOn: '2031-01-01T00:00:00Z' })
  assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
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
  assert.deepEqual(await list(mine), [{ _id, ...shown }])
  const row = await app.database.selectFrom('appSecret').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()
  assert.deepEqual(row.secretHash, createHash('sha256').update(secret).digest())
})

test('allows two active secrets for the sandbox and two for the live app', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Two at most' })
  for (const sandbox of [false, true]) {
    const [first] = [
      await done(make(mine, { name: 'one', sandbox }), 201),
      await done(make(mine, { name: 'two', sandbox }), 201),
    ]
    await refused(make(mine, { name: 'three', sandbox }), 409, 'too_many_secrets')
    await done(dan.send('DELETE', appPath(mine, `/secrets/${first._id}`)))
    await done(make(mine, { name: 'three', sandbox }), 201)
  }
  const names = (await list(mine)).map(({ name, sandbox }: { name: string; sandbox: boolean }) => `${name} ${sandbox}`)
  assert.deepEqual(names, ['two false', 'three false', 'two true', 'three true'])
})

test('creates two of the secrets that are requested at the same time', async () => {
  const mine = await approvedApp(dan, rita, { name: 'At the same time' })
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(mine, { name })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 409, 409])
})

test('creates live secrets once the app is approved, and also while a change of it waits', async () => {
  const mine = await submit(dan, { name: 'Not yet approved' })
  await refused(make(mine, { name: 'early' }), 409, 'app_not_approved')
  await done(make(mine, { name: 'early', sandbox: true }), 201)
  const fields = { ...mine, name: 'Not yet renamed' }
  await done(decide(rita, mine, 'approved'))
  await done(dan.send('PUT', appPath(mine), fields))
  await done(make(mine, { name: 'real' }), 201)
})

test('accepts a name of 1 to 100 characters, and an expiry in the future', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Both sides' })
  const violationsWith = async (body: object) => violationsOf(await make(mine, { sandbox: true, ...body }))
  assert.deepEqual(await violationsWith({ name: '' }), ['/name too_short'])
  assert.deepEqual(await violationsWith({ name: 'a'.repeat(101) }), ['/name too_long'])
  assert.deepEqual(await violationsWith({}), ['/name required'])
  const expiresOn = clock.now().toISOString()
  assert.deepEqual(await violationsWith({ name: 'a', expiresOn }), ['/expiresOn in_the_past'])
  assert.deepEqual(await violationsWith({ name: 'a', expiresOn: 'tomorrow' }), ['/expiresOn bad_format'])
  const ahead = new Date(clock.now().getTime() + 1_000).toISOString()
  await done(make(mine, { name: 'a'.repeat(100), expiresOn: ahead }), 201)
  await done(make(mine, { name: 'a', expiresOn: null }), 201)
})

test('records creation and retirement in the audit log and in the event log, by name', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Written down' })
  const { _id } = await done(make(mine, { name: 'backend' }), 201)
  await done(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)))
  const { events } = await done(dan.send('GET', appPath(mine, '/events?limit=2')))
  assert.deepEqual(
    events.map(({ kind, cause }: { kind: string; cause: string }) => [kind, cause]),
    [
      ['secret_retired', 'The secret "backend" was retired.'],
      ['secret_created', 'The secret "backend" was made.'],
    ],
  )
  const entries = await app.database.selectFrom('auditEntry').select(['action', 'detail']).orderBy('id').execute()
  assert.deepEqual(
    entries.slice(-2).map(({ action, detail }) => [action, detail]),
    ['created', 'retired'].map((how) => [
      `app-secret.${how}`,
      { appId: mine._id, secretId: _id, name: 'backend', sandbox: false },
    ]),
  )
})
