import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, isInSight, overlaps } from '../real-input.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, alice)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const closePanel = (page: Page) =>
  clickWhereSeen(page.getByRole('complementary').getByRole('button', { name: 'Close' }))
const field = (page: Page) => page.getByRole('textbox', { name: 'Message everyone' })

/** Alice hosts, and Bob is inside with her. */
async function aliceAndBobMeet(prepare?: { host(page: Page): Promise<void>; bobs(page: Page): Promise<void> }) {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice, { ...(prepare && { prepare: prepare.host }) })
  await clickWhereSeen(button(host, 'Join now'))
  await button(host, 'Leave').waitFor()
  const { page: bobs, context } = await story.openMeeting(meeting, bob, {
    expected: /ERR_INTERNET_DISCONNECTED|WebSocket/,
    ...(prepare && { prepare: prepare.bobs }),
  })
  await clickWhereSeen(button(bobs, 'Join now'))
  await button(bobs, 'Leave').waitFor()
  return { meeting, host, bobs, context }
}

const sizes = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 360, height: 640 },
  { name: 'desktop at 200 %', width: 640, height: 450 },
] as const

test('Bob mutes, opens the chat and types: the letters are a message, and the microphone stays off', async () => {
  const { host, bobs } = await aliceAndBobMeet()
  const mutedBob = host.locator('li[data-person]', { hasText: 'Bob Test' }).getByRole('img', { name: 'Muted' })
  await clickWhereSeen(button(bobs, 'Mute'))
  await mutedBob.waitFor()
  await clickWhereSeen(button(bobs, 'Chat'))
  await bobs.keyboard.type('my turn, vote for the pig')
  assert.equal(await field(bobs).inputValue(), 'my turn, vote for the pig')
  await bobs.keyboard.press('Enter')
  await bobs.getByRole('log').getByText('my turn, vote for the pig').waitFor()
  await bobs.keyboard.type('more')
  await clickWhereSeen(button(bobs, 'Send'))
  await bobs.keyboard.type('and more')
  assert.equal(await field(bobs).inputValue(), 'and more')

  // A click on the panel's text moves the focus out of the field; typed keys are still not shortcuts.
  await clickWhereSeen(bobs.getByRole('heading', { name: 'Chat' }))
  await bobs.keyboard.type('mvhcpidg')
  await bobs.keyboard.down('Space')
  await bobs.keyboard.up('Space')
  await clickWhereSeen(button(bobs, 'People'))
  await bobs.keyboard.type('mvhidg')
  await closePanel(bobs)
  await clickWhereSeen(button(bobs, 'Invite'))
  await bobs.keyboard.type('mvhcpg')
  await bobs.keyboard.press('Escape')
  await button(bobs, 'Invite').and(bobs.locator(':focus')).waitFor()
  await button(bobs, 'Unmute').waitFor()
  await button(bobs, 'Stop video').waitFor()
  await mutedBob.waitFor()

  // A host's request does not take typed keys as its answer.
  await clickWhereSeen(button(bobs, 'Chat'))
  await clickWhereSeen(button(host, 'People'))
  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Ask to unmute' }))
  await bobs.getByText('The host is asking you to unmute').waitFor()
  await bobs.keyboard.type(': so far  so good')
  // The draft was kept while the panel was closed.
  assert.equal(await field(bobs).inputValue(), 'and more: so far  so good')
  await mutedBob.waitFor()

  // On the stage the shortcuts work, and closing the chat returns the focus there.
  await bobs.keyboard.press('Escape')
  await button(bobs, 'Chat').and(bobs.locator(':focus')).waitFor()
  await bobs.keyboard.press('m')
  await mutedBob.waitFor({ state: 'detached' })
})

