import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'

const maxTabs = 60

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < maxTabs; tabs++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail(`${target} is not reached by Tab`)
}

test('by keyboard alone: Alice schedules a series, starting from the list of her meetings', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  const scheduleLink = page.getByRole('link', { name: 'Schedule a meeting' }).first()
  await scheduleLink.waitFor()
  await tabTo(page, scheduleLink)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Schedule a meeting', level: 1 }).waitFor()

  // The topic has the focus.
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('Retrospective')
  await tabTo(page, page.getByLabel(/^Date/))
  const date = page.getByLabel(/^Date/)
  await page.keyboard.type('6.7.30')
  await page.keyboard.press('ArrowDown')
  const month = page.getByRole('dialog', { name: 'Calendar for “Date”' })
  await month.locator('button:focus').filter({ hasText: 'Saturday, 6 July 2030' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await month.locator('button:focus').filter({ hasText: 'Sunday, 7 July 2030' }).waitFor()
  await page.keyboard.press('Enter')
  await month.waitFor({ state: 'hidden' })
  assert.equal(await date.inputValue(), 'Sun, 7 Jul 2030')
  assert.equal(await date.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.press('ArrowDown')
  await month.locator('button:focus').waitFor()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Escape')
  await month.waitFor({ state: 'hidden' })
  assert.equal(await date.inputValue(), 'Sun, 7 Jul 2030')
  await tabTo(page, page.getByLabel(/^Start/))
  await page.keyboard.type('930a')
  await tabTo(page, page.getByLabel('Repeats'))
  await page.keyboard.type('Every week on')
  const preview = page.getByRole('complementary', { name: 'When it takes place' })
  await preview.getByText('Every week on Sunday', { exact: true }).waitFor()
  await tabTo(page, page.getByRole('checkbox', { name: 'Wednesday' }))
  await page.keyboard.press('Space')
  await preview.getByText('Every week on Wednesday and Sunday', { exact: true }).waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'Participants' }))
  await page.keyboard.type('bob@example.org, carol@example.org')
  await page.keyboard.press('Control+Enter')

  await page.getByRole('heading', { name: 'Retrospective', level: 1 }).waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me')
  const [meeting] = body.meetingDetails
  assert.equal(meeting.startTime, '2030-07-07T08:30:00.000Z')
  assert.deepEqual(meeting.repeatOptions.daysOfWeek, [1, 0, 0, 1, 0, 0, 0])
  assert.equal(meeting.participants.length, 2)
  await app.mails()
})

test('in Arabic, the form reads from right to left and describes its rule', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice, locale: 'ar' })
  await page.goto('/meetings/new')
  await typeInto(page.getByLabel(/^التاريخ/), '٢٢ نوفمبر ٢٠٣٠')
  await page.getByLabel('التكرار').selectOption({ label: 'كل شهر في اليوم 22' })
  await page.getByLabel('في أيام معيّنة من الأسبوع').check()
  await page.getByRole('complementary').getByText('كل شهر يوم الجمعة الرابع', { exact: true }).waitFor()
  await checkPage(page, 'new-meeting-ar')
})
