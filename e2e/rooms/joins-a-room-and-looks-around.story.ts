import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage, violations } from '../check-page.ts'
import { perceives, perceivesNothing, receivedBy } from '../media/perception.ts'
import { until } from '../media/start-media-story.ts'
import { clickWhereSeen, isInSight } from '../real-input.ts'
import { linkOf, startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, alice)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const inList = (page: Page, list: string, name: string) => page.getByRole('list', { name: list }).getByText(name)

/** The share of the stage that an element covers, from 0 to 1. */
const shareOfStage = (page: Page, list: string) =>
  page.evaluate((label) => {
    const area = (selector: string) => {
      const { width = 0, height = 0 } = document.querySelector(selector)?.getBoundingClientRect() ?? {}
      return width * height
    }
    return area(`ul[aria-label="${label}"]`) / area('section[aria-label="Meeting"]')
  }, list)

test('the stage shows a hint to one participant, the other person large to two, equal tiles to three, and a pinned tile large', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: hers, context } = await story.openMeeting(meeting, alice)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await clickWhereSeen(button(hers, 'Join now'))
  await hers.getByRole('heading', { name: 'You’re the only one here' }).waitFor()
  await clickWhereSeen(button(hers, 'Copy: Meeting link'))
  const link = new URL(linkOf(meeting), hers.url()).href
  assert.equal(await hers.evaluate(() => navigator.clipboard.readText()), link)
  await checkPage(hers, 'room-alone')

  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await inList(hers, 'Main view', 'Bob Test').waitFor()
  await inList(hers, 'You', 'Alice Test (you)').waitFor()
  for (const size of [
    { width: 1280, height: 900 },
    { width: 360, height: 640 },
  ]) {
    await hers.setViewportSize(size)
    await until(async () => (await shareOfStage(hers, 'Main view')) > 0.9, 'the other fills the stage')
    assert.ok((await shareOfStage(hers, 'You')) < 0.1, 'oneself is small')
    await isInSight(hers.locator('ul[aria-label="Main view"] li > div').first())
  }
  await hers.setViewportSize({ width: 1280, height: 900 })

  const phone = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }
  const { page: gitas } = await story.openMeeting(meeting, 'Gita', phone)
  await button(gitas, 'Join now').tap()
  await inList(hers, 'Participants', 'Gita').waitFor()
  assert.equal(await hers.getByRole('list', { name: 'Main view' }).count(), 0)
  await hers.locator('li[data-person]', { hasText: 'Gita' }).hover()
  await clickWhereSeen(button(hers, 'Pin Gita'))
  await inList(hers, 'Main view', 'Gita').waitFor()
  await checkPage(hers, 'room-pinned')
  // A shared screen does not replace a pinned tile.
  await clickWhereSeen(button(bobs, 'Share screen'))
  await bobs.getByText('You’re sharing your screen').waitFor()
  await inList(hers, 'Participants', 'Bob Test’s screen').waitFor()
  await tapsOnAPhone(gitas)
  await clickWhereSeen(button(hers, 'Unpin Gita'))
  await inList(hers, 'Main view', 'Bob Test’s screen').waitFor()

  // Only the tiles of the page in sight are received.
  await clickWhereSeen(button(bobs, 'Stop sharing').first())
  await inList(hers, 'Main view', 'Bob Test’s screen').waitFor({ state: 'detached' })

  // A host puts people in front for everyone, and what a person pins comes before them.
  await button(hers, 'People').click()
  for (const name of ['Gita', 'Bob Test']) {
    await button(hers, `Actions for ${name}`).click()
    await hers.getByRole('menuitem', { name: 'Put in front for everyone' }).click()
    await inList(hers, 'Main view', name).waitFor()
  }
  await inList(bobs, 'Main view', 'Gita').waitFor()
  await bobs.getByText(/^Everyone else sees you in front\. In front for everyone: Gita \(guest\)\./).waitFor()
  await checkPage(hers, 'room-in-front')
  await bobs.getByText(/^Everyone else sees you in front/).waitFor({ state: 'detached' })
  await bobs.locator('li[data-person]', { hasText: 'Alice Test' }).hover()
  await clickWhereSeen(button(bobs, 'Pin Alice Test · Host'))
  await inList(bobs, 'Main view', 'Alice Test').waitFor()
  await inList(bobs, 'Participants', 'Gita').waitFor()
  await clickWhereSeen(button(bobs, 'Unpin Alice Test · Host'))
  await inList(bobs, 'Main view', 'Gita').waitFor()
  await button(hers, 'No longer in front').click()
  for (const page of [hers, bobs]) await page.getByRole('list', { name: 'Main view' }).waitFor({ state: 'detached' })
  await button(hers, 'People').click()
  await clickWhereSeen(button(hers, 'More'))
  await clickWhereSeen(hers.getByRole('menuitem', { name: 'Layout' }))
  await hers.getByRole('switch', { name: 'Hide self view' }).press('Space')
  await inList(hers, 'Participants', 'Alice Test (you)').waitFor({ state: 'detached' })
  await checkPage(hers, 'room-layout')
  await hers.keyboard.press('Escape')
  await hers.setViewportSize({ width: 320, height: 280 })
  await until(async () => (await picturesMoving(hers)) === 1, 'one picture of two arrives')
  // Who spoke last is on the first page, and every microphone beeps: the two may change places at any time.
  const seen = new Set<string>()
  await until(async () => {
    const [shown = '', ...more] = await hers.getByRole('list', { name: 'Participants' }).locator('li').allInnerTexts()
    assert.deepEqual(more, [], 'a page has one tile')
    for (const name of ['Bob Test', 'Gita']) if (shown.includes(name)) seen.add(name)
    if (seen.size < 2) await hers.getByRole('button', { name: /^(Next|Previous) page$/, disabled: false }).click()
    return seen.size === 2
  }, 'each page has one of two')
  await until(async () => (await picturesMoving(hers)) === 1, 'the other picture arrives alone')
  await hers.setViewportSize({ width: 1280, height: 900 })
  await until(async () => (await picturesMoving(hers)) === 2, 'both pictures arrive')

  await gitas.locator('[data-faded="true"]').waitFor()
  await gitas.touchscreen.tap(400, 195)
  await clickWhereSeen(button(gitas, 'Stop video'))
  await hers.keyboard.press('g')
  await clickWhereSeen(button(hers, 'More'))
  await clickWhereSeen(hers.getByRole('menuitem', { name: 'Layout' }))
  await hers.getByRole('radio', { name: 'Speaker view', checked: true }).waitFor()
  await hers.getByRole('radio', { name: 'Gallery view' }).check()
  await hers.getByRole('switch', { name: 'Hide people without video' }).press('Space')
  await hers.keyboard.press('Escape')
  // Her microphone beeps: the latest speaker is shown without video as well.
  await gitas.touchscreen.tap(400, 195)
  await clickWhereSeen(button(gitas, 'Mute'))
  await inList(hers, 'Main view', 'Bob Test').waitFor()
  await checkPage(hers, 'room-videoless-hidden')
  await clickWhereSeen(button(hers, 'Show'))
  await inList(hers, 'Participants', 'Gita').waitFor()
})

