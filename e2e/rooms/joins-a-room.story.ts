import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { cameraSentBy, openedBy, perceives, watchPeers, widthShown } from '../media/perception.ts'
import { until } from '../media/start-media-story.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

/** How the page sends the sound of its screen: what the browser captures, and what the media server has agreed to. */
const soundOfScreen = (page: Page) =>
  page.evaluate(() => {
    const peers: RTCPeerConnection[] = Object(globalThis).peers
    const [found] = peers.flatMap((peer) =>
      peer
        .getTransceivers()
        .filter(({ sender }) => sender.track?.kind === 'audio')
        .map(({ sender, mid }) => ({ peer, sender, mid }))
        .filter(({ sender }) => sender.track?.getSettings().echoCancellation === false),
    )
    if (found === undefined) return 'no unprocessed sound is sent'
    const { echoCancellation, noiseSuppression, autoGainControl } = found.sender.track?.getSettings() ?? {}
    const sections = found.peer.remoteDescription?.sdp.split('\r\nm=') ?? []
    const section = sections.find((one) => one.includes(`a=mid:${found.mid}\r\n`)) ?? ''
    return {
      echoCancellation,
      noiseSuppression,
      autoGainControl,
      maxBitrate: found.sender.getParameters().encodings[0]?.maxBitrate,
      stereo: /[ ;]stereo=1/.test(section),
      pausesInSilence: /usedtx=1/.test(section),
    }
  })

/** Whether every sound that the page receives may have two channels (RFC 7587, 6.1: `stereo` is what one accepts). */
const receivesStereo = (page: Page) =>
  page.evaluate(() => {
    const peers: RTCPeerConnection[] = Object(globalThis).peers
    const sections = peers.flatMap((peer) => peer.localDescription?.sdp.split('\r\nm=') ?? [])
    const received = sections.filter((one) => one.startsWith('audio') && one.includes('a=recvonly'))
    return received.length > 1 && received.every((one) => /[ ;]stereo=1/.test(one))
  })

test('two people see and hear each other; a third who joins later sees both, and a shared screen', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: a } = await story.openMeeting(meeting, alice)
  await a.getByRole('button', { name: 'Join now' }).click()
  const { page: b } = await story.openMeeting(meeting, bob)
  await b.getByRole('button', { name: 'Join now' }).click()
  await perceives(a, { pictures: 1, voices: 1 })
  await perceives(b, { pictures: 1, voices: 1 })
  assert.deepEqual(await openedBy(a), { cameras: 1, microphones: 1, live: 2 }, 'each device is opened once')
  await sendsWhole(a)
  // As large as it is shown.
  for (const [width, height, received] of [
    [1280, 720, 1280],
    [560, 460, 640],
    [320, 290, 320],
  ] as const) {
    await b.setViewportSize({ width, height })
    // A busy machine encodes the large picture later.
    await until(async () => (await widthShown(b, 'Alice Test')) === received, `Bob receives ${received} pixels`, 2)
  }
  await b.setViewportSize({ width: 1280, height: 720 })
  await a.getByRole('button', { name: 'Stop video' }).click()
  await a.getByRole('button', { name: 'Start video' }).click()
  await sendsWhole(a)
  await a.getByRole('button', { name: 'More' }).click()
  await a.getByRole('menuitem', { name: 'Settings' }).click()
  const camera = a.getByRole('combobox', { name: 'Camera' })
  await camera.selectOption({ index: 1 })
  await sendsWhole(a)
  // The frames of Chromium's second fake camera (Y16) are shown and never encoded.
  await camera.selectOption({ index: 0 })
  await a.keyboard.press('Escape')
  await sendsWhole(a)

  await b.getByRole('button', { name: 'Share screen' }).click()
  await b.getByText('1 person can see it.').waitFor()
  await b.locator('video[aria-label="Preview of your screen"]').waitFor()
  await perceives(a, { pictures: 2, voices: 1 })
  assert.deepEqual(await soundOfScreen(b), {
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: false,
    maxBitrate: 128_000,
    stereo: true,
    pausesInSilence: false,
  })
  assert.ok(await receivesStereo(a))

  const { page: c } = await story.openMeeting(meeting, 'Gita')
  await c.getByText('In the meeting: Alice Test and Bob Test').waitFor()
  await c.getByRole('button', { name: 'Join now' }).click()
  await perceives(c, { pictures: 3, voices: 2 })
  await b.getByRole('button', { name: 'Stop sharing' }).first().click()
  await perceives(c, { pictures: 2, voices: 2 })
})

/** The camera is sent with its full size, in three layers with the bits that they need. */
const sendsWhole = (page: Page) =>
  until(async () => {
    const { captured, layers, maxBitrate } = await cameraSentBy(page)
    return captured === 1280 && layers === 3 && maxBitrate >= 1_700_000
  }, 'the camera is sent whole')