test('mute and leave stay visible offline, beside a panel, on a phone and at 200 %', async () => {
  const { bobs, context } = await aliceAndBobMeet()
  await context.setOffline(true)
  await bobs.getByText('You’re offline.').waitFor()
  for (const { name, ...size } of sizes) {
    await bobs.setViewportSize(size)
    for (const panel of [undefined, 'Chat', 'People']) {
      if (panel !== undefined) await clickWhereSeen(button(bobs, panel))
      await isInSight(bobs.getByRole('button', { name: /^(Mute|Unmute)$/ }).first())
      await isInSight(button(bobs, 'Leave'))
      if (panel === 'Chat') await isInSight(field(bobs))
      if (panel !== undefined) await closePanel(bobs)
    }
    await bobs.screenshot({ path: `e2e/screenshots/room-offline-${name.replaceAll(/\W+/g, '-')}.png` })
  }
  await context.setOffline(false)
})

test('toasts and reactions cover no name, no menu and no field, and do not move the stage', async () => {
  const { host } = await aliceAndBobMeet()
  const notices = '[role="status"] [data-kind]'
  for (const { width, height } of sizes) {
    await host.setViewportSize({ width, height })
    await clickWhereSeen(button(host, 'People'))
    await clickWhereSeen(button(host, 'Mute all'))
    await host.getByText('Everyone except hosts is muted.').waitFor()
    assert.deepEqual(await overlaps(host, notices, 'aside, section[aria-label="Controls"]'), [])
    await closePanel(host)
    await host.getByText('Everyone except hosts is muted.').waitFor()
    assert.deepEqual(await overlaps(host, notices, 'li[data-person] > div, section[aria-label="Controls"], h1'), [])
    const tilesAt = () =>
      host
        .locator('li[data-person]')
        .evaluateAll((tiles) =>
          tiles.map((tile) => [tile.getBoundingClientRect().y, tile.getBoundingClientRect().height]),
        )
    const below = await tilesAt()
    if (width < 768) {
      await clickWhereSeen(button(host, 'More'))
      // The menu is over the notices.
      for (const item of await host.getByRole('menuitem').all()) await isInSight(item)
      await host.keyboard.press('Escape')
    }
    await host.locator(notices).waitFor({ state: 'detached' })
    assert.deepEqual(await tilesAt(), below, 'the stage has not moved')
  }
  await checkPage(host, 'room-two-people')
})

const captionField = (page: Page) => page.getByRole('textbox', { name: 'Type captions' })
const captionsOf = (page: Page) => page.getByRole('region', { name: 'Captions' })

/**
 * In place of the browser's: Chromium itself has no model for speech, and a fake microphone says nothing. Everything else
 * is as in a browser that recognises American English on the device, after a download.
 */
async function installRecognition(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let availability = 'downloadable'
    class Recognition extends EventTarget {
      static available = async ({ langs }: { langs: string[] }) => (langs[0] === 'en-US' ? availability : 'unavailable')
      static install = async () => {
        availability = 'available'
        return true
      }
      processLocally = false
      start(track: MediaStreamTrack) {
        Object.assign(globalThis, { recognition: this, recognisedTrack: track })
      }
      abort() {
        Object.assign(globalThis, { recognition: undefined })
      }
    }
    Object.assign(Recognition.prototype, { processLocally: false })
    Object.assign(globalThis, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition })
  })
}

/** As in a browser without recognition on the device. */
async function removeRecognition(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined })
  })
}

const recognizes = (page: Page, transcript: string, isFinal: boolean) =>
  page.evaluate(
    ([text, final]) => {
      const results = [{ isFinal: final, 0: { transcript: text } }]
      Object(globalThis).recognition.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results }))
    },
    [transcript, isFinal] as const,
  )

