import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { decide, done, meetDevelopers, misleading, submit } from '../apps/server/test/apps.ts'
import { standUp } from '../apps/server/test/people.ts'
import type { TestApp } from '../apps/server/test/start-app.ts'
import { between, hourMs, scheduleQuietly } from './meetings.ts'
import { setStage } from './visit.ts'

const english = join(import.meta.dirname, '../apps/web/src/texts/en')
const phone = { width: 360, height: 800 }

/** Every key of the texts that has a point in it: `filter.search`. One without reads like a word. */
async function keysOfTexts(): Promise<string[]> {
  const keysIn = (texts: object, before = ''): string[] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [before + key] : keysIn(Object(value), `${before}${key}.`),
    )
  const files = await Promise.all(
    globSync('*.json', { cwd: english }).map((file) => readFile(join(english, file), 'utf8')),
  )
  return files.flatMap((file) => keysIn(JSON.parse(file))).filter((key) => key.includes('.'))
}

const speak = (context: BrowserContext, language: string) =>
  context.addInitScript((code) => localStorage.setItem('parley-language', code), language)

/** What is cut off on a page, stands out of it, or is a key where a text should be. */
async function faultsOf(page: Page, keys: readonly string[]): Promise<string[]> {
  return page.evaluate((known) => {
    const faults: string[] = []
    const tooWide = document.documentElement.scrollWidth - innerWidth
    if (tooWide > 0) faults.push(`${tooWide} pixels too wide`)
    const names = new Set(known.flatMap((key) => [key, key.replace(/_(one|other)$/, '')]))
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (text === '' || element === null || element.closest('pre, code, script, style') !== null) continue
      if (names.has(text.replace(/^[a-z-]+:/i, ''))) faults.push(`a key: ${text}`)
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = overflowX !== 'visible' && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      // What ends in an ellipsis, or can be scrolled, is meant to.
      if (isCut && textOverflow !== 'ellipsis' && !['auto', 'scroll'].includes(overflowX)) faults.push(`cut: ${text}`)
    }
    return faults
  }, keys)
}

/** Somebody with one of everything, who may see every page. */
async function furnish(app: TestApp) {
  const { olga, dan } = await meetDevelopers(app)
  const meeting = await scheduleQuietly(
    olga,
    standUp({ ...between(hourMs, 2 * hourMs), repeatOptions: { repeat: 'daily', timeZone: 'Asia/Kolkata' } }),
  )
  const waiting = await submit(dan)
  const own = await submit(olga, { name: 'Olga’s planner' })
  const rejected = await submit(dan, { name: 'Another one' })
  await done(decide(olga, rejected, 'rejected', misleading))
  await app.mails()
  const one = `/meetings/${meeting._id}`
  return {
    olga,
    waiting,
    forAnybody: ['/sign-in', '/sign-up', '/reset-password', `/j/${meeting.svcMeetId}`],
    signedIn: [
      ...['/meetings', one, `${one}/edit`, '/meetings/new', '/calendar', '/calendar?view=month', '/calendar?view=week'],
      ...['/profile', '/security', '/connected-apps', '/developers', '/developers/new', `/developers/${own._id}`],
      ...[`/developers/${own._id}?view=credentials`, `/developers/${own._id}/edit`, '/reviews'],
      ...[`/reviews/${waiting._id}`, '/administration/accounts', '/administration/apps', '/administration/audit-log'],
    ],
  }
}

async function faultsOfPages(page: Page, addresses: readonly string[], keys: readonly string[]) {
  const faults: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    faults.push(...(await faultsOf(page, keys)).map((fault) => `${address}: ${fault}`))
  }
  return faults
}

test('texts that are longer by a third fit on a phone, and no page shows a key', async () => {
  const { app, visit } = await setStage()
  const { olga, forAnybody, signedIn } = await furnish(app)
  const keys = await keysOfTexts()
  const guest = await visit({ viewport: phone, expected: /status of 401/ })
  await speak(guest.context, 'en-XA')
  const hers = await visit({ person: olga, viewport: phone })
  await speak(hers.context, 'en-XA')
  const faults = [
    ...(await faultsOfPages(guest.page, forAnybody, keys)),
    ...(await faultsOfPages(hers.page, signedIn, keys)),
  ]
  assert.deepEqual(faults, [])
  assert.equal(await hers.page.evaluate(() => document.documentElement.lang), 'en-XA')
})

test('no page is too wide for a phone in Arabic', async () => {
  const { app, visit } = await setStage()
  const { olga, waiting, forAnybody, signedIn } = await furnish(app)
  const guest = await visit({ viewport: phone, expected: /status of 401/ })
  await speak(guest.context, 'ar')
  const hers = await visit({ person: olga, viewport: phone })
  await speak(hers.context, 'ar')
  const faults = [
    ...(await faultsOfPages(guest.page, forAnybody, [])),
    ...(await faultsOfPages(hers.page, signedIn, [])),
  ]
  await hers.page.goto(`/reviews/${waiting._id}`)
  await hers.page.getByRole('button', { name: 'رفض', exact: true }).click()
  await hers.page.getByRole('dialog').getByRole('textbox').fill('سبب طويل '.repeat(40))
  faults.push(...(await faultsOf(hers.page, [])).map((fault) => `the dialog of a refusal: ${fault}`))
  assert.deepEqual(faults, [])
  assert.equal(await hers.page.evaluate(() => document.documentElement.dir), 'rtl')
})
