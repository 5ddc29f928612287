import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Where systems keep it. Elsewhere: CHROMIUM names it. */
const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium of the machine, else the one that `installChromium` fetches; a sentence where neither is. */
export function findChromium(): string {
  const own = process.env.CHROMIUM
  const found = [...(own === undefined ? [] : [own]), ...usualPlaces, chromium.executablePath()].find(existsSync)
  if (found !== undefined) return found
  throw new Error('There is no Chromium here. Run `npm run install-chromium`, or set CHROMIUM to the path of one.')
}

/** Without these a Chromium in a closed network keeps on asking for its maker's hosts. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** As root Chromium runs only without its sandbox; the pages are our own. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/**
 * Two cameras that show a moving clock, seldom drawn, so that tests measure the service and not the machine; microphones
 * that beep each second; a screen to share. Nobody is asked whether they may.
 */
const withFakeDevices = [
  '--use-fake-device-for-media-stream=device-count=2,fps=10,display-media-type=monitor',
  '--use-fake-ui-for-media-stream',
]

export type BrowserOptions = { fakeDevices?: boolean }

export const launchBrowser = ({ fakeDevices = false }: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...asRoot, ...(fakeDevices ? withFakeDevices : [])],
  })

/** For after each test: whoever stays in a room goes on sending pictures, which costs the next test its processor. */
export const closePagesOf = (browser: Browser) => Promise.all(browser.contexts().map((context) => context.close()))

/** A download that takes longer will not come to an end. */
const downloadLimitMs = 5 * 60_000

/** Fetches a Chromium where the machine has none: Playwright's, else Debian's. */
export function installChromium(): void {
  try {
    findChromium()
    return
  } catch {
    // Then it is fetched.
  }
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'], {
      stdio: 'inherit',
      timeout: downloadLimitMs,
    })
  } catch {
    const sudo = asRoot.length > 0 ? [] : ['sudo']
    for (const words of [
      ['apt-get', 'update', '-q'],
      ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-q', '-y', 'chromium'],
    ]) {
      const [program = '', ...rest] = [...sudo, ...words]
      execFileSync(program, rest, { stdio: 'inherit' })
    }
  }
  findChromium()
}

if (import.meta.main) installChromium()
