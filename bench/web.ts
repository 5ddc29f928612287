import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { median, ms, printTable } from './figures.ts'
import type { BenchFixture } from './fixture.ts'
import { insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'

const turnCount = 5
/** How much slower a cheap phone is than a developer's machine. */
const throttle = 4
/** One in a hundred of these is in the future, which fills a page of the list. */
const meetingCount = 2_000
/** A larger element may be painted after the list. */
const quietMs = 500

type Load = { largestPaintMs: number; scriptBytes: number; allBytes: number; files: number }

/** Measure how long a phone with an empty cache takes to show /meetings, and how much it transfers. */
export async function benchWeb(fixture: BenchFixture, started: AsyncDisposableStack) {
  const host = await signUp(fixture, 'reader')
  await insertMeetings(fixture, {
    host,
    count: meetingCount,
    firstCode: 5_000_000_000,
    guests: ['somebody@example.com'],
  })
  await vacuumMeetings(fixture)
  const browser = await launchBrowser()
  started.defer(() => browser.close())
  const loads: Load[] = []
  // The first iteration warms the service up.
  for (let turn = 0; turn <= turnCount; turn++) loads.push(await loadMeetings(fixture, browser, host))
  const counted = loads.slice(1)
  const of = (name: keyof Load) => median(counted.map((load) => load[name]))
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`
  const paints = counted.map(({ largestPaintMs }) => ms(largestPaintMs)).join(', ')
  printTable(`/meetings on a phone ${throttle} times slower, nothing cached: medians of ${turnCount}`, [
    ['Measure', 'Median', 'Each'],
    ['largest contentful paint', ms(of('largestPaintMs')), `(${paints})`],
    ['JavaScript, compressed', kilobytes(of('scriptBytes')), ''],
    ['everything, compressed', kilobytes(of('allBytes')), `${of('files')} files`],
  ])
}

async function loadMeetings({ parley }: BenchFixture, browser: Browser, host: Person): Promise<Load> {
  const origin = `http://127.0.0.1:${parley.port}`
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 360, height: 800 }, locale: 'en-GB' })
  try {
    await context.addCookies([{ name: 'parley_session', value: host.token, url: origin, httpOnly: true }])
    const page = await throttledPage(context)
    await page.goto('/meetings')
    await page.getByRole('main').getByRole('listitem').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(quietMs)
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

/** Evaluated in the page. `buffered` includes earlier paints. */
async function readLoad(): Promise<Load> {
  const paints = await new Promise<PerformanceEntryList>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const sizeOf = (resources: readonly PerformanceResourceTiming[]) =>
    resources.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  return {
    largestPaintMs: paints.at(-1)?.startTime ?? Number.NaN,
    scriptBytes: sizeOf(files.filter(({ name }) => name.endsWith('.js'))),
    allBytes: sizeOf(files),
    files: files.length,
  }
}
