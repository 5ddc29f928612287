import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { buildWebWhenStale } from '../scripts/build-web.ts'
import { freePorts } from '../test/helpers/free-port.ts'
import { median, ms, printTable } from './figures.ts'
import { type InstanceFixture, startInstance } from './fixture.ts'
import { benchInteractions, type Step } from './interactions.ts'
import { insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'

const turnCount = 5
/** How much slower a cheap phone is than a developer's machine. */
const throttle = 4
/** One in a hundred of these is in the future, which fills a page of the list. */
const meetingCount = 2_000
/** A larger element may be painted after the list. */
const quietMs = 500
/** A page fetches the rest of its frame in this time, and then follows a stream. */
const laterMs = 3_000
/** Ten dates on each day of the calendar. */
const dailySeries = 10
const desktop = { width: 1280, height: 800 }
const phone = { width: 360, height: 800 }

type Load = { largestPaintMs: number; scriptBytes: number; allBytes: number; files: number }
type Bench = { fixture: InstanceFixture; browser: Browser; origin: string }

/**
 * Measure the pages as they are felt on a slow machine: how long a phone with an empty cache takes to show /meetings,
 * and how long the calendar and a room take to answer an input.
 */
export async function benchWeb(started: AsyncDisposableStack) {
  await buildWebWhenStale()
  // Pages may connect to the media engine at the address of the service only.
  const [port = 0] = await freePorts(1)
  const origin = `http://localhost:${port}`
  const fixture = await startInstance(started, { PORT: String(port), BASE_URL: origin })
  const browser = await launchBrowser({ fakeDevices: true })
  started.defer(() => browser.close())
  const bench = { fixture, browser, origin }
  const administrator = await signUp(fixture, 'administrator')
  const reader = await signUp(fixture, 'reader')
  for (const [at, host] of [administrator, reader].entries()) {
    const firstCode = 5_000_000_000 + at * meetingCount
    await insertMeetings(fixture, { host, count: meetingCount, firstCode, guests: ['somebody@example.com'] })
  }
  await vacuumMeetings(fixture)
  await benchLoads(bench, 'an administrator, with the checklist', administrator)
  await benchLoads(bench, 'anyone else', reader)
  await benchCalendar(bench)
  await benchRoom(bench)
}

async function benchLoads(bench: Bench, who: string, person: Person) {
  const loads: Load[] = []
  // The first iteration warms the service up.
  for (let turn = 0; turn <= turnCount; turn++) loads.push(await loadMeetings(bench, person))
  const counted = loads.slice(1)
  const of = (name: keyof Load) => median(counted.map((load) => load[name]))
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`
  const paints = counted.map(({ largestPaintMs }) => ms(largestPaintMs)).join(', ')
  printTable(`/meetings of ${who}, on a phone ${throttle} times slower, nothing cached: medians of ${turnCount}`, [
    ['Measure', 'Median', 'Each'],
    ['largest contentful paint', ms(of('largestPaintMs')), `(${paints})`],
    ['JavaScript, compressed', kilobytes(of('scriptBytes')), ''],
    ['everything, compressed', kilobytes(of('allBytes')), `${of('files')} files`],
  ])
}

async function loadMeetings(bench: Bench, host: Person): Promise<Load> {
  const context = await openContext(bench, host, phone)
  try {
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

async function openContext({ browser, origin }: Bench, { token }: Person, viewport = desktop) {
  const context = await browser.newContext({ baseURL: origin, viewport, locale: 'en-GB', timezoneId: 'UTC' })
  await context.addCookies([{ name: 'parley_session', value: token, url: origin, httpOnly: true }])
  return context
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

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const chooseItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true }).click()
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name, level: 2 })

/** A month in which every week is as full as the next one. */
const firstDay = '2030-01-01'

async function benchCalendar(bench: Bench) {
  const host = await signUp(bench.fixture, 'calendar')
  for (let hour = 8; hour < 8 + dailySeries; hour++) {
    const at = (minutes: string) => `${firstDay}T${String(hour).padStart(2, '0')}:${minutes}:00Z`
    const repeatOptions = { repeat: 'daily', interval: 1, endDate: '2030-03-31T23:59:59Z', timeZone: 'Europe/London' }
    await schedule(bench, host, { topic: `Review ${hour}`, startTime: at('00'), endTime: at('30'), repeatOptions })
  }
  const date = (page: Page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: /Review 8$/ })
      .nth(2)
  const show = (view: string) => (page: Page) => page.getByRole('radiogroup').getByText(view, { exact: true }).click()
  const steps: Step[] = [
    ['show the month', async (page) => show('Month')(page).then(() => heading(page, /^January 2030$/).waitFor())],
    ['next month', async (page) => clickButton(page, 'Later').then(() => heading(page, /^February 2030$/).waitFor())],
    ['open a date', (page) => date(page).click()],
    ['close it', (page) => page.keyboard.press('Escape')],
    [
      'begin a meeting on a day',
      (page) => page.getByRole('button', { name: /^Thursday,? 14 .*: schedule/ }).press('Enter'),
    ],
    ['type its topic', (page) => page.keyboard.type('Kick-off', { delay: 100 })],
    ['close that', (page) => page.keyboard.press('Escape')],
    ['drag a date to the next day', async (page) => drag(page, await boxOf(date(page)), 1, 0)],
    ['leave it there', closeDialog],
    ['show the week', show('Week')],
    ['next week', (page) => clickButton(page, 'Later')],
    ['drag a date down', async (page) => drag(page, await boxOf(date(page)), 0, 3)],
    ['leave it there again', closeDialog],
    ['show the day', show('Day')],
    ['next day', (page) => clickButton(page, 'Later')],
    ['show the agenda', show('Agenda')],
  ]
  await benchInteractions({
    title: `The calendar with ${dailySeries} dates a day, ${throttle} times slower`,
    openContext: () => openContext(bench, host),
    async open(context) {
      const page = await throttledPage(context)
      await page.goto(`/calendar?view=week&date=${firstDay}`)
      await date(page).waitFor()
      await page.waitForTimeout(laterMs)
      return page
    },
    steps,
  })
}

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error(`${locator} is not shown`)
  return box
}

/** Drag by widths and heights of the element, and wait for the question that follows. */
async function drag(page: Page, { x, y, width, height }: Box, right: number, down: number) {
  const [fromX, fromY] = [x + width / 2, y + height / 2]
  await page.mouse.move(fromX, fromY)
  await page.mouse.down()
  await page.mouse.move(fromX + right * width, fromY + down * height, { steps: 10 })
  await page.mouse.up()
  await page.getByRole('dialog').waitFor()
}

async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

async function benchRoom(bench: Bench) {
  const [host, other] = [await signUp(bench.fixture, 'host'), await signUp(bench.fixture, 'other')]
  const [startTime, endTime] = [-5, 55].map((minutes) => new Date(Date.now() + minutes * 60_000).toISOString())
  const { svcMeetId, pin } = await schedule(bench, host, {
    topic: 'Stand-up',
    startTime,
    endTime,
    repeatOptions: { repeat: 'none', timeZone: 'Europe/London' },
  })
  const link = `/j/${svcMeetId}#pin=${pin}`
  const enter = async (page: Page) => {
    await clickButton(page, 'Join now')
    await page.getByRole('button', { name: 'Leave', exact: true }).waitFor()
  }
  // The media engine starts with the first participant.
  const send = { method: 'POST', headers: headersOf(host), body: JSON.stringify({ pin }) }
  while ((await fetch(`${bench.origin}/api/rooms/${svcMeetId}/enter`, send)).status === 503) await sleep(200)
  await using others = await openContext(bench, other)
  const theirs = await others.newPage()
  await theirs.goto(link)
  await enter(theirs)
  const steps: Step[] = [
    ['join', enter],
    ['mute', (page) => clickButton(page, 'Mute')],
    ['unmute', (page) => clickButton(page, 'Unmute')],
    ['stop the video', (page) => clickButton(page, 'Stop video')],
    ['start the video', (page) => clickButton(page, 'Start video')],
    ['open the people', (page) => clickButton(page, 'People')],
    ['open the chat', (page) => clickButton(page, 'Chat')],
    ['type', (page) => page.keyboard.type('Good morning', { delay: 100 })],
    ['send', (page) => page.keyboard.press('Enter')],
    ['open the menu', (page) => clickButton(page, 'More')],
    ['speaker view', (page) => chooseItem(page, 'Speaker view')],
    ['gallery view', async (page) => clickButton(page, 'More').then(() => chooseItem(page, 'Gallery view'))],
    ['raise the hand', (page) => clickButton(page, 'Raise hand')],
    ['lower the hand', (page) => clickButton(page, 'Lower hand')],
    ['open the reactions', (page) => clickButton(page, 'React')],
    ['react', (page) => chooseItem(page, 'Heart')],
    ['open the settings', async (page) => clickButton(page, 'More').then(() => chooseItem(page, 'Settings'))],
    ['close the settings', closeDialog],
  ]
  await benchInteractions({
    title: `A room of two with video, ${throttle} times slower`,
    openContext: () => openContext(bench, host),
    async open(context) {
      const page = await throttledPage(context)
      await page.goto(link)
      await page.getByLabel('Your camera', { exact: true }).waitFor()
      await page.waitForTimeout(laterMs)
      return page
    },
    steps,
  })
}

const headersOf = ({ token }: Person) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function schedule({ origin }: Bench, host: Person, fields: object): Promise<{ svcMeetId: string; pin: string }> {
  const response = await fetch(`${origin}/api/meeting?sendUpdates=none`, {
    method: 'POST',
    headers: headersOf(host),
    body: JSON.stringify({ description: '', participants: [], isPinEnabled: true, advancedOptions: {}, ...fields }),
  })
  if (!response.ok) throw new Error(`No meeting: ${await response.text()}`)
  const { meetingDetails } = (await response.json()) as { meetingDetails: { svcMeetId: string; pin: string } }
  return meetingDetails
}
