import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob } = await meetPeople(app)

const shownOf = async (person: Person, meeting: { _id: string }) =>
  (
    await person.send('GET', `${detailsPath(meeting)}/occurrences?to=2031-01-01T00:00:00Z&limit=3&status=all`)
  ).body.occurrences.map(
    ({ startTime, endTime, status, topic }: Record<string, string>) =>
      `${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)} ${status}${topic === undefined ? '' : ` ${topic}`}`,
  )

const datesOn = (page: Page) => page.getByRole('region', { name: 'Next dates' }).getByRole('listitem')
const actionsFor = (page: Page, date: string) => page.getByRole('button', { name: `Manage ${date}` })
const choose = async (page: Page, menu: Locator, entry: string) => {
  await menu.click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const tuesday = 'Tue, 8 Jan 2030, 09:00–09:30'

test('Alice moves one date and gives it a topic, then undoes it; Bob sees what was changed', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  await choose(page, actionsFor(page, tuesday), 'Change this date…')
  const dialog = page.getByRole('dialog', { name: `Change ${tuesday}` })
  await typeInto(dialog.getByLabel('Start'), '11:00')
  await dialog.getByLabel('Topic').fill('Review')
  await dialog.getByLabel('Description').fill('Bring the numbers.')
  await checkPage(page, 'change-one-date')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The date is changed: Tue, 8 Jan 2030, 11:00–11:30.').waitFor()
  const row = datesOn(page).nth(1)
  await row.getByText('Changed').waitFor()
  assert.match(
    (await row.textContent()) ?? '',
    /Tue, 8 Jan 2030.*11:00–11:30.*Changed.*Instead of Tue, 8 Jan 2030, 09:00–09:30.*Review/,
  )
  await row.getByText('About this date').click()
  await row.getByText('Bring the numbers.').waitFor()
  await checkPage(page, 'meeting-changed-date')
  assert.equal((await shownOf(alice, series))[1], '01-08T11:00–11:30 changed Review')

  await page.goto(`/meetings/${series._id}/edit`)
  await page.getByText('Changed: usually Tue, 8 Jan 2030, 09:00–09:30.').waitFor()
  assert.equal(await page.getByText('The clocks go forward').count(), 0)
  await page.goto(`/meetings/${series._id}`)

  const guest = await openPage({ person: bob })
  await guest.page.goto(`/meetings/${series._id}`)
  await datesOn(guest.page).nth(1).getByText('Instead of Tue, 8 Jan 2030, 09:00–09:30').waitFor()
  assert.equal(await guest.page.getByRole('button', { name: /^Manage/ }).count(), 0)

  await choose(page, actionsFor(page, 'Tue, 8 Jan 2030, 11:00–11:30'), 'Undo the change')
  await page.getByText(`This date follows the series again: ${tuesday}.`).waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 active')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await row.getByText('Review').waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T11:00–11:30 changed Review')
})

test('a time past the next date is refused at its field, and nothing is lost', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, expected: /status of 400/ })
  await page.goto(`/meetings/${series._id}`)
  await choose(page, actionsFor(page, tuesday), 'Change this date…')
  const dialog = page.getByRole('dialog', { name: `Change ${tuesday}` })
  await typeInto(dialog.getByLabel(/^Date/), '9 Jan 2030')
  await dialog.getByLabel('Topic').fill('Review')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText('Choose a time after the date before this one, and before the date after it.').waitFor()
  await checkPage(page, 'change-one-date-refused')
  await typeInto(dialog.getByLabel(/^Date/), '8 Jan 2030')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^The date is changed/).waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 changed Review')
})

test('Alice cancels a date and undoes it in the toast; after a reload it can still be restored', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  const cancel = async () => {
    await choose(page, actionsFor(page, tuesday), 'Cancel this date…')
    const dialog = page.getByRole('dialog', { name: 'Cancel “Stand-up”' })
    await dialog.getByRole('button', { name: 'Cancel this date' }).click()
    await page.getByText('One date of “Stand-up” is cancelled.').waitFor()
  }
  await cancel()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 cancelled')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(`This date takes place again: ${tuesday}.`).waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 active')

  await cancel()
  await page.reload()
  const cancelled = datesOn(page).nth(1)
  await cancelled.getByText('Cancelled').waitFor()
  const line = await cancelled
    .getByText('Tue, 8 Jan 2030')
    .evaluate((date) => getComputedStyle(date).textDecorationLine)
  assert.equal(line, 'line-through')
  await checkPage(page, 'meeting-cancelled-date')
  await page.getByRole('button', { name: `Restore ${tuesday}` }).click()
  await page.getByText(`This date takes place again: ${tuesday}.`).waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 active')
})

test('an undo without a connection says so, and can be tried again', async () => {
  const series = await schedule(alice, weekdays())
  const { page, context } = await openPage({ person: alice, expected: /ERR_INTERNET_DISCONNECTED/ })
  await page.goto(`/meetings/${series._id}`)
  await choose(page, actionsFor(page, tuesday), 'Cancel this date…')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel this date' }).click()
  await page.getByText('One date of “Stand-up” is cancelled.').waitFor()
  await datesOn(page).nth(1).getByText('Cancelled').waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^The date is still cancelled\. The service cannot be reached\./).waitFor()
  await context.setOffline(false)
  await page.getByRole('status').getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`This date takes place again: ${tuesday}.`).waitFor()
  assert.equal((await shownOf(alice, series))[1], '01-08T09:00–09:30 active')
})

test('by keyboard alone: the menu of a date, its dialog, and back to the menu', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  const menu = actionsFor(page, tuesday)
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Change this date…' }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Change ${tuesday}` })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await menu.evaluate((button) => button === document.activeElement), true)
})

test('in Arabic, a changed and a cancelled date read from right to left', async () => {
  const series = await schedule(alice, weekdays())
  const change = `${detailsPath(series)}/occurrences/2030-01-08T09%3A00%3A00Z`
  await alice.send('PUT', change, { startTime: '2030-01-08T11:00:00Z', topic: 'Review' })
  await alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  const { page } = await openPage({ person: alice, locale: 'ar' })
  await page.goto(`/meetings/${series._id}?date=2030-01-08T11:00:00.000Z`)
  await page.getByText('معدَّل').first().waitFor()
  await checkPage(page, 'meeting-dates-ar')
})
