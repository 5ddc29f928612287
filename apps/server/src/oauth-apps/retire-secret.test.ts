import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused } from '../../test/oauth/apps.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { rita, dan, eve } = await meetDevelopers(app)
const make = (one: { _id: string }, body: object) => dan.send('POST', appPath(one, '/secrets'), body)
const list = async (one: { _id: string }) => (await done(dan.send('GET', appPath(one, '/secrets')))).secrets

test('retires a secret of the own app at once, and only once', async () => {
  const [mine, other] = [
    await approvedApp(dan, rita, { name: 'Retiring' }),
    await approvedApp(eve, rita, { name: 'Of Eve' }),
  ]
  const { _id } = await done(make(mine, { name: 'old' }), 201)
  await refused(eve.send('DELETE', appPath(mine, `/secrets/${_id}`)), 404, 'app_not_found')
  await refused(eve.send('DELETE', appPath(other, `/secrets/${_id}`)), 404, 'secret_not_found')
  await done(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)))
  assert.deepEqual(await list(mine), [])
  await refused(dan.send('DELETE', appPath(mine, `/secrets/${_id}`)), 404, 'secret_not_found')
  await refused(dan.send('DELETE', appPath(mine, '/secrets/no-such-secret')), 404, 'secret_not_found')
})
