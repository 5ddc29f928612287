import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../apps/server/test/oauth/approved-app.ts'
import { authorizeUrl } from '../apps/server/test/oauth/consenting-person.ts'
import { signUp, standUp } from '../apps/server/test/people.ts'
import { idleOf } from './idle-page.ts'
import { between, hourMs, scheduleQuietly } from './meetings/meetings.ts'
import { type OpenedPage, startStory } from './start-story.ts'

const { app, openPage } = await startStory()

/** Open each page, wait until it is idle, and return the problems that the browser reported, by page. */
async function browserErrorsOn({ page, browserErrors }: OpenedPage, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const idle = idleOf(page)
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await idle()
    found.push(...browserErrors.splice(0).map((error) => `${path}: ${error}`))
  }
  return found
}

test('the console stays empty on every public page without a session', async () => {
  const stranger = await openPage()
  assert.deepEqual(await browserErrorsOn(stranger, ['/', '/welcome']), [], 'before the first account')
  const olga = await signUp(app, 'Olga')
  const meeting = await scheduleQuietly(olga, standUp({ ...between(hourMs, 2 * hourMs) }))
  const planner = await approvedApp(app, olga)
  const asked = { client_id: planner.clientId, redirect_uri: callbackUrl, response_type: 'code' }
  const paths = [
    '/',
    '/sign-in',
    '/sign-up',
    '/reset-password',
    '/verify-email',
    '/join',
    `/j/${meeting.svcMeetId}`,
    `/j/${meeting.svcMeetId}#pin=${meeting.pin}`,
    '/j/11111111111',
    '/docs',
    '/docs/oauth',
    '/problems/wrong_pin',
    '/reference',
    authorizeUrl(app, asked).replace(app.base, app.config.baseUrl),
  ]
  assert.deepEqual(await browserErrorsOn(stranger, paths), [])
})

test('the console stays empty on the pages of an account without any role', async () => {
  await signUp(app, 'Olga', 'first@example.org')
  const alice = await signUp(app, 'Alice')
  const hers = await scheduleQuietly(alice, standUp({ ...between(hourMs, 2 * hourMs) }))
  const paths = [
    '/meetings',
    `/meetings/${hers._id}`,
    '/meetings/new',
    '/calendar',
    '/settings/profile',
    '/settings/meetings',
    '/settings/notifications',
    '/settings/calendar',
    '/settings/security',
    '/settings/developer',
    '/connected-apps',
    '/developers',
    `/j/${hers.svcMeetId}`,
  ]
  assert.deepEqual(await browserErrorsOn(await openPage({ person: alice }), paths), [])
})
