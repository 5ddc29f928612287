import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { startStory } from '../start-story.ts'
import { chooseAction } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob } = await meetPeople(app)

test('what Bob answers in one window is shown in the other', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  const { page, context } = await openPage({ person: bob })
  const answers = page.getByRole('region', { name: 'Are you coming?' })
  await page.goto(`/meetings/${meeting._id}`)
  await answers.getByText('You have not answered yet.').waitFor()
  const other = await context.newPage()
  await other.goto(`/meetings/${meeting._id}`)
  await other.getByRole('button', { name: 'Maybe', exact: true }).click()
  await answers.getByText('You said maybe.').waitFor()
})

test('on a phone, Back closes a dialog and leaves the page where it is', async () => {
  await schedule(alice, standUp())
  const { page } = await openPage({ person: alice, viewport: { width: 390, height: 844 } })
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Stand-up' }).first().click()
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  const address = page.url()
  assert.match(address, /\/meetings\/[0-9a-f-]{36}/)
  await chooseAction(page, 'Cancel…')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.evaluate(() => history.back())
  await dialog.waitFor({ state: 'hidden' })
  // The browser has gone back and comes forward again.
  await page.waitForURL(address)
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  await page.evaluate(() => history.back())
  await page.waitForURL('**/meetings')
})
