import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  refused,
  reviewPath,
  submit,
} from '../../test/oauth/apps.ts'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)
let made = 0

/** A unique name for each test. */
const named = (changes: object = {}) =>
  calendarApp({ name: `Planner ${'abcdefghjkmnpqrstuvwxyz'[made++]} by Dan`, ...changes })

test('submits a rejected app again as it is', async () => {
  const before = await submit(dan, named())
  await done(decide(rita, before, 'on_hold', [{ code: 'invalid_url', field: 'policyUrl' }]))
  assert.equal((await done(dan.send('POST', appPath(before, '/submit')))).status, 'under_review')
  await done(decide(rita, before, 'approved'))
})

test('keeps an app under review as it is, and refuses one that is live without changes', async () => {
  const waiting = await submit(dan, named())
  assert.deepEqual(await done(dan.send('POST', appPath(waiting, '/submit'))), waiting)
  await done(decide(rita, waiting, 'approved'))
  await refused(dan.send('POST', appPath(waiting, '/submit')), 409, 'nothing_to_submit')
  await done(olga.send('POST', appPath(waiting, '/suspend'), {}))
  await refused(dan.send('POST', appPath(waiting, '/submit')), 409, 'wrong_app_state')
})

test('submits a live app again after its owner is renamed; people read the old name until then', async () => {
  const mine = await submit(eve, named())
  await done(decide(rita, mine, 'approved'))
  await done(eve.send('PUT', '/api/my_profile', { lname: 'Renamed' }))
  const submitted = await done(eve.send('POST', appPath(mine, '/submit')))
  assert.deepEqual([submitted.status, submitted.draftStatus], ['approved', 'under_review'])
  const { differences } = await done(rita.send('GET', reviewPath(mine)))
  assert.deepEqual(differences, [{ field: 'owner', before: ['Eve Test'], after: ['Eve Renamed'] }])
})

test('submits a saved app; refuses another developer, and callers without OAuth', async () => {
  const saved = await submit(dan, named({ draft: true }))
  await refused(eve.send('POST', appPath(saved, '/submit')), 404, 'app_not_found')
  await refused(dan.send('POST', appPath({ _id: 'nonsense' }, '/submit')), 404, 'app_not_found')
  await refused(carol.send('POST', appPath(saved, '/submit')), 403, 'oauth_not_enabled')
  await refused(sendRequest(app, 'POST', appPath(saved, '/submit')), 401, 'unauthorized')
  assert.equal((await done(dan.send('POST', appPath(saved, '/submit')))).status, 'under_review')
})
