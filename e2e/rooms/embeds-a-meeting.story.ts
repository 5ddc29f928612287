import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { appPath, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import { sendRequest } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { builtPages } from '../../scripts/build-web.ts'
import { checkPage } from '../check-page.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { app } = story
const { olga, dan: alice, rita: dana } = await meetDevelopers(app)
const { baseUrl } = app.config

const page = await docsPage()

/** The page of docs/embedding.md, as its readers copy it. */
async function docsPage(): Promise<string> {
  const text = await readFile(new URL('../../docs/embedding.md', import.meta.url), 'utf8')
  const [, html] = /```html\n([\s\S]*?)```/.exec(text) ?? []
  assert.ok(html, 'docs/embedding.md has a page')
  return html
}

/** An app on an origin of its own: its page, and the endpoint of its server that gets tickets. */
async function startSite() {
  const answers = new Map<string, () => Promise<string>>()
  const server = createServer(async ({ url = '' }, response) => {
    const answer = answers.get(url.split('?')[0] ?? '')
    response.setHeader('content-type', url.startsWith('/ticket') ? 'application/json' : 'text/html; charset=utf-8')
    response.statusCode = answer === undefined ? 404 : 200
    response.end(await answer?.())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  // Another site than that of the service, so that the browser treats its frame as a third party’s.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, answers }
}

/** Alice hosts a meeting, and is at the page of Dana’s app. */
async function scene({ framed = true } = {}) {
  const site = await startSite()
  const other = await startSite()
  const planner = await approvedApp(app, dana, {
    embedOrigins: [site.origin],
    scopes: ['meeting:join', 'meeting:read'],
  })
  const meeting = await story.startMeeting(alice)
  const tokens = await tokensFor(app, planner, alice, { scopes: ['meeting:join', 'meeting:read'] })
  const newTicket = async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const path = `/api/rooms/${meeting.svcMeetId}/embed-tickets`
    return expectOk(sendRequest(app, 'POST', path, undefined, headers), 201)
  }
  const html = page
    .replaceAll('https://meet.example.org', baseUrl)
    .replaceAll('1234567890', meeting.svcMeetId)
    .replaceAll('app_planner', planner.clientId)
  for (const { answers } of [site, other]) {
    answers.set('/', async () => html)
    answers.set('/ticket', async () => JSON.stringify(await newTicket()))
  }
  const opened = framed
    ? await story.openPage({ expected: /favicon|status of 40[134]|frame-ancestors|Framing/ })
    : undefined
  return { site, other, planner, meeting, newTicket, html, ...opened }
}

const frameOf = (at: Page): FrameLocator => at.frameLocator('iframe')
const shown = (at: Page, text: string) => at.locator('#log').getByText(text).first().waitFor()

async function enterFrame(at: Page, origin: string) {
  await at.goto(origin)
  const frame = frameOf(at)
  await frame.getByRole('button', { name: 'Join now' }).click()
  await frame.getByRole('button', { name: /^Leave/ }).waitFor()
  return frame
}

test('the page of the documentation embeds a meeting, controls it, and hears of it', async () => {
  const { site, meeting, page: at, context } = await scene()
  assert.ok(at && context)
  await at.setViewportSize({ width: 360, height: 700 })
  await at.goto(site.origin)
  await frameOf(at).getByRole('button', { name: 'Join now' }).waitFor()
  await at.screenshot({ path: join(import.meta.dirname, '../screenshots/embedded-lobby.png') })
  await at.setViewportSize({ width: 1280, height: 720 })
  const frame = await enterFrame(at, site.origin)
  await shown(at, 'joined Dan Test')
  await at.getByRole('button', { name: 'Chat' }).click()
  await frame
    .getByRole('complementary')
    .or(frame.getByRole('region', { name: 'Chat' }))
    .first()
    .waitFor()
  await at.getByRole('button', { name: 'Microphone' }).click()
  await shown(at, '"microphone":false')
  await at.getByRole('button', { name: 'Microphone' }).click()
  await frame.getByText('This page turned your microphone on.').waitFor()
  await at.getByRole('button', { name: 'Raise hand' }).click()
  await shown(at, '"hand":true')
  // A click in the page around the frame counts.
  await at.getByRole('button', { name: 'Share screen' }).click()
  await shown(at, '"screen":true')
  await at.getByRole('button', { name: 'Share screen' }).click()
  await shown(at, '"screen":false,"hand":true')
  await at.getByRole('button', { name: 'Speaker view' }).click()
  await shown(at, '"layout":"speaker"')
  const { page: bob } = await story.openMeeting(meeting, 'Bob')
  await bob.getByRole('button', { name: 'Join now' }).click()
  await shown(at, 'joined: Bob')
  await at.screenshot({ path: join(import.meta.dirname, '../screenshots/embedded-meeting.png') })
  const cookies = await context.cookies()
  assert.deepEqual(cookies, [], 'the frame needs no cookie')
  const addresses = at.frames().map((each) => each.url())
  assert.ok(
    addresses.every((address) => !/emt_|oat_/.test(address)),
    addresses.join(),
  )
  await at.getByRole('button', { name: 'Leave', exact: true }).click()
  await shown(at, 'left')
  await frame.getByText('You left the meeting').waitFor()
})

/** As a browser that blocks the cookies of other sites, and their storage with them. */
function blockStorage() {
  if (window.parent === window) return
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
    const get = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(window, name, { get, configurable: true })
  }
}

test('suspending the app blanks the frame within a second', async (t) => {
  const { site, planner, page: at, context } = await scene()
  assert.ok(at && context)
  await context.addInitScript(blockStorage)
  const frame = frameOf(at)
  const address = appPath({ _id: planner.appId }, '/suspend')
  /** Suspend the app while the person is in the room. @returns how long the frame still showed it */
  const suspend = async () => {
    await enterFrame(at, site.origin)
    const began = performance.now()
    await expectOk(olga.send('POST', address, {}))
    await frame.getByText('The app may no longer show this meeting').waitFor()
    return performance.now() - began
  }
  // On a machine that is busy with other tests, the quickest of three.
  let elapsedMs = await suspend()
  for (let attempts = 1; attempts < 3 && elapsedMs >= 1_000; attempts++) {
    await expectOk(olga.send('POST', appPath({ _id: planner.appId }, '/resume'), {}))
    elapsedMs = Math.min(elapsedMs, await suspend())
  }
  t.diagnostic(`${elapsedMs.toFixed(0)} ms`)
  assert.ok(elapsedMs < 1_000, `${elapsedMs} ms`)
  assert.equal(await frame.locator('video').count(), 0)
  await shown(at, 'unauthorized')
  await at.reload()
  await at.waitForTimeout(500)
  assert.equal(await frame.locator('main').count(), 0, 'the browser refuses the frame')
})

test('no other origin gets the frame, and messages of other windows and origins change nothing', async () => {
  const { site, other, meeting, planner, newTicket, page: at } = await scene()
  assert.ok(at)
  await at.goto(other.origin)
  await at.waitForTimeout(500)
  assert.equal(await frameOf(at).locator('main').count(), 0)
  // A frame in a frame: the registered page, in a page that is not.
  other.answers.set('/nested', async () => `<iframe src="${site.origin}/" allow="camera *; microphone *"></iframe>`)
  await at.goto(`${other.origin}/nested`)
  await at.waitForTimeout(500)
  assert.equal(await at.frameLocator('iframe').frameLocator('iframe').locator('main').count(), 0)
  // A window of another origin that sends what the page would send.
  const { ticket } = await newTicket()
  const address = `${baseUrl}/embed/${meeting.svcMeetId}?clientId=${planner.clientId}`
  await at.goto(other.origin)
  const [popup] = await Promise.all([
    at.waitForEvent('popup'),
    at.evaluate((to) => void Object.assign(window, { opened: window.open(to) }), address),
  ])
  await popup.getByText('Open this meeting in its app').waitFor()
  const forged = { parley: 1, type: 'ticket', ticket }
  await at.evaluate((message) => Object(window).opened.postMessage(message, '*'), forged)
  await at.waitForTimeout(300)
  await popup.getByText('Open this meeting in its app').waitFor()
  await checkPage(popup, 'embedded-meeting-alone')
  for (const path of ['/', '/meetings', `/j/${meeting.svcMeetId}`, '/oauth2/authorize', '/docs']) {
    const { headers } = await fetch(baseUrl + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
  }
})

test('the script has at most 5 KB', async () => {
  const script = await readFile(join(builtPages, 'embed.js'))
  assert.ok(script.length <= 5 * 1024, `${script.length} bytes`)
})