/** On a phone on its side, the bars fade and come back at a tap and by the keyboard; two taps enlarge a shared screen. */
async function tapsOnAPhone(page: Page): Promise<void> {
  const screen = page.getByRole('list', { name: 'Main view' }).locator('video')
  await screen.waitFor()
  const faded = page.locator('[data-faded="true"]')
  await faded.waitFor()
  await page.touchscreen.tap(300, 195)
  await faded.waitFor({ state: 'detached' })
  await isInSight(button(page, 'Leave'))
  await faded.waitFor()
  await button(page, 'Leave').focus()
  await faded.waitFor({ state: 'detached' })
  await isInSight(button(page, 'Leave'))
  const widthOf = async () => (await screen.boundingBox())?.width ?? 0
  const before = await widthOf()
  await page.touchscreen.tap(300, 195)
  await page.touchscreen.tap(300, 195)
  await until(async () => (await widthOf()) > 2 * before, 'the screen is enlarged')
  await button(page, 'Zoom out (arrow keys move the picture)').tap()
  await until(async () => (await widthOf()) <= before, 'the whole screen is shown')
}

/** Of how many pictures data arrives within a while. */
async function picturesMoving(page: Page): Promise<number> {
  const before = new Map((await receivedBy(page)).map(({ id, packets }) => [id, packets]))
  await page.waitForTimeout(1_500)
  const after = await receivedBy(page)
  return after.filter(({ id, kind, packets }) => kind === 'video' && packets > (before.get(id) ?? 0)).length
}

