import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import { basic, postForm, tokenPath } from '../../test/oauth/token-client.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { reportExpiringSecrets } from './app-secrets.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { rita, dan, eve } = await meetDevelopers(app)
const dayMs = 24 * 60 * 60 * 1_000
type Registered = { _id: string; sandboxClientId: string }

const make = (one: Registered) => dan.send('POST', appPath(one, '/playground-secret'))
const makeOwn = (one: Registered, name: string) =>
  done(dan.send('POST', appPath(one, '/secrets'), { name, sandbox: true }), 201)
const listNames = async (one: Registered): Promise<string[]> =>
  (await done(dan.send('GET', appPath(one, '/secrets')))).secrets.map(({ name }: { name: string }) => name)

/** Whether the sandbox client authenticates with this secret: then the code, not the client, is refused. */
async function isTaken({ sandboxClientId }: Registered, secret: string): Promise<boolean> {
  const form = { grant_type: 'authorization_code', code: 'oac_none', redirect_uri: 'https://acme.example/callback' }
  const { body } = await postForm(app, tokenPath, form, { authorization: basic(sandboxClientId, secret) })
  assert.ok(['invalid_grant', 'invalid_client'].includes(body.error), JSON.stringify(body))
  return body.error === 'invalid_grant'
}

test('replaces its own old one, and never a secret of the developer', async () => {
  const mine = await submit(dan, { name: 'Playing' })
  const own = [await makeOwn(mine, 'Laptop'), await makeOwn(mine, 'Server')]
  const first = await done(make(mine), 201)
  assert.deepEqual(
    [first.name, first.sandbox, first.forPlayground, first.expiresOn],
    ['Playground', true, true, '2030-01-08T09:00:00.000Z'],
  )
  const second = await done(make(mine), 201)
  assert.deepEqual(await listNames(mine), ['Laptop', 'Server', 'Playground'])
  assert.deepEqual(await Promise.all([first, ...own, second].map(({ secret }) => isTaken(mine, secret))), [
    false,
    true,
    true,
    true,
  ])
  // The developer's own are two at most as before.
  await refused(dan.send('POST', appPath(mine, '/secrets'), { name: 'Third', sandbox: true }), 409, 'too_many_secrets')
})

test('leaves both places of the developer free', async () => {
  const mine = await submit(dan, { name: 'Playing first' })
  await done(make(mine), 201)
  for (const name of ['Laptop', 'Server']) await makeOwn(mine, name)
  assert.deepEqual(await listNames(mine), ['Playground', 'Laptop', 'Server'])
})

test('ends after a day, and is no secret whose end is announced', async () => {
  const mine = await submit(dan, { name: 'Playing for a day' })
  const { secret } = await done(make(mine), 201)
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
  await done(make(mine), 201)
})

test('leaves one of those that are made at the same time', async () => {
  const mine = await submit(dan, { name: 'Playing twice' })
  const answers = await Promise.all([make(mine), make(mine), make(mine)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.deepEqual(await listNames(mine), ['Playground'])
})

test('is for the developer of an app that has secrets', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Of Dan' })
  await refused(eve.send('POST', appPath(mine, '/playground-secret')), 404, 'app_not_found')
  const device = await submit(dan, { name: 'On a phone', clientType: 'native', callbackUrls: ['http://127.0.0.1/cb'] })
  await refused(make(device), 409, 'public_client')
})
