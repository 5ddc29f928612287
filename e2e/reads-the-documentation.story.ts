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
  await entrance.getByRole('heading', { name: 'Get started', level: 1 }).waitFor()

  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto('/docs')
  await page.getByRole('main').getByRole('link', { name: 'OAuth 2.0' }).click()
  await page.getByRole('heading', { name: 'OAuth 2.0 for app developers', level: 1 }).waitFor()
  assert.equal(await page.getByRole('searchbox').isVisible(), false, 'There is no search without JavaScript')
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'OAuth reference' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click()
  assert.match(page.url(), /\/docs\/oauth-reference#errors$/)
  const top = await page
    .getByRole('heading', { name: 'Errors', exact: true })
    .evaluate((at: Element) => at.getBoundingClientRect().top)
  assert.ok(top >= 0 && top < 200, `the section is at the top of the window: ${top}`)
  await page.getByRole('link', { name: 'API conventions' }).first().click()
  await page.getByRole('heading', { name: 'API conventions', level: 1 }).waitFor()
  const current = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]')
  assert.equal(await current.textContent(), 'API conventions')
})

test('Dana finds by the search how to cancel one date, by keyboard, and copies the command', async () => {
  const { page, context } = await openPage()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('cancel one date of a series')
  const results = page.getByRole('search').getByRole('link')
  await results.first().waitFor()
  assert.match(String(await results.first().textContent()), /Meetings/)
  await checkPage(page, 'docs-search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/meetings#/)
  const block = page.locator('.code', { hasText: '"cancel": "current"' })
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  assert.match(
    await page.evaluate(() => navigator.clipboard.readText()),
    /^curl -s .*\n {2}--json '{ "cancel": "current"/,
  )

  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('GET /api/people suggest')
  await results.filter({ hasText: 'GET /api/people' }).first().click()
  await page.getByRole('heading', { name: 'Suggest people to invite' }).waitFor()
  // It is far down on the one page of all endpoints.
  await page.waitForFunction(() => scrollY > 1000)
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('zzzzzz')
  await page.getByRole('status').filter({ hasText: 'Nothing matches “zzzzzz”.' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await results.count(), 0)
})

test('every page is accessible; one of tables and one of programs in every look', async () => {
  const { page } = await openPage()
  for (const { name } of docPages) {
    await page.goto(`/docs/${name}`)
    if (['oauth-reference', 'quick-starts'].includes(name)) await checkPage(page, `docs-${name}`)
    else assert.deepEqual(await violations(page), [], name)
  }
})

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