test('the large video and the whole call open in separate windows, and the room in full screen', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: hers, context } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(hers, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await perceives(hers, { pictures: 1 })
  await inList(hers, 'Main view', 'Bob Test').waitFor()
  await hers.locator('ul[aria-label="Main view"] li').hover()
  await clickWhereSeen(button(hers, 'Picture in picture'))
  await hers.waitForFunction(() => document.pictureInPictureElement?.getAttribute('aria-label') === 'Bob Test’s camera')
  await clickWhereSeen(button(hers, 'Picture in picture'))
  await hers.waitForFunction(() => document.pictureInPictureElement === null)

  await clickWhereSeen(button(hers, 'More'))
  const [small] = await Promise.all([
    context.waitForEvent('page'),
    clickWhereSeen(hers.getByRole('menuitem', { name: 'Call in a small window' })),
  ])
  await inList(small, 'Main view', 'Bob Test').waitFor()
  await small.waitForFunction(
    () => (document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 5,
  )
  await small.screenshot({ path: 'e2e/screenshots/room-small-window.png' })
  assert.deepEqual(await violations(small), [])
  await button(small, 'Mute').click()
  await bobs.locator('li', { hasText: 'Alice Test' }).getByRole('img', { name: 'Muted' }).waitFor()
  await button(small, 'Stop video').click()
  await button(hers, 'Start video').waitFor()
  // A host decides in the page what becomes of the call.
  await Promise.all([small.waitForEvent('close'), button(small, 'Leave').click()])
  await hers.getByRole('dialog', { name: 'Leave the meeting?' }).waitFor()
  await hers.keyboard.press('Escape')
  await clickWhereSeen(button(hers, 'Start video'))
  await devicesInACall(hers)

  await clickWhereSeen(button(hers, 'More'))
  await clickWhereSeen(hers.getByRole('menuitem', { name: 'Full screen' }))
  await hers.waitForFunction(() => document.fullscreenElement !== null)
  await isInSight(button(hers, 'Leave'))
  await hers.keyboard.press('f')
  await hers.waitForFunction(() => document.fullscreenElement === null)
})

/** Devices beside their buttons and in the settings, and what is said of them; the microphone is muted. */
async function devicesInACall(page: Page): Promise<void> {
  await clickWhereSeen(button(page, 'Choose camera'))
  await page.getByRole('menuitemradio').nth(1).click()
  await until(
    () => page.evaluate(() => localStorage.getItem('parley-room')?.includes('"camera"') === true),
    'the camera is kept',
  )
  await checkPage(page, 'room-device-menu')
  await page.keyboard.press('Escape')
  await clickWhereSeen(button(page, 'More'))
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Settings' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your camera', { exact: true }).waitFor()
  await dialog.getByRole('meter', { name: 'Microphone level' }).waitFor()
  await dialog.getByRole('button', { name: 'Test speaker' }).waitFor()
  await checkPage(page, 'room-settings')
  await page.keyboard.press('Escape')

  const setLevel = (level: number) =>
    page.evaluate((value) => {
      AnalyserNode.prototype.getFloatTimeDomainData = (samples) => void samples.fill(value)
    }, level)
  await setLevel(0.1)
  const notice = page.getByText('You’re muted. No one can hear you.')
  await notice.waitFor()
  await page.locator('[data-tone="request"]', { has: notice }).getByRole('button', { name: 'Unmute' }).click()
  await notice.waitFor({ state: 'detached' })
  await setLevel(0)
  await page.getByText('Your microphone sends no sound.').waitFor()
  await setLevel(0.1)
  await page.getByText('Your microphone sends no sound.').waitFor({ state: 'detached' })

  await page.evaluate(() => {
    const { enumerateDevices } = MediaDevices.prototype
    const headset = { kind: 'audioinput', deviceId: 'new', label: 'Headset', groupId: '', toJSON() {} } as const
    const list = async (plugged: boolean) => [
      ...(await enumerateDevices.call(navigator.mediaDevices)),
      ...(plugged ? [headset] : []),
    ]
    Object.assign(globalThis, {
      plug(plugged: boolean) {
        navigator.mediaDevices.enumerateDevices = () => list(plugged)
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
      },
    })
    Object(globalThis).plug(true)
  })
  await page.getByText('Headset is connected.').waitFor()
  await button(page, 'Use it').waitFor()
  await page.evaluate(() => Object(globalThis).plug(false))
  await page.getByText('Headset was disconnected.').waitFor()
}

