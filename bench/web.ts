import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { median, ms, printTable } from './figures.ts'
import { insertMeetings, type Person, settle, signUp } from './prepared-data.ts'
import type { Stage } from './stage.ts'

const turnCount = 5
/** As slow as a cheap phone, beside a developer's machine (issue 4). */
const throttle = 4
/** One in a hundred of these is ahead: a full page of the list. */
const meetingCount = 2_000
/** After the last of the list is drawn, something larger might still come. */
const settleMs = 500

type Load = { largestPaintMs: number; scriptBytes: number; allBytes: number; files: number }

/** How long somebody with a phone and an empty cache waits for their meetings, and what is transferred for it. */
export async function benchWeb(stage: Stage, started: AsyncDisposableStack) {
  const host = await signUp(stage, 'reader')
  await insertMeetings(stage, { host, count: meetingCount, firstCode: 5_000_000_000, guests: ['somebody@example.com'] })
  await settle(stage)
  const browser = await launchBrowser()
  started.defer(() => browser.close())
  const loads: Load[] = []
  // The first one warms the service up.
  for (let turn = 0; turn <= turnCount; turn++) loads.push(await loadMeetings(stage, browser, host))
  const counted = loads.slice(1)
  const of = (name: keyof Load) => median(counted.map((load) => load[name]))
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`
  const paints = counted.map(({ largestPaintMs }) => ms(largestPaintMs)).join(', ')
  printTable(`/meetings on a phone ${throttle} times slower, nothing cached: medians of ${turnCount}`, [
    ['largest contentful paint', ms(of('largestPaintMs')), `(${paints})`],
    ['JavaScript, compressed', kilobytes(of('scriptBytes')), ''],
    ['everything, compressed', kilobytes(of('allBytes')), `${of('files')} files`],
  ])
}

async function loadMeetings({ parley }: Stage, browser: Browser, host: Person): Promise<Load> {
  const origin = `http://127.0.0.1:${parley.port}`
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 360, height: 800 }, locale: 'en-GB' })
  try {
    await context.addCookies([{ name: 'parley_session', value: host.token, url: origin, httpOnly: true }])
    const page = await throttledPage(context)
    await page.goto('/meetings')
    await page.getByRole('main').getByRole('listitem').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(settleMs)
    return await page.evaluate(readLoad)
  } finally {
    await context.close()
  }
}

async function throttledPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  return page
}

/** Evaluated in the page. What was painted before somebody asks is kept for them. */
async function readLoad(): Promise<Load> {
  const paints = await new Promise<PerformanceEntryList>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const sizeOf = (some: readonly PerformanceResourceTiming[]) =>
    some.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  return {
    largestPaintMs: paints.at(-1)?.startTime ?? Number.NaN,
    scriptBytes: sizeOf(files.filter(({ name }) => name.endsWith('.js'))),
    allBytes: sizeOf(files),
    files: files.length,
  }
}
