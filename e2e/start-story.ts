import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { readWebBuild } from '../apps/server/src/web-app/web-app.ts'
import type { Person } from '../apps/server/test/people.ts'
import { startApp, type TestApp } from '../apps/server/test/start-app.ts'
import { buildWebWhenStale, builtPages } from '../scripts/build-web.ts'
import { type BrowserOptions, launchBrowser } from './browser.ts'

export type OpenedPage = {
  page: Page
  context: BrowserContext
  /** The problems that the browser has reported: console errors, failed scripts, CSP violations. */
  browserErrors: string[]
}

export type Story = {
  app: TestApp
  browser: Browser
  /** A new browser context, signed in as this person or not at all. */
  openPage(options?: PageOptions): Promise<OpenedPage>
}

export type PageOptions = BrowserContextOptions & {
  person?: Person
  /** Errors that the story expects, because the browser logs each refused request. */
  expected?: RegExp
}

type Environment = Record<string, string>

type StoryOptions = BrowserOptions &
  Pick<
    NonNullable<Parameters<typeof startApp>[0]>,
    'media' | 'jobs' | 'emails' | 'outreach' | 'firstAccountPolicy' | 'clock' | 'fetchDocument'
  >

/**
 * Start the whole app with its pages on a separate database, and a browser. Everything is closed at the end of the file
 * or of the calling test, and any problem that the browser has reported fails it. `settings` may depend on the app's
 * address.
 */
export async function startStory(
  settings: Environment | ((baseUrl: string) => Promise<Environment>) = {},
  { fakeDevices = false, ...appOptions }: StoryOptions = {},
): Promise<Story> {
  await buildWebWhenStale()
  const site = await readWebBuild(builtPages)
  if (site === undefined) throw new Error('The pages were not built.')
  const { browser, openPageAt, expectNoErrors } = await openBrowser({ fakeDevices })
  const port = await freePort()
  // Pages call their own origin, and links in mails must have the address that the browser can open.
  const baseUrl = `http://localhost:${port}`
  const environment = typeof settings === 'function' ? await settings(baseUrl) : settings
  const app = await startApp({ ...appOptions, site, port, environment: { BASE_URL: baseUrl, ...environment } })
  // After the app's own clean-up: Node runs no further hook after one that failed, and an app left open keeps the
  // process running.
  after(expectNoErrors)
  return { app, browser, openPage: (options) => openPageAt(app.config.baseUrl, options) }
}

/**
 * Start a browser, which is closed at the end of the file or of the calling test. `openPageAt` opens a new context at a
 * service, signed in or not; `expectNoErrors` fails for any problem that the browser has reported.
 */
export async function openBrowser(options: BrowserOptions = {}) {
  const browser = await launchBrowser(options)
  const openedPages: (OpenedPage & { expected: RegExp | undefined })[] = []
  // Before an app's own clean-up, which throws for an unread mail: a browser left open would keep the process running.
  after(() => browser.close())

  function expectNoErrors() {
    const browserErrors = openedPages.flatMap(({ browserErrors: all, expected }) =>
      all.filter((one) => !expected?.test(one)),
    )
    assert.deepEqual(browserErrors, [], 'errors in the browser')
  }

  async function openPageAt(
    baseUrl: string,
    { person, expected, ...contextOptions }: PageOptions = {},
  ): Promise<OpenedPage> {
    const context = await browser.newContext({
      baseURL: baseUrl,
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      reducedMotion: 'reduce',
      ...contextOptions,
    })
    if (person !== undefined) {
      await context.addCookies([{ name: 'parley_session', value: person.token, url: baseUrl, httpOnly: true }])
    }
    const browserErrors = await collectBrowserErrors(context)
    const page = await context.newPage()
    openedPages.push({ page, context, browserErrors, expected })
    return { page, context, browserErrors }
  }
  return { browser, openPageAt, expectNoErrors }
}

async function collectBrowserErrors(context: BrowserContext): Promise<string[]> {
  const browserErrors: string[] = []
  await context.exposeBinding('reportViolation', (_source, violation: string) => void browserErrors.push(violation))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      Object(globalThis).reportViolation(`policy: ${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      browserErrors.push(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (failed) => browserErrors.push(`script: ${failed.error().stack || failed.error().message}`))
  return browserErrors
}

/** A port that is free at this moment: the address must be known before the app starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
