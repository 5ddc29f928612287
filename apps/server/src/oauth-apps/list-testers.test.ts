import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import { sendRequest } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { dan, eve, carol } = await meetDevelopers(app)

test('shows Dan the testers he invited, and each one’s answer', async () => {
  const mine = await submit(dan, { name: 'Tried out' })
  const read = async () => (await done(dan.send('GET', appPath(mine, '/testers')))).testers
  assert.deepEqual(await read(), [])
  const testers = ['carol@example.org', 'eve@example.org', 'nobody@example.org']
  await done(dan.send('PUT', appPath(mine, '/testers'), { testers }))
  const answer = (answered: string) => ({ answer: answered })
  const path = `/api/oauth2/tester-invitations/${mine._id}`
  await done(carol.send('POST', path, answer('accepted')))
  await done(eve.send('POST', path, answer('declined')))
  assert.deepEqual(
    (await read()).map(({ email, state }: { email: string; state: string }) => [email, state]),
    [
      ['carol@example.org', 'accepted'],
      ['eve@example.org', 'declined'],
      ['nobody@example.org', 'pending'],
    ],
  )
  await done(dan.send('PUT', appPath(mine, '/testers'), { testers: [] }))
  assert.deepEqual(await read(), [])
})

test('hides testers from another developer who tests the app, and from callers without OAuth', async () => {
  const mine = await submit(dan, { name: 'In secret' })
  await done(dan.send('PUT', appPath(mine, '/testers'), { testers: [eve.email] }))
  await refused(eve.send('GET', appPath(mine, '/testers')), 404, 'app_not_found')
  await refused(dan.send('GET', appPath({ _id: 'nonsense' }, '/testers')), 404, 'app_not_found')
  await refused(carol.send('GET', appPath(mine, '/testers')), 403, 'oauth_not_enabled')
  await refused(sendRequest(app, 'GET', appPath(mine, '/testers')), 401, 'unauthorized')
})