test('a host stops a video and a shared screen; both can be started again', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(host, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await clickWhereSeen(button(bobs, 'Share screen'))
  await perceives(host, { pictures: 2, voices: 1 })
  await clickWhereSeen(button(host, 'People'))

  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await checkPage(host, 'room-host-actions')
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Stop screen sharing' }))
  await bobs.getByText('A host stopped your screen sharing.').waitFor()
  await button(bobs, 'Share screen').waitFor()
  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Stop video' }))
  await bobs.getByText('A host turned off your video.').waitFor()
  await button(bobs, 'Start video').waitFor()
  await perceivesNothing(host, 'video')
  await perceives(host, { voices: 1 })
  await checkPage(bobs, 'room-stopped-by-host')

  await clickWhereSeen(button(bobs, 'Start video'))
  await clickWhereSeen(button(bobs, 'Share screen'))
  await perceives(host, { pictures: 2, voices: 1 })
})

test('muted by the host, Bob leaves and joins again: through the lobby, and still muted', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(host, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await perceives(host, { pictures: 1, voices: 1 })
  await clickWhereSeen(button(host, 'People'))
  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Mute' }))
  await bobs.getByText('A host muted you.').waitFor()
  await clickWhereSeen(button(bobs, 'Stop video'))
  await clickWhereSeen(button(bobs, 'Leave'))
  await clickWhereSeen(button(bobs, 'Join again'))
  await button(bobs, 'Join now').waitFor()
  await button(bobs, 'Unmute').waitFor()
  await button(bobs, 'Start video').waitFor()
  await perceivesNothing(host, 'audio')
  // The focus is on the button, so that one key undoes it.
  await bobs.keyboard.press('Enter')
  await host.locator('li[data-person]', { hasText: 'Bob Test' }).waitFor()
  await button(bobs, 'Unmute').waitFor()
  await button(bobs, 'Start video').waitFor()
  await perceivesNothing(host, 'audio')
  await perceivesNothing(host, 'video')
})

/** How sharp the edges of the first video are: the mean square of the difference between neighbouring pixels. */
const sharpnessOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    if (video === null || video.videoWidth === 0) return undefined
    const { videoWidth: width, videoHeight: height } = video
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context?.drawImage(video, 0, 0)
    const { data } = context?.getImageData(0, 0, width, height) ?? { data: new Uint8ClampedArray() }
    let sum = 0
    // The green of two neighbouring pixels.
    for (let at = 1; at + 4 < data.length; at += 4) sum += ((data[at] ?? 0) - (data[at + 4] ?? 0)) ** 2
    return sum / (width * height)
  })

