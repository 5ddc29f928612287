import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { setUpCodeOf } from '../../apps/server/src/accounts/set-up.ts'
import { createEncryption } from '../../apps/server/src/platform/encryption.ts'
import { launchBrowser } from '../../e2e/browser.ts'
import { between, hourMs, minuteMs } from '../../e2e/meetings/meetings.ts'
import { buildWebWhenStale } from '../../scripts/build-web.ts'
import { freePorts } from '../../test/free-port.ts'
import { type Livekit, startLivekit } from '../../test/livekit/livekit.ts'
import { findLivekit } from '../../test/livekit/livekit-program.ts'
import { median, ms, printTable } from '../figures.ts'
import { makeFolder } from '../fixture.ts'
import { familyOf, startProcess } from '../processes.ts'

const turnCount = 5
/** Until both participants see each other and the bandwidth estimate has grown. */
const quietMs = 3_000
const waitLimitMs = 90_000

type Setting = { baseUrl: string; browser: Browser; context: BrowserContext; link: string; killEngine(): Promise<void> }

/**
 * Measure the room page: the time from the click to the first video frame, and the interruption when the engine dies.
 */
export async function benchRoomVisits() {
  await buildWebWhenStale()
  const rows: string[][] = [
    ['', `click to first frame, median of ${turnCount}`, 'each', 'video frozen when the engine is killed'],
  ]
  for (const name of ['embedded', 'LiveKit, two nodes'] as const) {
    if (name !== 'embedded' && findLivekit() === undefined) continue
    await using started = new AsyncDisposableStack()
    const setting = await setUp(name !== 'embedded', started)
    const host = await openLobby(setting, setting.context)
    await host.getByRole('button', { name: 'Join now' }).click()
    const waits: number[] = []
    for (let turn = 0; turn < turnCount; turn++) waits.push(await joinAsGuest(setting))
    const stillMs = await measureRecovery(setting)
    rows.push([name, ms(median(waits)), waits.map(ms).join(', '), ms(stillMs)])
  }
  printTable('A visit to a room, in Chromium with a fake camera', rows)
}

/** Start one engine, and sign in a host with a meeting that has begun. */
async function setUp(withLivekit: boolean, started: AsyncDisposableStack): Promise<Setting> {
  const [port = 0] = await freePorts(1)
  const baseUrl = `http://localhost:${port}`
  const livekit = withLivekit ? await startLivekit({ webhookUrl: `${baseUrl}/media/events`, nodes: 2 }) : undefined
  if (livekit !== undefined) started.use(livekit)
  const secretKey = randomBytes(32)
  const parley = await startProcess('apps/server/src/main.ts', {
    PORT: `${port}`,
    SECRET_KEY: secretKey.toString('hex'),
    BASE_URL: baseUrl,
    DATA_DIR: await makeFolder(started),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...livekit?.environment,
  })
  started.defer(() => parley.stop())
  const send = async (path: string, token: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const person = {
    email: 'host@example.org',
    password: 'correct horse battery staple',
    name: 'Alice',
    lname: 'Host',
    setUpCode: setUpCodeOf(createEncryption(secretKey)),
  }
  const { token } = await send('/api/auth/sign-up', '', person)
  const { meetingDetails } = await send('/api/meeting?sendUpdates=none', token, {
    topic: 'Bench',
    description: '',
    participants: [],
    isPinEnabled: true,
    advancedOptions: {},
    ...between(5 * minuteMs, hourMs),
    repeatOptions: { repeat: 'none', timeZone: 'UTC' },
  })
  const browser = await launchBrowser({ fakeDevices: true })
  started.defer(() => browser.close())
  const context = await openContext(browser, baseUrl)
  await context.addCookies([{ name: 'parley_session', value: token, url: baseUrl, httpOnly: true }])
  const link = `/j/${meetingDetails.svcMeetId}#pin=${meetingDetails.pin}`
  const killEngine = () => (livekit === undefined ? killEmbedded(parley.pid) : killNodeWithRoom(livekit))
  return { baseUrl, browser, context, link, killEngine }
}

async function openContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, locale: 'en-GB' })
  await context.addInitScript(recordFrames)
  return context
}

async function openLobby({ link }: Setting, context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(link)
  return page
}

/** Join as a guest, wait for the host's video, and leave. */
async function joinAsGuest(setting: Setting): Promise<number> {
  const context = await openContext(setting.browser, setting.baseUrl)
  try {
    return await waitForHostVideo(await openLobby(setting, context))
  } finally {
    await context.close()
  }
}

async function waitForHostVideo(page: Page): Promise<number> {
  await page.getByRole('textbox', { name: 'Your name' }).fill('Gita')
  await page.getByRole('button', { name: 'Join now' }).click()
  await page.waitForFunction(() => watched.frames.length > 0, null, { timeout: waitLimitMs })
  return page.evaluate(() => (watched.frames[0]?.atMs ?? Number.NaN) - watched.clickedMs)
}

/** @returns milliseconds from the last frame before the engine's end to the first frame on the next connection */
async function measureRecovery(setting: Setting): Promise<number> {
  const context = await openContext(setting.browser, setting.baseUrl)
  try {
    const page = await openLobby(setting, context)
    await waitForHostVideo(page)
    await sleep(quietMs)
    const before = await page.evaluate(() => ({
      track: watched.frames.at(-1)?.track,
      count: watched.frames.length,
    }))
    await setting.killEngine()
    await page.waitForFunction(
      ({ track, count }) => watched.frames.length > count && watched.frames.at(-1)?.track !== track,
      before,
      { timeout: waitLimitMs },
    )
    return await page.evaluate(({ track, count }) => {
      const first = watched.frames.find((frame, at) => at >= count && frame.track !== track)
      const last = watched.frames.findLast((frame) => frame.track === track)
      return (first?.atMs ?? Number.NaN) - (last?.atMs ?? Number.NaN)
    }, before)
  } finally {
    await context.close()
  }
}

async function killEmbedded(parleyPid: number): Promise<void> {
  for (const pid of await familyOf(parleyPid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('src/media/main.ts')) return void process.kill(pid, 'SIGKILL')
  }
  throw new Error('Found no engine to kill.')
}

async function killNodeWithRoom({ nodes }: Livekit): Promise<void> {
  for (const node of nodes) {
    if ((await node.count('room_total', 'SERVER')) > 0) return node.process.kill()
  }
  throw new Error('Found no node with a room to kill.')
}

type Watched = { clickedMs: number; frames: { atMs: number; track: string | undefined }[] }

declare global {
  var watched: Watched
}

/** Runs in the page. Record the time of the first click, and of each frame of the host's camera. */
function recordFrames() {
  globalThis.watched = { clickedMs: 0, frames: [] }
  document.addEventListener(
    'click',
    () => {
      watched.clickedMs ||= performance.now()
    },
    true,
  )
  const known = new WeakSet<HTMLVideoElement>()
  function watch(video: HTMLVideoElement) {
    known.add(video)
    const next = () =>
      video.requestVideoFrameCallback((shownMs) => {
        const [track] = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : []
        watched.frames.push({ atMs: shownMs, track: track?.id })
        next()
      })
    next()
  }
  setInterval(() => {
    for (const video of document.querySelectorAll<HTMLVideoElement>('video[aria-label="Camera of Alice Host"]')) {
      if (!known.has(video)) watch(video)
    }
  }, 10)
}
