import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, calendarApp, decide, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import { sendRequest, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { rita, dan, eve, carol } = await meetDevelopers(app)

test('shows no live revision before the first approval, and no draft after it', async () => {
  const before = await submit(dan, { name: 'One face' })
  await refused(dan.send('GET', `${appPath(before)}?revision=live`), 404, 'app_not_found')
  await done(decide(rita, before, 'approved'))
  await refused(dan.send('GET', `${appPath(before)}?revision=draft`), 404, 'app_not_found')
})

test('Dan reads the newest revision of his app, and either one by name', async () => {
  const mine = await submit(dan, { name: 'Two faces' })
  assert.deepEqual(await done(dan.send('GET', appPath(mine))), mine)
  await done(decide(rita, mine, 'approved'))
  await done(dan.send('PUT', appPath(mine), calendarApp({ name: 'Other face', draft: true })))
  const nameOf = async (query = '') => (await done(dan.send('GET', `${appPath(mine)}${query}`))).name
  assert.equal(await nameOf(), 'Other face')
  assert.equal(await nameOf('?revision=draft'), 'Other face')
  assert.equal(await nameOf('?revision=live'), 'Two faces')
  const wrong = await dan.send('GET', `${appPath(mine)}?revision=newest`)
  assert.deepEqual(violationsOf(wrong), ['/revision not_allowed'])
})

test('refuses another developer, a caller without OAuth and one who is not signed in', async () => {
  const mine = await submit(dan, { name: 'Not for Eve' })
  await refused(eve.send('GET', appPath(mine)), 404, 'app_not_found')
  for (const _id of ['nonsense', '%00', '00000000-0000-7000-8000-000000000000']) {
    await refused(dan.send('GET', appPath({ _id })), 404, 'app_not_found')
  }
  await refused(carol.send('GET', appPath(mine)), 403, 'oauth_not_enabled')
  await refused(sendRequest(app, 'GET', appPath(mine)), 401, 'unauthorized')
})