/** Record what becomes of the tracks that a page sends. */
const watchSentTracks = (context: BrowserContext) =>
  context.addInitScript(() => {
    const sent: string[] = []
    Object.assign(globalThis, { sent })
    const note = (track: MediaStreamTrack | string | null) => {
      if (track instanceof MediaStreamTrack) sent.push(`${track.kind} ${track.constructor.name}`)
    }
    const { replaceTrack } = RTCRtpSender.prototype
    RTCRtpSender.prototype.replaceTrack = function (track) {
      if (track?.readyState === 'live') note(track)
      return replaceTrack.call(this, track)
    }
    const { addTransceiver, addTrack } = RTCPeerConnection.prototype
    RTCPeerConnection.prototype.addTransceiver = function (track, init) {
      note(track)
      return addTransceiver.call(this, track, init)
    }
    RTCPeerConnection.prototype.addTrack = function (track, ...streams) {
      note(track)
      return addTrack.call(this, track, ...streams)
    }
  })

/** The worker that replaces backgrounds, on a machine that is never too slow for it, or that does not start. */
const routeWorker = (context: BrowserContext, state: 'never slow' | 'gone') =>
  context.route(/background-wasm-worker/, async (route) => {
    if (state === 'gone') return route.abort()
    const response = await route.fetch()
    await route.fulfill({ response, body: `performance.now = () => 0;${await response.text()}` })
  })

const videosSent = (page: Page) =>
  page.evaluate(() => Object(globalThis).sent.filter((track: string) => track.startsWith('video')))

test('a background from the lobby is in every picture that others get, and noise is reduced', async () => {
  const meeting = await story.startMeeting(alice)
  const { page, context } = await story.openMeeting(meeting, alice, { viewport: { width: 1280, height: 900 } })
  await watchSentTracks(context)
  await routeWorker(context, 'never slow')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await page.reload()
  await until(async () => ((await sharpnessOf(page)) ?? 0) > 0, 'the preview moves')
  const loaded = () => asked.filter((url) => /wasm|tflite|EffectFields|effect/.test(url))
  assert.deepEqual(
    loaded().filter((url) => !/\/effects-/.test(url)),
    [],
  )
  const raw = (await sharpnessOf(page)) ?? 0
  const isBlurred = (seen: Page) =>
    until(async () => ((await sharpnessOf(seen)) ?? raw) < raw / 4, 'the picture is blurred', 4)

  await clickWhereSeen(button(page, 'Background and noise'))
  const strong = page.getByRole('radio', { name: 'Strong blur' })
  await strong.check()
  await isBlurred(page)
  await page.getByRole('switch', { name: 'Reduce noise' }).press('Space')
  await checkPage(page, 'room-lobby-background')
  // By the keyboard, as any group of radio buttons.
  await strong.press('ArrowRight')
  await page.getByRole('radio', { name: 'Dusk', checked: true }).waitFor()
  await page.getByRole('radio', { name: 'Dusk' }).press('ArrowLeft')
  await isBlurred(page)
  await clickWhereSeen(button(page, 'Join now'))

  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await perceives(bobs, { pictures: 1 })
  await isBlurred(bobs)
  await clickWhereSeen(button(page, 'Stop video'))
  await clickWhereSeen(button(page, 'Start video'))
  await perceives(bobs, { pictures: 1 })
  await isBlurred(bobs)
  assert.deepEqual([...new Set(await videosSent(page))], ['video MediaStreamTrackGenerator'])
  await until(
    () =>
      page.evaluate(() =>
        Object(globalThis)
          .peers.flatMap((peer: RTCPeerConnection) => peer.getSenders())
          .some(({ track }: RTCRtpSender) => track?.label === 'MediaStreamAudioDestinationNode'),
      ),
    'the microphone is sent without its noise',
  )

  await clickWhereSeen(button(page, 'More'))
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Settings' }))
  await page.getByRole('radio', { name: 'Strong blur', checked: true }).waitFor()
  assert.ok(await page.getByRole('switch', { name: 'Reduce noise' }).isChecked())
  await page.getByRole('radio', { name: 'None' }).check()
  await until(async () => (await videosSent(page)).at(-1) === 'video MediaStreamTrack', 'the camera is sent as it is')
  await perceives(bobs, { pictures: 1 })
  const { origin } = new URL(page.url())
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(origin)),
    [],
  )
})

