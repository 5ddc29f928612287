import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory()
const { alice } = await meetPeople(app)

test('Alice types a date, a start and an end as she writes them, and chooses them from lists', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  const [date, start, end] = [page.getByLabel(/^Date/), page.getByLabel(/^Start/), page.getByLabel(/^End/)]
  await typeInto(date, '26.11.2031')
  assert.equal(await date.inputValue(), 'Wed, 26 Nov 2031')
  await typeInto(start, '930p')
  assert.equal(await start.inputValue(), '21:30')
  assert.equal(await end.inputValue(), '22:00 · 30 min', 'the duration stays when the start changes')
  for (const [typed, shown] of [
    ['22.15', '22:15 · 45 min'],
    ['1h 30', '23:00 · 1 hr, 30 min'],
    ['50', '22:20 · 50 min'],
    ['7 min', '21:37 · 7 min'],
    ['0:30', '00:30 the next day · 3 hr'],
  ] as const) {
    await typeInto(end, typed)
    assert.equal(await end.inputValue(), shown, typed)
    // The list of time zones has opened.
    await page.keyboard.press('Escape')
  }
  await page.getByText('Wed, 26 Nov 2031, 21:30 – Thu, 27 Nov 2031, 00:30').waitFor()

  await start.click()
  const times = page.getByRole('listbox', { name: 'Start' })
  await times.getByRole('option', { name: '21:30', selected: true }).waitFor()
  await checkPage(page, 'new-meeting-times')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await start.inputValue(), '21:45', 'the list opens at the time that is chosen')

  await date.click()
  const month = page.getByRole('dialog', { name: 'Calendar for “Date”' })
  await clickWhereSeen(month.getByRole('button', { name: 'Next month' }))
  await checkPage(page, 'new-meeting-month')
  await clickWhereSeen(month.getByRole('button', { name: 'Wednesday, 24 December 2031' }))
  assert.equal(await date.inputValue(), 'Wed, 24 Dec 2031')
  await month.waitFor({ state: 'hidden' })
})

test('what cannot be read is said at its field, stays there, and is not sent', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  await page.getByLabel('Topic').fill('Unreadable')
  const [date, end] = [page.getByLabel(/^Date/), page.getByLabel(/^End/)]
  await typeInto(date, '31 February')
  await page.getByText(/^Type a date such as “/).waitFor()
  await typeInto(end, '25 h')
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByText('A meeting lasts 24 hours at most.').waitFor()
  assert.equal(await date.inputValue(), '31 February')
  assert.equal(await date.getAttribute('aria-invalid'), 'true')
  await typeInto(date, 'tomorrow')
  await page.getByText(/^Type a date such as “/).waitFor({ state: 'hidden' })
  await typeInto(end, 'later')
  await page.getByText('Type an end such as “17:30”, or a duration such as “30 min”.').waitFor()
  await typeInto(end, '24 h')
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByRole('heading', { name: 'Unreadable', level: 1 }).waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me')
  assert.equal(body.meetingDetails[0].scheduledDuration, 24 * 60 * 60_000)
  await app.mails()
})

test('Escape closes the month or the list, and the dialog around it stays', async () => {
  const meeting = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, locale: 'en-US' })
  await page.goto(`/meetings/${meeting._id}`)
  await page
    .getByRole('button', { name: /^Manage / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Change this date…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change / })
  const date = dialog.getByLabel(/^Date/)
  await date.click()
  await page.keyboard.press('ArrowDown')
  const month = page.getByRole('dialog', { name: 'Calendar for “Date”' })
  await month.locator('button:focus').waitFor()
  await page.keyboard.press('Escape')
  await month.waitFor({ state: 'hidden' })
  await dialog.getByLabel(/^Start/).click()
  await page.getByRole('listbox', { name: 'Start' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox', { name: 'Start' }).waitFor({ state: 'hidden' })
  assert.match(await dialog.getByLabel(/^Start/).inputValue(), /^\d{1,2}:\d{2} [AP]M$/)
  assert.match(await date.inputValue(), /^[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, \d{4}$/)
  await app.mails()
})
