import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, focusedName } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { between, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

test('Alice subscribes from her calendar, replaces the address in her settings, and ends it', async () => {
  const { app, openPage } = await startStory()
  const alice = await signUp(app, 'Alice')
  await scheduleQuietly(alice, standUp({ ...between(dayMs, dayMs + hourMs), participants: [] }))
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Calendar', exact: true }).click()
  await clickWhereSeen(page.getByRole('button', { name: 'More of the calendar' }))
  await page.getByRole('menuitem', { name: 'Subscribe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe to your calendar' })
  await checkPage(page, 'calendar-feed')
  await dialog.getByRole('button', { name: 'Create the address' }).click()
  const address = dialog.getByRole('textbox', { name: 'Private address' })
  const first = await address.inputValue()
  assert.match(await (await fetch(first)).text(), /SUMMARY:Stand-up/)
  await checkPage(page, 'calendar-feed-shown')
  // A dialog with a one-time secret cannot be closed by accident.
  await page.keyboard.press('Escape')
  assert.equal(await address.inputValue(), first)
  const calendar = page.url()
  await page.evaluate(() => history.back())
  await page.waitForURL(/\/meetings$/)
  await page.waitForURL(calendar)
  assert.equal(await address.inputValue(), first)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await dialog.getByText(/^Your calendar has had a private address since /).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await page.goto('/settings/calendar')
  const section = page.getByRole('region', { name: 'Subscribe to your calendar' })
  await section.getByRole('button', { name: 'Replace the address…' }).click()
  await section.getByText('Programs that use the present address show nothing new').waitFor()
  await page.keyboard.press('Enter')
  await section.getByRole('button', { name: 'Replace the address…' }).waitFor()
  assert.equal(await focusedName(page), 'Replace the address…')
  await page.keyboard.press('Enter')
  await section.getByRole('button', { name: 'Replace the address', exact: true }).click()
  const second = await section.getByRole('textbox', { name: 'Private address' }).inputValue()
  assert.deepEqual([(await fetch(first)).status, (await fetch(second)).status], [404, 200])

  await page.reload()
  await section.getByRole('button', { name: 'End the subscription…' }).click()
  await section.getByRole('button', { name: 'End the subscription', exact: true }).click()
  await page.getByText('The private address of your calendar has ended.').waitFor()
  await section.getByRole('button', { name: 'Create the address' }).waitFor()
  assert.equal((await fetch(second)).status, 404)
})
