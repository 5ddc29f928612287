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

test('the worker of a new release takes the place of the former one', async () => {
  const site = await readWebBuild(builtPages)
  assert.ok(site)
  const former = Buffer.from(site.serviceWorker).toString().replace('Parley</header>', 'Former release</header>')
  const { port } = new URL(app.config.baseUrl)
  await app.close()
  const start = (serviceWorker: Uint8Array) =>
    startApp({
      site: { ...site, serviceWorker },
      port: Number(port),
      environment: { BASE_URL: app.config.baseUrl },
    })
  const first = await start(Buffer.from(former))
  const { page, context } = await openPage({ person: await signUp(first, 'Alice'), expected })
  await page.goto('/meetings')
  await waitForWorker(page)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('banner').filter({ hasText: 'Former release' }).waitFor()
  await first.close()
  await start(site.serviceWorker)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // The browser looks for a new worker after the navigation.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    while (registration.installing !== null || registration.waiting !== null) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  assert.equal(await page.getByRole('banner').textContent(), 'Parley')
})
