import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople } from '../apps/server/test/people.ts'
import { checkPage } from './check-page.ts'
import { openPersonMenu } from './person-menu.ts'
import { clickWhereSeen } from './real-input.ts'
import { startStory } from './start-story.ts'

const { app, openPage } = await startStory()
const { olga, alice } = await meetPeople(app)

test('the menu of the portrait works by keyboard, and switches the appearance', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('button', { name: 'Your account: Alice Test' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menu', { name: 'Your account: Alice Test' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('d')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  assert.equal(await focused(), 'Dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await checkPage(page, 'person-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  assert.match((await focused()) ?? '', /Your account/)
})

test('the sidebar stays folded after a reload, and its icons keep their names', async () => {
  const { page } = await openPage({ person: olga, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar')
  await clickWhereSeen(page.getByRole('button', { name: 'Collapse the sidebar' }))
  await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()
  await clickWhereSeen(page.getByRole('link', { name: 'Administration' }))
  await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await clickWhereSeen(pages.getByRole('link', { name: 'Audit log' }))
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  await checkPage(page, 'sidebar-folded')
  await clickWhereSeen(pages.getByRole('link', { name: 'Back to meetings' }))
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
})

test('a day of the month in the sidebar opens the calendar at that day, by mouse and by keyboard', async () => {
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?date=2030-01-31&view=week')
  const month = page.getByRole('region', { name: 'Go to a day' })
  await month.getByRole('button', { name: 'Thursday, 31 January 2030', pressed: true }).focus()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowRight')
  const day = month.getByRole('button', { name: 'Friday, 1 March 2030' })
  assert.equal(await day.evaluate((at: Element) => at === document.activeElement), true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/date=2030-03-01&view=week|view=week&date=2030-03-01/)
  await clickWhereSeen(month.getByRole('button', { name: 'Next month' }))
  await clickWhereSeen(month.getByRole('button', { name: 'Wednesday, 10 April 2030' }))
  await page.waitForURL(/date=2030-04-10/)
  await checkPage(page, 'sidebar-month')
})

test('on a phone the main pages are at the lower edge, and the former address of a page leads to the present one', async () => {
  const { page } = await openPage({ person: alice, viewport: { width: 360, height: 740 } })
  await page.goto('/security/webhooks')
  await page.waitForURL('**/developers/webhooks')
  const bar = page.getByRole('navigation', { name: 'Pages' })
  await clickWhereSeen(bar.getByRole('link', { name: 'Calendar' }))
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
  await clickWhereSeen(bar.getByRole('button', { name: 'More' }))
  await page.getByRole('dialog').getByRole('link', { name: 'Developers' }).waitFor()
  await page.keyboard.press('Escape')
  await openPersonMenu(page)
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
})
