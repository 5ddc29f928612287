import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, standUp } from '../apps/server/test/people.ts'
import { checkPage } from './check-page.ts'
import { scheduleQuietly } from './meetings/meetings.ts'
import { openPersonMenu } from './person-menu.ts'
import { clickWhereSeen } from './real-input.ts'
import { startStory } from './start-story.ts'

const { app, openPage } = await startStory()
const { olga, alice, bob } = await meetPeople(app)

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

test('the search finds people, past meetings, days and actions in the words of the interface', async () => {
  await scheduleQuietly(
    alice,
    standUp({ topic: 'Budget talk', description: 'Figures of the Überblick', participants: [bob.email] }),
  )
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar')
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
  const field = page.getByRole('combobox', { name: 'Search meetings, people, pages and actions' })
  const search = async (text: string, keys = '/') => {
    await field.waitFor({ state: 'detached' })
    // A closed dialog returns the focus a moment later; no person opens the next one before.
    await page.waitForTimeout(200)
    await page.keyboard.press(keys)
    await field.waitFor()
    await page.keyboard.type(text)
  }
  await search('bob')
  const people = page.getByRole('group', { name: 'People' })
  await people.getByRole('option', { name: /^Bob Test/ }).waitFor()
  await page.getByRole('option', { name: /^Budget talk/ }).waitFor()
  await checkPage(page, 'search-people')
  await field.fill('uberbl')
  await page.getByRole('option', { name: /^Budget talk.*In the description$/ }).waitFor()
  await field.fill('nothing has this name')
  await page.getByRole('dialog').getByText('Nothing matches.').waitFor()
  await checkPage(page, 'search-nothing')
  await field.fill('dark')
  await page.getByRole('option', { name: /^Dark/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await search('tomorrow')
  await clickWhereSeen(page.getByRole('option', { name: /^tomorrow/ }))
  await page.waitForURL(/calendar\?.*date=/)
  await search('past')
  await clickWhereSeen(page.getByRole('option', { name: 'Past meetings' }))
  await page.waitForURL(/meetings\?when=past/)
  // In the list of meetings, / leads to the search of the list.
  await search('sign out', 'Control+k')
  await page.getByRole('option', { name: 'Sign out', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  // Keys of every page.
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
  await page.keyboard.press('c')
  await page.waitForURL('**/meetings/new')
})

test('a guest finds short answers from the foot of the join page, in the language of the browser', async () => {
  const { page } = await openPage({ locale: 'de-DE' })
  await page.goto('/join')
  await clickWhereSeen(page.getByRole('link', { name: 'Hilfe' }))
  await page.getByRole('heading', { name: 'Hilfe', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Wie nehme ich an einer Besprechung teil?' }).waitFor()
  await checkPage(page, 'help')
})
