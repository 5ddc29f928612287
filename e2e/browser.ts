import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The usual locations. CHROMIUM names another one. */
const defaultPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The path of the system's Chromium, otherwise of the one that `installChromium` installs.
 * @throws Error that says what to do when neither exists
 */
export function findChromium(): string {
  const own = process.env.CHROMIUM
  const found = [...(own === undefined ? [] : [own]), ...defaultPaths, chromium.executablePath()].find(existsSync)
  if (found !== undefined) return found
  throw new Error('There is no Chromium here. Run `npm run install-chromium`, or set CHROMIUM to the path of one.')
}

/** Without these, Chromium in a closed network keeps trying to reach its vendor's hosts. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** As root, Chromium runs only without its sandbox; the pages are our own. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/**
 * Two fake cameras with a moving clock at a low frame rate, so that tests measure the service and not the machine;
 * microphones that beep each second; a screen to share. Permissions are granted automatically.
 */
const withFakeDevices = [
  '--use-fake-device-for-media-stream=device-count=2,fps=5,display-media-type=monitor',
  '--use-fake-ui-for-media-stream',
]

export type BrowserOptions = { fakeDevices?: boolean }

export const launchBrowser = ({ fakeDevices = false }: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...asRoot, ...(fakeDevices ? withFakeDevices : [])],
  })

/** Call after each test: a participant who stays in a room keeps sending video, which slows the next test down. */
export const closePagesOf = (browser: Browser) => Promise.all(browser.contexts().map((context) => context.close()))

/** A download that takes longer has failed. */
const downloadLimitMs = 5 * 60_000

/** Install a Chromium where the machine has none: Playwright's, otherwise Debian's. */
export function installChromium(): void {
  try {
    findChromium()
    return
  } catch {
    // Chromium is not installed; install it.
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