test('a lobby that is left without joining switches the devices off', async () => {
  const { page, context } = await story.openPage({ person: alice })
  await watchPeers(context)
  await page.goto('/start')
  await page.getByLabel('Your camera', { exact: true }).waitFor()
  await page.getByRole('meter', { name: 'Microphone level' }).waitFor()
  assert.deepEqual(await openedBy(page), { cameras: 1, microphones: 1, live: 2 }, 'each device is opened once')
  await page.getByRole('button', { name: 'Stop video' }).click()
  await until(async () => (await openedBy(page)).live === 1, 'the camera is off')
  await page.getByRole('button', { name: 'Start video' }).click()
  await until(async () => (await openedBy(page)).live === 2, 'the camera is on')
  // In the same document: another one would switch them off by itself.
  await page.getByRole('link', { name: 'Parley' }).click()
  await page.getByRole('heading', { name: 'Meetings' }).waitFor()
  await until(async () => (await openedBy(page)).live === 0, 'both devices are off')
})

test('before the browser asks for devices the lobby says so, once in a browser, and does not ask a person who leaves them off', async () => {
  const open = async (person: typeof alice, allowed: string[] = []) => {
    const { page, context } = await story.openPage({ person })
    await watchPeers(context)
    // The fake devices are allowed from the beginning.
    await context.addInitScript((names) => {
      navigator.permissions.query = async ({ name }) => {
        const state = names.includes(name) ? 'granted' : 'prompt'
        return Object.assign(new EventTarget(), { state, name, onchange: null } as const)
      }
    }, allowed)
    await page.goto('/start')
    return page
  }
  const question = 'Your browser will ask to use your camera and microphone.'
  const hers = await open(alice)
  await hers.getByText(question).waitFor()
  assert.deepEqual(await openedBy(hers), { cameras: 0, microphones: 0, live: 0 })
  assert.equal(await hers.getByRole('button', { name: 'Stop video' }).count(), 0)
  await checkPage(hers, 'lobby-question')
  await hers.getByRole('button', { name: 'Leave off' }).click()
  await hers.getByRole('button', { name: 'Start video' }).waitFor()
  await hers.getByRole('button', { name: 'Unmute' }).waitFor()
  assert.deepEqual(await openedBy(hers), { cameras: 0, microphones: 0, live: 0 })

  // The microphone is allowed already, and is not left off with the camera.
  const another = await open(alice, ['microphone'])
  await another.getByText('Your browser will ask to use your camera.', { exact: true }).waitFor()
  await another.getByRole('button', { name: 'Leave off' }).click()
  await another.getByRole('meter', { name: 'Microphone level' }).waitFor()
  await another.getByRole('button', { name: 'Start video' }).waitFor()
  await until(async () => (await openedBy(another)).live === 1, 'the microphone is on')

  const his = await open(bob)
  await his.getByRole('button', { name: 'Continue' }).click()
  await his.getByRole('meter', { name: 'Microphone level' }).waitFor()
  await until(async () => (await openedBy(his)).live === 2, 'both devices are on')
  await his.reload()
  await until(async () => (await openedBy(his)).live === 2, 'both devices are on again')
  assert.equal(await his.getByText(question).count(), 0)
})

test('Alice enters her own room from her settings; Gita asks to enter by its link, is admitted, and it ends for both', async () => {
  await startMedia(story, bob)
  const [{ page: hers, context }, gita] = [await story.openPage({ person: alice }), await story.openPage()]
  for (const browser of [context, gita.context]) await watchPeers(browser)
  await hers.goto('/settings/meetings')
  const link = await hers.getByRole('textbox', { name: 'Link' }).inputValue()
  await checkPage(hers, 'profile-own-room')

  const gitas = gita.page
  await gitas.goto(link)
  await gitas.getByRole('heading', { name: 'Alice Test’s room' }).waitFor()
  await gitas.getByText('This room has no fixed time').waitFor()
  await checkPage(gitas, 'own-room-lobby')
  await gitas.getByRole('textbox', { name: 'Your name' }).fill('Gita')
  // The owner admits each person, also one who came before.
  await gitas.getByRole('button', { name: 'Ask to join' }).click()
  await gitas.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await gitas.getByText('No host is here yet.').waitFor()

  await hers.getByRole('link', { name: 'Go to your room' }).click()
  await hers.getByRole('button', { name: 'Join now' }).click()
  await gitas.getByText('The host can see that you’re waiting.').waitFor()
  await hers.getByRole('button', { name: 'View' }).click()
  await hers.getByRole('button', { name: 'Admit Gita' }).click()
  await perceives(gitas, { pictures: 1, voices: 1 })
  await perceives(hers, { pictures: 1, voices: 1 })
  await gitas.getByRole('heading', { name: 'Alice Test’s room' }).waitFor()

  await hers.getByRole('button', { name: 'Leave' }).click()
  await hers.getByRole('button', { name: 'End for everyone' }).click()
  for (const page of [hers, gitas]) await page.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await checkPage(hers, 'own-room-ended')

  // The room is permanent: its owner may open it again at once.
  await hers.goto('/settings/meetings')
  await hers.getByRole('link', { name: 'Go to your room' }).click()
  await hers.getByRole('button', { name: 'Join now' }).click()
  await hers.getByRole('button', { name: 'Leave' }).waitFor()
})
