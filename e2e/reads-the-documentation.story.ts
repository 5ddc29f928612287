import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { docPages } from '../apps/server/src/docs/doc-pages.ts'
import { signUp } from '../apps/server/test/people.ts'
import { checkPage, violations } from './check-page.ts'
import { startStory } from './start-story.ts'

const { app, openPage } = await startStory()

test('Dana reads without JavaScript how to write an app, starting from the footer of the sign-in page', async () => {
  const { page: entrance } = await openPage()
  await signUp(app, 'Olga')
  await entrance.goto('/sign-in')
  await entrance.getByRole('link', { name: 'Documentation' }).click()
  await entrance.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor()

  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByRole('link', { name: 'OAuth 2.0 for app developers' }).click()
  await page.getByRole('heading', { name: 'OAuth 2.0 for app developers', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click()
  assert.match(page.url(), /\/docs\/oauth#errors$/)
  const top = await page
    .getByRole('heading', { name: 'Errors', exact: true })
    .evaluate((at: Element) => at.getBoundingClientRect().top)
  assert.ok(top >= 0 && top < 200, `the section is at the top of the window: ${top}`)
  await page.getByRole('link', { name: 'API conventions' }).first().click()
  await page.getByRole('heading', { name: 'API conventions', level: 1 }).waitFor()
  const current = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]')
  assert.equal(await current.textContent(), 'API conventions')
})

for (const name of ['', ...docPages.map((one) => `/${one.name}`)]) {
  test(`the page /docs${name} is accessible`, async () => {
    const { page } = await openPage()
    await page.goto(`/docs${name}`)
    await checkPage(page, `docs${name.replace('/', '-')}`)
  })
}

test('the skip link leads past the links', async () => {
  const { page } = await openPage()
  await page.goto('/docs/oauth')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content')
})

/** Known violations in Scalar's widgets; the rest of the page is ours. */
const rulesOfScalar = ['button-name', 'link-name', 'scrollable-region-focusable']

test('our parts of the API reference are accessible: its frame, and its colours in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage()
    await page.emulateMedia({ colorScheme })
    await page.goto('/reference')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    let found = await violationsOfOurs(page)
    // Scalar applies the colours of the scheme some seconds after the page has loaded.
    for (let tries = 0; found.length > 0 && tries < 10; tries++) {
      await sleep(1_000)
      found = await violationsOfOurs(page)
    }
    assert.deepEqual(found, [], colorScheme)
  }
})

const violationsOfOurs = async (page: Page) =>
  (await violations(page)).filter((one) => !rulesOfScalar.some((rule) => one.startsWith(`${rule} `)))