test('Bob’s device captions what he says once he agrees, while Alice reads captions and his microphone is on', async () => {
  const { host, bobs } = await aliceAndBobMeet({ host: removeRecognition, bobs: installRecognition })
  const isCaptioned = bobs.getByRole('img', { name: 'What you say is captioned' })
  await host.keyboard.press('t')
  await captionsOf(host).getByText('Captions appear here').waitFor()
  await bobs.getByText('A person in this meeting reads captions.').waitFor()
  await checkPage(bobs, 'room-captions-asked')
  assert.equal(await isCaptioned.count(), 0)
  await clickWhereSeen(button(bobs, 'Caption what I say'))
  await isCaptioned.waitFor()
  const started = await bobs.evaluate(() => {
    const { recognition, recognisedTrack } = Object(globalThis)
    const { lang, continuous, interimResults, processLocally } = recognition
    return { lang, continuous, interimResults, processLocally, kind: recognisedTrack.kind }
  })
  const local = { lang: 'en-US', continuous: true, interimResults: true, processLocally: true, kind: 'audio' }
  assert.deepEqual(started, local)

  await recognizes(bobs, 'the pig', false)
  await captionsOf(host).getByText('the pig', { exact: true }).waitFor()
  await recognizes(bobs, 'The pig wins.', true)
  const line = captionsOf(host).getByText('The pig wins.', { exact: true })
  await line.waitFor()
  assert.equal(await line.getAttribute('lang'), 'en-US')
  // Alice hears him: nothing is read out.
  await host.waitForTimeout(2_500)
  assert.equal(await host.getByRole('status').getByText('The pig wins.').count(), 0)

  await clickWhereSeen(button(bobs, 'Mute'))
  await isCaptioned.waitFor({ state: 'detached' })
  assert.equal(await bobs.evaluate(() => Object(globalThis).recognition), undefined)
  await clickWhereSeen(button(bobs, 'Unmute'))
  await isCaptioned.waitFor()
  await host.keyboard.press('t')
  await isCaptioned.waitFor({ state: 'detached' })
  assert.equal(await captionsOf(host).count(), 0)

  await clickWhereSeen(button(host, 'More'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Captions…' }))
  await host.getByText('This browser can’t write down what you say on this device.').waitFor()
  await clickWhereSeen(button(bobs, 'More'))
  await clickWhereSeen(bobs.getByRole('menuitem', { name: 'Captions…' }))
  await bobs.getByRole('switch', { name: 'Caption what I say', checked: true }).waitFor()
  await checkPage(bobs, 'room-captions-own')
})

test('what Bob types as captions is read along, as large and where Alice wants it, and not while he may not speak', async () => {
  const { host, bobs } = await aliceAndBobMeet()
  await bobs.keyboard.press('w')
  await captionField(bobs).and(bobs.locator(':focus')).waitFor()
  await bobs.keyboard.type('I can read you, mvhc')
  // Read along before the line is finished, although Alice has not switched captions on; the letters were no shortcuts.
  await captionsOf(host).getByText('I can read you, mvhc').waitFor()
  await captionsOf(host).getByText('Bob Test', { exact: true }).waitFor()
  await button(bobs, 'Mute').waitFor()
  await bobs.keyboard.press('Backspace')
  await captionsOf(host).getByText('I can read you, mvh', { exact: true }).waitFor()
  await bobs.keyboard.press('Enter')
  assert.equal(await captionField(bobs).inputValue(), '')
  await host.getByRole('status').getByText('Bob Test typed: I can read you, mvh').waitFor({ state: 'attached' })
  assert.deepEqual(await overlaps(host, 'section[aria-label="Captions"]', 'section[aria-label="Controls"], h1'), [])

  // Captions that are on have their own place, and keep the choice.
  await host.keyboard.press('t')
  await clickWhereSeen(button(host, 'More'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Captions…' }))
  await host.getByRole('log').getByText('I can read you, mvh').waitFor()
  await clickWhereSeen(host.getByRole('radio', { name: 'Large' }))
  await clickWhereSeen(host.getByRole('radio', { name: 'Above the tiles' }))
  await bobs.keyboard.type('<b>Bold</b>, says Ünal')
  await captionsOf(host).getByText('<b>Bold</b>, says Ünal').waitFor()
  await checkPage(host, 'room-captions')
  await closePanel(host)
  const [captions, tile] = await Promise.all([
    captionsOf(host).boundingBox(),
    host.locator('li[data-person]').first().boundingBox(),
  ])
  assert.ok(captions !== null && tile !== null && captions.y + captions.height <= tile.y, 'above the tiles')
  await checkPage(bobs, 'room-types-captions')

  // The key leads back to the field and its text; the end of the typing finishes the line.
  await clickWhereSeen(bobs.getByRole('heading', { level: 1 }))
  await bobs.keyboard.press('w')
  await captionField(bobs).and(bobs.locator(':focus')).waitFor()
  assert.equal(await captionField(bobs).inputValue(), '<b>Bold</b>, says Ünal')
  await bobs.keyboard.press('Escape')
  await captionField(bobs).waitFor({ state: 'detached' })
  await host.getByRole('status').getByText('Bob Test typed: <b>Bold</b>, says Ünal').waitFor({ state: 'attached' })

  // A person who may not speak may not write over the stage either.
  await bobs.keyboard.press('w')
  await captionField(bobs).waitFor()
  await clickWhereSeen(button(host, 'People'))
  await clickWhereSeen(button(host, 'Permissions…'))
  await clickWhereSeen(host.getByRole('switch', { name: 'Speak' }))
  await captionField(bobs).waitFor({ state: 'detached' })
  await bobs.getByText('The host hasn’t allowed you to speak yet.').waitFor()
})

const log = (page: Page) => page.getByRole('log')

async function openChat(page: Page): Promise<void> {
  await clickWhereSeen(page.getByRole('button', { name: 'Join now' }))
  await page.getByRole('button', { name: 'Leave' }).waitFor()
  await clickWhereSeen(page.getByRole('button', { name: /^Chat/ }))
}

test('messages reach everyone or one person; a later participant reads those to everyone', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await openChat(host)
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await openChat(bobs)
  const to = host.getByRole('combobox', { name: 'To' })
  await to.waitFor()
  await host.keyboard.type('The agenda is in the invitation')
  await host.keyboard.press('Enter')
  await log(bobs).getByText('The agenda is in the invitation').waitFor()

  await to.selectOption('Bob Test')
  const aside = host.getByRole('textbox', { name: 'Message only Bob Test' })
  await clickWhereSeen(aside)
  await host.keyboard.type('Between us: five minutes')
  await host.keyboard.press('Enter')
  await log(host).getByText('Only to Bob Test').waitFor()
  await log(bobs).getByText('Between us: five minutes').waitFor()
  await log(bobs).getByText('Only to you').waitFor()
  await checkPage(host, 'room-chat-private')

  const { page: carols } = await story.openMeeting(meeting, 'Carol')
  await openChat(carols)
  await log(carols).getByText('Before you joined, passed on by Alice Test').waitFor()
  await log(carols).getByText('The agenda is in the invitation').waitFor()
  assert.equal(await log(carols).getByText('Between us').count(), 0)
  await checkPage(carols, 'room-chat-earlier')
  // A reload restores the messages to everyone, the author's own included.
  await carols.keyboard.type('Thank you')
  await carols.keyboard.press('Enter')
  await log(bobs).getByText('Thank you').waitFor()
  assert.equal(await log(bobs).getByText('Only to you').count(), 1)
  await carols.reload()
  await openChat(carols)
  await log(carols).getByText('Thank you').waitFor()

  // A private draft to Bob is not sent to everyone when he leaves.
  await clickWhereSeen(aside)
  await host.keyboard.type('Not for everyone')
  await clickWhereSeen(bobs.getByRole('button', { name: 'Leave' }))
  await bobs.getByRole('heading', { name: 'You left the meeting' }).waitFor()
  await host.getByText('Bob Test has left. Choose who to write to.').waitFor()
  await host.keyboard.press('Enter')
  assert.equal(await aside.inputValue(), 'Not for everyone')
  await to.selectOption('Everyone')
  await clickWhereSeen(host.getByRole('button', { name: 'Send' }))
  await log(carols).getByText('Not for everyone').waitFor()
})
