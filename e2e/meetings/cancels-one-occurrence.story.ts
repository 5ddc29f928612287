import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople, type Person, schedule, standUp, weekdays } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { chooseAction, openMeetingOfDate } from './meetings.ts'

const datesOf = async (person: Person, { _id }: { _id: string }) => {
  const { body } = await person.send('GET', `/api/meeting/meetingDetails/${_id}/occurrences?to=2031-01-01T00:00:00Z`)
  return body.occurrences.map(({ startTime }: { startTime: string }) => startTime)
}

const openDialog = async (page: Page, topic: string) => {
  await chooseAction(page, 'Cancel…')
  const dialog = page.getByRole('dialog', { name: `Cancel “${topic}”` })
  await dialog.waitFor()
  return dialog
}

test('Alice cancels one named date of a series, then all remaining ones', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const series = await schedule(alice, weekdays())
  await app.mails()
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)

  const dialog = await openDialog(page, 'Stand-up')
  const going = dialog.getByRole('list', { name: 'Dates that are cancelled' })
  assert.deepEqual(await going.getByRole('listitem').allInnerTexts(), ['Mon, 7 Jan 2030, 09:00–09:30'])
  assert.equal(await dialog.getByLabel('Only this date').isChecked(), true)
  await dialog.getByLabel('This and all following dates').check()
  await dialog.getByText('15 dates are cancelled:').waitFor()
  await dialog.getByLabel('Only this date').check()
  await dialog.getByLabel('Date', { exact: true }).selectOption({ label: 'Wed, 9 Jan 2030, 09:00–09:30' })
  assert.deepEqual(await going.getByRole('listitem').allInnerTexts(), ['Wed, 9 Jan 2030, 09:00–09:30'])
  await checkPage(page, 'cancel-one-date')
  await dialog.getByRole('button', { name: 'Cancel this date' }).click()
  await page.getByText('One date of “Stand-up” is cancelled.').waitFor()
  const afterOne = await datesOf(alice, series)
  assert.equal(afterOne.length, 14)
  assert.equal(afterOne.includes('2030-01-09T09:00:00.000Z'), false)
  assert.ok((await app.mails()).length > 0, 'Bob is told')

  await openDialog(page, 'Stand-up')
  await dialog.getByLabel('All future dates').check()
  await dialog.getByText('14 dates are cancelled:').waitFor()
  assert.equal(await going.getByRole('listitem').count(), 14)
  await checkPage(page, 'cancel-all-dates')
  await dialog.getByRole('button', { name: 'Cancel the meeting' }).click()
  await page.getByText('“Stand-up” is cancelled. You can undo this for half a minute.', { exact: true }).waitFor()
  assert.deepEqual(await datesOf(alice, series), [])
  await app.mails()
})

test('by keyboard alone: Alice keeps a single meeting, then cancels it', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const meeting = await schedule(alice, standUp())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${meeting._id}`)
  const open = page.getByRole('button', { name: 'More actions' })
  const chooseCancel = async () => {
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'Save as a template' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await open.waitFor()
  await open.focus()
  await chooseCancel()
  const dialog = page.getByRole('dialog', { name: 'Cancel “Stand-up”' })
  await dialog.getByText('1 date is cancelled:').waitFor()
  // The initial focus is on Cancel.
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await open.evaluate((button) => button === document.activeElement), true)

  await chooseCancel()
  await dialog.getByText('1 date is cancelled:').waitFor()
  await checkPage(page, 'cancel-single')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('“Stand-up” is cancelled. You can undo this for half a minute.', { exact: true }).waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me?status=cancelled')
  assert.deepEqual([body.totalCount, body.meetingDetails[0].topic], [1, 'Stand-up'])
  await app.mails()
})

test('Alice undoes the cancellation of a meeting by keyboard after a reload; another window agrees, and no guest is told', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const meeting = await schedule(alice, standUp())
  await app.mails()
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${meeting._id}`)
  const dialog = await openDialog(page, 'Stand-up')
  await dialog.getByRole('button', { name: 'Cancel the meeting' }).click()
  const done = page.getByRole('status').getByText('“Stand-up” is cancelled. You can undo this for half a minute.')
  await done.waitFor()
  await checkPage(page, 'undo-a-cancellation')

  const other = await page.context().newPage()
  await other.goto(`/meetings/${meeting._id}`)
  await other.getByRole('heading', { name: 'Stand-up' }).waitFor()
  await other.getByText('This meeting is cancelled').waitFor()
  assert.equal(await other.getByRole('button', { name: 'More actions' }).count(), 0)
  await other.close()

  await page.reload()
  await done.waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('“Stand-up” takes place again.').waitFor()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).count(), 0)
  assert.deepEqual(await app.mails(), [])
})