test('a camera whose background does not start stays off, and the page says why', async () => {
  const meeting = await story.startMeeting(alice)
  const { page, context } = await story.openMeeting(meeting, alice, { expected: /background-wasm-worker|ERR_FAILED/ })
  await watchSentTracks(context)
  await routeWorker(context, 'gone')
  await context.addInitScript(() => localStorage.setItem('parley-room', JSON.stringify({ background: 'dusk' })))
  await page.reload()
  await page.getByText('The background is off: it couldn’t be started.').waitFor()
  // In the lobby with the camera off, nothing has been started yet.
  await page.evaluate((code) => {
    sessionStorage.setItem(`parley-devices-${code}`, JSON.stringify({ microphone: false, camera: false }))
  }, meeting.svcMeetId)
  await page.reload()
  await clickWhereSeen(button(page, 'Join now'))
  // The lobby has a button of this name, too.
  await page.getByRole('heading', { name: 'You’re the only one here' }).waitFor()
  await clickWhereSeen(button(page, 'Start video'))
  await page.getByText('Your camera is off. The background couldn’t be started.').waitFor()
  await button(page, 'Start video').waitFor()
  assert.deepEqual(await videosSent(page), [])
})

test('the lobby tests the speaker, and has the camera blur the background where it can', async () => {
  const meeting = await story.startMeeting(alice)
  const { page, context } = await story.openPage({ person: alice, viewport: { width: 1280, height: 900 } })
  await page.goto(linkOf(meeting))
  await button(page, 'Join now').waitFor()
  await clickWhereSeen(button(page, 'Test speaker'))
  await page.getByText('Playing a test sound').waitFor({ state: 'attached' })
  await page.getByText('Playing a test sound').waitFor({ state: 'detached' })

  // A fake camera with blur; Chromium's own behaves the same on systems that support it.
  await context.addInitScript(() => {
    const blurred = new WeakSet<MediaStreamTrack>()
    const { getCapabilities, getSettings, applyConstraints } = MediaStreamTrack.prototype
    Object.assign(MediaStreamTrack.prototype, {
      getCapabilities(this: MediaStreamTrack) {
        return { ...getCapabilities.call(this), ...(this.kind === 'video' && { backgroundBlur: [false, true] }) }
      },
      getSettings(this: MediaStreamTrack) {
        return { ...getSettings.call(this), backgroundBlur: blurred.has(this) }
      },
      applyConstraints(this: MediaStreamTrack, constraints: object = {}) {
        const { backgroundBlur, ...others } = Object(constraints)
        if (backgroundBlur === true) blurred.add(this)
        if (backgroundBlur === false) blurred.delete(this)
        return applyConstraints.call(this, others)
      },
    })
  })
  const isSeenBlurred = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll('video')].some(
        ({ srcObject }) =>
          srcObject instanceof MediaStream &&
          srcObject.getVideoTracks().some((track) => Object(track.getSettings()).backgroundBlur === true),
      ),
    )
  await page.goto('/meetings')
  await page.goto(linkOf(meeting))
  const blur = page.getByRole('radio', { name: 'Slight blur' })
  await clickWhereSeen(button(page, 'Background and noise'))
  await blur.check()
  await isSeenBlurred()
  await clickWhereSeen(button(page, 'Join now'))
  await page.getByRole('heading', { name: 'You’re the only one here' }).waitFor()
  await isSeenBlurred()
  // A camera that was off is switched on with the chosen blur.
  await clickWhereSeen(button(page, 'Stop video'))
  await clickWhereSeen(button(page, 'Start video'))
  await isSeenBlurred()
  await clickWhereSeen(button(page, 'More'))
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Settings' }))
  assert.equal(await blur.isChecked(), true)
  await page.getByRole('radio', { name: 'None' }).check()
  await until(
    () =>
      page.evaluate(() =>
        [...document.querySelectorAll('video')].every(
          ({ srcObject }) =>
            srcObject instanceof MediaStream &&
            srcObject.getVideoTracks().every((track) => Object(track.getSettings()).backgroundBlur !== true),
        ),
      ),
    'it is off',
  )
})
