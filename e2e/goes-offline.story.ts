import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readWebBuild } from '../apps/server/src/web-app/web-app.ts'
import { signUp } from '../apps/server/test/people.ts'
import { startApp } from '../apps/server/test/start-app.ts'
import { builtPages } from '../scripts/build-web.ts'
import { checkPage } from './check-page.ts'
import { startStory } from './start-story.ts'

/** What the browser logs of navigations that fail. */
const expected = /ERR_INTERNET_DISCONNECTED|503|Failed to fetch/

const story = await startStory()
const { app, openPage } = story

/** The frame registers the worker after the page has loaded. */
const waitForWorker = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

for (const { name, locale, heading, button } of [
  { name: 'Alice', locale: 'de-DE', heading: 'Sie sind offline', button: 'Noch einmal versuchen' },
  { name: 'Bob', locale: 'ar-EG', heading: 'أنت غير متصل بالشبكة', button: 'حاول مرة أخرى' },
]) {
  test(`without a network, shows a page in the reader's language (${locale}), then the one that was asked for`, async () => {
    const person = await signUp(app, name)
    const { page, context } = await openPage({ person, locale, expected })
    await page.goto('/meetings')
    await waitForWorker(page)
    await context.setOffline(true)
    await page.goto('/calendar')
    await page.getByRole('heading', { name: heading }).waitFor()
    const { lang, dir } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      dir: document.documentElement.dir,
    }))
    assert.deepEqual([lang, dir], [locale.slice(0, 2), lang === 'ar' ? 'rtl' : 'ltr'])
    await checkPage(page, `offline-${lang}`)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    // Nothing else is answered without a network, and nothing is kept.
    assert.deepEqual(await page.evaluate(() => caches.keys()), [])
    for (const path of ['/api/start-page', '/oauth2/authorize', '/docs', '/embed/1234567890']) {
      const other = await context.newPage()
      await assert.rejects(other.goto(path), /ERR_INTERNET_DISCONNECTED/, path)
      await other.close()
    }
    await context.setOffline(false)
    await page.locator('#content').waitFor()
    assert.equal(new URL(page.url()).pathname, '/calendar')
  })
}

test('visitors get no worker', async () => {
  const { page } = await openPage()
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
})

test('has the theme that was chosen here, and leaves the API and what is not a page to the browser', async () => {
  const { page, context } = await openPage({ person: await signUp(app, 'Carol'), colorScheme: 'light', expected })
  await page.goto('/meetings')
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  await waitForWorker(page)
  const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.reload()
  await page.locator('#content').waitFor()
  await page.evaluate(() => document.body.style.setProperty('background', 'var(--parley-ground)'))
  const dark = await shade()
  await context.setOffline(true)
  await page.goto('/meetings')
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  assert.equal(await shade(), dark)
  assert.equal(
    await page.evaluate(() =>
      fetch('/api/start-page').then(
        () => 'answered',
        () => 'refused',
      ),
    ),
    'refused',
  )
})

test('the worker of a new release takes over without a reload, and deletes what an earlier one cached', async () => {
  const site = await readWebBuild(builtPages)
  assert.ok(site)
  const former = Buffer.from(site.serviceWorker).toString().replace('Parley</header>', 'Former release</header>')
  const person = await signUp(app, 'Dora')
  const { port } = new URL(app.config.baseUrl)
  await app.close()
  const startRelease = (serviceWorker: Uint8Array) =>
    startApp({
      beside: app,
      site: { ...site, serviceWorker },
      port: Number(port),
      environment: { BASE_URL: app.config.baseUrl },
    })
  const first = await startRelease(Buffer.from(former))
  const { page, context } = await openPage({ person, expected: /ERR_|503|Failed to (fetch|load)/ })
  await page.goto('/meetings')
  await waitForWorker(page)
  await page.evaluate(async () => void (await caches.open('of-an-earlier-release')))
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('banner').filter({ hasText: 'Former release' }).waitFor()
  await first.close()
  await startRelease(site.serviceWorker)
  await context.setOffline(false)
  await page.locator('#content').waitFor()
  let loads = 0
  page.on('load', () => loads++)
  // A browser looks for a new worker by itself after a navigation.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    while (registration.installing !== null || registration.waiting !== null) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  await page.waitForFunction(async () => (await caches.keys()).length === 0)
  assert.equal(loads, 0)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  assert.equal(await page.getByRole('banner').textContent(), 'Parley')
})