test('from the calendar and from the menu of a date, Alice cancels that date and all that follow', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const series = await schedule(alice, weekdays())
  await app.mails()
  const { page } = await openPage({ person: alice })
  await page.goto('/calendar?view=week&date=2030-01-14')
  await page
    .getByRole('link', { name: /Stand-up$/ })
    .nth(2)
    .click()
  await openMeetingOfDate(page)
  await page.getByRole('region', { name: 'When' }).getByText('The date you opened').waitFor()
  const dialog = await openDialog(page, 'Stand-up')
  const chosen = dialog.getByLabel('Date', { exact: true })
  await chosen.waitFor()
  assert.equal(await chosen.locator('option:checked').textContent(), 'Wed, 16 Jan 2030, 09:00–09:30')
  // By keyboard alone.
  await dialog.getByLabel('Only this date').focus()
  await page.keyboard.press('ArrowDown')
  assert.equal(await dialog.getByLabel('This and all following dates').isChecked(), true)
  await dialog.getByText('8 dates are cancelled:').waitFor()
  await checkPage(page, 'cancel-following-dates')
  await dialog.getByRole('button', { name: 'Cancel these dates' }).click()
  await page.getByText(/^“Stand-up” is cancelled from Wednesday,? 16 January 2030 on\./).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  assert.equal((await datesOf(alice, series)).at(-1), '2030-01-15T09:00:00.000Z')

  await page.getByRole('button', { name: 'Manage Thu, 10 Jan 2030, 09:00–09:30' }).click()
  await page.getByRole('menuitem', { name: 'Cancel this date…' }).click()
  await dialog.getByRole('radiogroup', { name: 'Which dates?' }).getByText('Thu, 10 Jan 2030, 09:00–09:30').waitFor()
  assert.equal(await dialog.getByLabel('Date', { exact: true }).count(), 0)
  await dialog.getByLabel('This and all following dates').check()
  await dialog.getByText('4 dates are cancelled:').waitFor()
  await dialog.getByLabel('Notify participants').uncheck()
  await dialog.getByRole('button', { name: 'Cancel these dates' }).click()
  await page.getByText(/^“Stand-up” is cancelled from Thursday,? 10 January 2030 on\.$/).waitFor()
  assert.equal((await datesOf(alice, series)).at(-1), '2030-01-09T09:00:00.000Z')
  await app.mails()
})

test('a date that another window has taken away meanwhile is not replaced by another one', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { alice } = await meetPeople(app)
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  await page.goto(`/meetings/${series._id}`)
  const dialog = await openDialog(page, 'Stand-up')
  await dialog.getByLabel('Date', { exact: true }).selectOption({ label: 'Thu, 10 Jan 2030, 09:00–09:30' })
  const thursday = { cancel: 'current', occurrence: '2030-01-10T09:00:00Z' }
  await expectOk(alice.send('POST', `/api/meeting/cancel/${series._id}`, thursday))
  const confirm = dialog.getByRole('button', { name: 'Cancel this date' })
  await confirm.click()
  await dialog.getByText('Somebody changed this in the meantime.').waitFor()
  await dialog.getByText(/dates? (is|are) cancelled:/).waitFor({ state: 'hidden' })
  assert.equal(await confirm.isDisabled(), true)
  await dialog.getByLabel('Date', { exact: true }).selectOption({ label: 'Fri, 11 Jan 2030, 09:00–09:30' })
  await confirm.click()
  await page.getByText('One date of “Stand-up” is cancelled.').waitFor()
  assert.equal((await datesOf(alice, series)).length, 13)
})
