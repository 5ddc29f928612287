import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { meetPeople, schedule, signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory({ TENANTS: 'example.org=Example' }, { emails: 'dropped' })
const { alice } = await meetPeople(app)
await signUp(app, 'Borís', 'boris@example.org')
await schedule(alice, standUp({ participants: ['bo.derek@elsewhere.example'] }))

/** Name and address of each option, without the initials of the portrait. */
const namesIn = (options: Locator) =>
  options.evaluateAll((all) =>
    all.map((one) => Array.from(one.querySelectorAll('bdi'), ({ textContent }) => textContent).join(' ')),
  )

test('Alice types the beginning of a name, and chooses whom she means by keyboard', async () => {
  const { page, context } = await openPage({ person: alice, expected: /ERR_INTERNET_DISCONNECTED/ })
  await page.goto('/meetings/new')
  const field = page.getByRole('combobox', { name: 'Participants' })
  const options = page.getByRole('listbox', { name: 'Suggested people' }).getByRole('option')
  await field.pressSequentially('bo')
  await options.nth(2).waitFor()
  // Whom she has invited comes first, then colleagues.
  assert.deepEqual(await namesIn(options), [
    'bo.derek@elsewhere.example',
    'Bob Test bob@example.org',
    'Borís Test boris@example.org',
  ])
  await checkPage(page, 'meeting-suggested-guests')
  await field.focus()
  assert.equal(await options.nth(0).getAttribute('aria-selected'), 'true')
  await field.press('ArrowDown')
  assert.equal(await field.getAttribute('aria-activedescendant'), await options.nth(1).getAttribute('id'))
  await field.press('Enter')
  const chip = page.locator('[title="bob@example.org"]')
  await chip.getByText('Bob Test', { exact: true }).waitFor()

  await field.pressSequentially('boris')
  await options.first().waitFor()
  assert.deepEqual(await namesIn(options), ['Borís Test boris@example.org'])
  await field.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'boris')
  await field.press('ArrowDown')
  await options.first().click()
  await page.locator('[title="boris@example.org"]').waitFor()

  // A whole address is added as it is typed, whatever is suggested.
  await field.fill('bo@example.org')
  await field.press('Enter')
  await page.getByText('bo@example.org', { exact: true }).waitFor()

  await context.setOffline(true)
  await field.pressSequentially('carol')
  await page.getByText('People cannot be suggested right now. Type the whole address.').waitFor()
  await context.setOffline(false)
  await options.first().waitFor()
  await field.press('Enter')
  await page.locator('[title="carol@example.org"]').waitFor()
})

test('a list of three hundred addresses is pasted at once', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  const field = page.getByRole('combobox', { name: 'Participants' })
  const list = Array.from({ length: 300 }, (_, number) => `Guest ${number} <guest${number}@elsewhere.example>`).join(
    ', ',
  )
  await field.evaluate((input, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, list)
  await page.getByRole('button', { name: 'Show 260 more' }).waitFor()
  assert.equal(await field.inputValue(), '')
  await page.locator('[title="guest0@elsewhere.example"]').getByText('Guest 0', { exact: true }).waitFor()

  await page.reload()
  await page.getByText('Your draft is back').waitFor()
  await page.locator('[title="guest39@elsewhere.example"]').getByText('Guest 39', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show 260 more' }).waitFor()
})

test('Enter before the suggestions have arrived waits for them; a name that no one has stays to be completed', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  const field = page.getByRole('combobox', { name: 'Participants' })
  await page.route('**/api/people?**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await field.pressSequentially('carol')
  await field.press('Enter')
  assert.equal(await field.inputValue(), 'carol')
  await page.locator('[title="carol@example.org"]').waitFor()
  assert.equal(await field.inputValue(), '')

  await field.pressSequentially('nobody at all')
  await field.press('Enter')
  await page.getByText('No one is known by this name. Type the whole address.').first().waitFor()
  assert.equal(await field.inputValue(), 'nobody at all')
  await field.pressSequentially('@example.org')
  await field.fill('nobody@example.org')
  await field.press('Enter')
  await page.getByText('nobody@example.org', { exact: true }).waitFor()
})
