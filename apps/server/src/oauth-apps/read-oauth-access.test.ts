import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, permit, refused } from '../../test/oauth/apps.ts'
import { sendRequest, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/oauth2/access'
const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const olga = await signUp(app, 'Olga')

test('shows Dan the state of his request: none, requested, declined with the reason, enabled', async () => {
  const dan = await signUp(app, 'Dan')
  const read = () => done(dan.send('GET', path))
  const none = { status: 'none', requestedOn: null, declinedOn: null, declineReason: '' }
  assert.deepEqual(await read(), none)
  await done(dan.send('POST', path, { reason: 'I build a calendar.' }), 202)
  const requestedOn = '2030-01-07T09:00:00.000Z'
  assert.deepEqual(await read(), { ...none, status: 'requested', requestedOn })

  clock.advance(60_000)
  await done(olga.send('POST', `/api/admin/oauth-requests/${dan.profile._id}/decline`, { reason: 'Not yet.' }))
  const declinedOn = '2030-01-07T09:01:00.000Z'
  assert.deepEqual(await read(), { status: 'declined', requestedOn, declinedOn, declineReason: 'Not yet.' })

  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await read(), { ...none, status: 'enabled' })
  await permit(olga, dan, { oauthEnabled: false })
  assert.deepEqual(await read(), none)
})

test('ignores the request of another person, and refuses callers who are not signed in', async () => {
  const [eve, mallory] = [await signUp(app, 'Eve'), await signUp(app, 'Mallory')]
  await done(eve.send('POST', path, { reason: 'I build a calendar.' }), 202)
  assert.equal((await done(mallory.send('GET', path))).status, 'none')
  await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
})
