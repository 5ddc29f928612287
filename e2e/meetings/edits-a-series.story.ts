import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { detailsPath, meetPeople, schedule, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'
import { openMeetingOfDate } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice } = await meetPeople(app)

/** Open a date of the series from the calendar, and ask to edit it. */
async function openQuestion(page: Page) {
  await page.goto('/calendar?view=week&date=2030-01-14')
  await page
    .getByRole('link', { name: /Stand-up$/ })
    .nth(2)
    .click()
  await openMeetingOfDate(page)
  await page.getByRole('region', { name: 'When' }).getByText('The date you opened').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Stand-up”' })
  await dialog.waitFor()
  return dialog
}

test('Alice opens a date in the calendar and edits only this date; its page follows it', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  const dialog = await openQuestion(page)
  await dialog.getByText('Wed, 16 Jan 2030, 09:00–09:30').waitFor()
  assert.equal(await dialog.getByLabel('Only this date').isChecked(), true)
  await checkPage(page, 'edit-series-question')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const form = page.getByRole('dialog', { name: 'Change Wed, 16 Jan 2030, 09:00–09:30' })
  await typeInto(form.getByLabel('Start'), '15:00')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The date is changed: Wed, 16 Jan 2030, 15:00–15:30.').waitFor()
  const when = page.getByRole('region', { name: 'When' })
  await when.getByText('Instead of Wed, 16 Jan 2030, 09:00–09:30').waitFor()
  await page.waitForURL(/date=2030-01-16T15/)
  await checkPage(page, 'meeting-opened-changed-date')
  const { body } = await alice.send('GET', `${detailsPath(series)}?occurrences=1`)
  assert.equal(body[0].startTime, '2030-01-07T09:00:00.000Z')
  await alice.send('POST', `/api/meeting/cancel/${series._id}`, { cancel: 'all' })
})

test('editing all dates from a later one does not move the start of the series', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  const dialog = await openQuestion(page)
  // By keyboard alone.
  await dialog.getByLabel('This and all following dates').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.equal(await dialog.getByLabel('All dates').isChecked(), true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/edit$/)
  assert.equal(await page.getByLabel(/^Date/).inputValue(), 'Mon, 7 Jan 2030')
  await typeInto(page.getByLabel(/^Start/), '10:00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  const { body } = await alice.send('GET', `${detailsPath(series)}?occurrences=20`)
  assert.deepEqual([body[0].startTime, body[0].occurrences.length], ['2030-01-07T10:00:00.000Z', 15])
  await alice.send('POST', `/api/meeting/cancel/${series._id}`, { cancel: 'all' })
})

test('the question is left by Escape, and the focus returns to the button', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  const button = page.getByRole('button', { name: 'Edit', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit “Stand-up”' })
  await dialog.getByText('Mon, 7 Jan 2030, 09:00–09:30').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
})
