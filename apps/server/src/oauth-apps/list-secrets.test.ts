import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused, reviewPath } from '../../test/oauth/apps.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { olga, rita, dan } = await meetDevelopers(app)
const make = (one: { _id: string }, body: object) => dan.send('POST', appPath(one, '/secrets'), body)
const list = async (one: { _id: string }) => (await done(dan.send('GET', appPath(one, '/secrets')))).secrets

test('a secret appears in no later reply, no row and no line of the log', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Read nowhere' })
  const real = (await done(make(mine, { name: 'real' }), 201)).secret
  const sandbox = (await done(make(mine, { name: 'test', sandbox: true }), 201)).secret
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
  const mine = await approvedApp(dan, rita, { name: 'Soon expired' })
  const expiresOn = new Date(clock.now().getTime() + 60_000).toISOString()
  await done(make(mine, { name: 'short', expiresOn }), 201)
  await done(make(mine, { name: 'long' }), 201)
  clock.advance(59_999)
  await refused(make(mine, { name: 'next' }), 409, 'too_many_secrets')
  assert.equal((await list(mine)).length, 2)
  clock.advance(1)
  assert.deepEqual((await list(mine)).length, 1)
  await done(make(mine, { name: 'next' }), 201)
})
