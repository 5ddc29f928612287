import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'

/**
 * node scripts/write-pictures.ts: write the pictures of the README, of the demo in a browser: the calendar in light and
 * dark, and a call of four people.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'docs/pictures')
const size = { width: 1280, height: 800 }
/** GitHub shows the README at about this many pixels, and phones load it, too. */
const maxBytes = 150_000

const dataDir = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
const port = 3_900
const base = `http://localhost:${port}`
const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), BASE_URL: base, MEDIA_UDP_PORT: '0' }
const demo = spawn(process.execPath, ['scripts/demo.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
const password = await new Promise<string>((resolve, reject) => {
  createInterface(demo.stdout).on('line', (line) => {
    const found = /password (\S+) as$/.exec(line)?.[1]
    if (found !== undefined) resolve(found)
  })
  demo.once('exit', () => reject(new Error('The demo has ended')))
})

async function openAs(browser: Browser, name: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  })
  const page = await context.newPage()
  await page.goto(`${base}/sign-in`)
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  return page
}

async function write(page: Page, name: string) {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
  const path = join(folder, `${name}.webp`)
  await writeFile(path, Buffer.from(data, 'base64'))
  const { size: bytes } = await stat(path)
  if (bytes > maxBytes) throw new Error(`${path} has ${bytes} bytes, and ${maxBytes} are the limit`)
  console.log(`${relative(root, path)} ${bytes}`)
}

async function writeCalendars(browser: Browser) {
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openAs(browser, 'alice', scheme)
    await page.goto(`${base}/calendar`)
    await page.getByText('Stand-up').nth(5).waitFor()
    await page.getByRole('button', { name: 'Next month' }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    await write(page, `calendar-${scheme}`)
    await page.context().close()
  }
}

async function writeRoom(browser: Browser) {
  const host = await openAs(browser, 'alice')
  await host.goto(`${base}/meetings`)
  const answer = await host.request.get(`${base}/api/meeting/me?past=false&limit=200`)
  const { meetingDetails } = await answer.json()
  const running = meetingDetails.find(({ topic }: { topic: string }) => topic === 'Design review') ?? meetingDetails[0]
  const pages = [host]
  for (const name of ['bob', 'carol', 'dan']) pages.push(await openAs(browser, name))
  for (const page of pages) {
    await page.goto(running.meetingUrl)
    await page.getByRole('button', { name: 'Join now' }).click()
    // The fake camera shows a test pattern; portraits look like people.
    await page.getByRole('button', { name: 'Stop video' }).first().click()
  }
  await pages[1]?.getByRole('button', { name: 'Raise hand' }).click()
  await host.waitForTimeout(3_000)
  await write(host, 'room')
}

await mkdir(folder, { recursive: true })
const browser = await launchBrowser({ fakeDevices: true })
try {
  await writeCalendars(browser)
  await writeRoom(browser)
} finally {
  await browser.close()
  const ended = new Promise((resolve) => demo.once('exit', resolve))
  demo.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
}
