import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { detailsPath, signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { between, hourMs, minuteMs, scheduleQuietly } from '../meetings/meetings.ts'
import { startStory } from '../start-story.ts'
import { linkOf, startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
await signUp(story.app, 'Olga')
const alice = await signUp(story.app, 'Alice')
const carol = await signUp(story.app, 'Carol')
await startMedia(story, alice)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tile = (page: Page, name: string) => page.locator('li[data-person]').getByText(name)

async function openSettings(page: Page) {
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
}

/** Whether frames are decoded, not only whether a video element exists. */
const seesFramesOf = (page: Page, name: string) =>
  page.waitForFunction((label) => {
    const video = document.querySelector<HTMLVideoElement>(`video[aria-label="${label}"]`)
    return (video?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 5
  }, `${name}’s camera`)

test("the lobby, the waiting room and the host's view of waiting people are accessible", async () => {
  const made = await story.startMeeting(alice, { waitingRoom: true }, { topic: 'Budget 2031' })
  const hers = await story.openMeeting(made, alice)
  await hers.page.getByText('You’re joining as Alice Test, the host.').waitFor()
  await hers.page.getByLabel('Your camera', { exact: true }).waitFor()
  await checkPage(hers.page, 'room-lobby-host')
  await button(hers.page, 'Join now').click()
  await tile(hers.page, 'Alice Test (you) · Host').waitFor()

  const guest = await story.openMeeting(made, '')
  await button(guest.page, 'Ask to join').click()
  await guest.page.getByText('This is required.').waitFor()
  await guest.page.getByRole('textbox', { name: 'Your name' }).fill('Gita Guest')
  await checkPage(guest.page, 'room-lobby-guest')
  await button(guest.page, 'Ask to join').click()
  await guest.page.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await checkPage(guest.page, 'room-waiting')

  await hers.page.getByText('Gita Guest (guest) is waiting to join.').first().waitFor()
  await checkPage(hers.page, 'room-somebody-waits')
  await button(hers.page, 'View').click()
  await checkPage(hers.page, 'room-people-waiting')
  await button(hers.page, 'Admit Gita Guest').click()
  await seesFramesOf(guest.page, 'Alice Test')
  await seesFramesOf(hers.page, 'Gita Guest')
  await checkPage(guest.page, 'room-two')

  await button(hers.page, 'Actions for Gita Guest').click()
  await checkPage(hers.page, 'room-actions')
  await hers.page.getByRole('menuitem', { name: 'Remove from meeting' }).click()
  await hers.page
    .getByRole('dialog', { name: 'Remove Gita Guest (guest) from the meeting?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await guest.page.getByRole('heading', { name: 'You were removed from the meeting' }).waitFor()
  await checkPage(guest.page, 'room-removed')
  await hers.page.getByText('Declined or removed (1)').waitFor()
  await checkPage(hers.page, 'room-denied')
})

test('a call of three people has tiles, a shared screen, the speaker, chat, invitation, devices, and an end for all', async () => {
  const made = await story.startMeeting(alice, {}, { topic: 'Budget 2031' })
  const hers = await story.openMeeting(made, alice)
  await button(hers.page, 'Join now').click()
  const guest = await story.openMeeting(made, 'Gita Guest')
  await button(guest.page, 'Join now').click()
  const carols = await story.openMeeting(made, carol)
  await button(carols.page, 'Join now').click()
  await seesFramesOf(hers.page, 'Gita Guest')
  await seesFramesOf(hers.page, 'Carol Test')

  await button(carols.page, 'Raise hand').click()
  await hers.page.getByText('Hand raised, position').first().waitFor()
  await checkPage(hers.page, 'room-three')
  await button(carols.page, 'Share screen').click()
  await hers.page.getByText('Carol Test’s screen').waitFor()
  await checkPage(hers.page, 'room-screen')
  await carols.page.getByText('You’re sharing your screen').waitFor()
  await checkPage(carols.page, 'room-own-screen')
  await button(carols.page, 'Stop sharing').first().click()
  await hers.page.getByText('Carol Test’s screen').waitFor({ state: 'detached' })
  await hers.page.keyboard.press('g')
  await hers.page.getByRole('list', { name: 'Main view' }).waitFor()
  await checkPage(hers.page, 'room-speaker-view')

  await button(carols.page, 'Chat').click()
  const words = 'The figures: https://example.org <b>2031</b>'
  await carols.page.getByRole('textbox', { name: 'Message everyone' }).fill(words)
  await carols.page.keyboard.press('Enter')
  await carols.page.getByRole('log').getByText(words).waitFor()
  const shown = carols.page.getByRole('log').getByRole('link', { name: 'https://example.org' })
  assert.deepEqual(
    [await shown.getAttribute('href'), await shown.getAttribute('rel'), await shown.getAttribute('target')],
    ['https://example.org/', 'noopener noreferrer nofollow', '_blank'],
  )
  assert.equal(await carols.page.getByRole('log').locator('b').count(), 0)
  await checkPage(carols.page, 'room-chat')
  await button(hers.page, 'Chat, 1 new message').waitFor()
  await button(carols.page, 'Close').click()
  // The focus is back on the button that opened the panel.
  await carols.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Chat')

  await button(hers.page, 'Invite').click()
  const link = new URL(linkOf(made), hers.page.url()).href
  assert.equal(await hers.page.getByRole('textbox', { name: 'Meeting link' }).inputValue(), link)
  await checkPage(hers.page, 'room-invite')
  await hers.page.keyboard.press('Escape')
  await openSettings(hers.page)
  await hers.page.getByRole('combobox', { name: 'Camera' }).waitFor()
  await checkPage(hers.page, 'room-devices')
  await hers.page.keyboard.press('Escape')

  await button(hers.page, 'Leave').click()
  await checkPage(hers.page, 'room-leave')
  await button(hers.page, 'End for everyone').click()
  await carols.page.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await checkPage(carols.page, 'room-ended')
  await guest.page.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await hers.page.getByRole('heading', { name: 'The meeting has ended' }).waitFor()

  await hers.page.goto(`/meetings/${made._id}`)
  await hers.page.getByRole('button', { name: 'Show: Attendance' }).click()
  await hers.page.getByRole('region', { name: 'Attendance' }).getByText('Gita Guest').first().waitFor()
  await checkPage(hers.page, 'meeting-history')
})

test('muted by the meeting: the lobby says why, the host asks to unmute, and actions are announced', async () => {
  const made = await story.startMeeting(alice, {
    participantHardAudioMute: true,
    participantVideo: false,
    waitingRoom: false,
  })
  const hers = await story.openMeeting(made, alice)
  await button(hers.page, 'Join now').click()
  await tile(hers.page, 'Alice Test (you) · Host').waitFor()

  const guest = await story.openMeeting(made, 'Gita Guest')
  await guest.page.getByText(/^You’ll join muted, because the host decides/).waitFor()
  await guest.page.getByText(/^Cameras start off/).waitFor()
  await checkPage(guest.page, 'room-lobby-muted')
  await button(guest.page, 'Join now').click()
  await guest.page.getByText(/^The host decides who can speak/).waitFor()
  await checkPage(guest.page, 'room-hard-muted')

  await hers.page.locator('[data-announcer]').getByText('Gita Guest (guest) joined.').waitFor({ state: 'attached' })
  await button(hers.page, 'People').click()
  await button(hers.page, 'Actions for Gita Guest').click()
  await hers.page.getByRole('menuitem', { name: 'Allow to speak' }).click()
  await guest.page.getByText(/^The host decides who can speak/).waitFor({ state: 'detached' })
  await button(hers.page, 'Actions for Gita Guest').click()
  await hers.page.getByRole('menuitem', { name: 'Ask to unmute' }).click()
  await guest.page.getByText('The host is asking you to unmute').waitFor()
  await checkPage(guest.page, 'room-unmute-asked')
  await button(guest.page, 'Unmute').first().click()
  await hers.page.locator('[data-announcer]').getByText('Gita Guest (guest) unmuted.').waitFor({ state: 'attached' })
  await button(hers.page, 'Mute all').click()
  await guest.page.getByText('A host muted you.').waitFor()
})

test('by keyboard: a muted participant is audible while the space bar is held, and typed letters are no shortcuts', async () => {
  const made = await story.startMeeting(alice)
  const hers = await story.openMeeting(made, alice)
  await button(hers.page, 'Join now').click()
  const carols = await story.openMeeting(made, carol)
  await button(carols.page, 'Join now').click()
  const { keyboard } = carols.page
  const carolsTile = hers.page.locator('li', { hasText: 'Carol Test' })
  const muted = carolsTile.getByRole('img', { name: 'Muted' })
  await carolsTile.waitFor()
  await muted.waitFor({ state: 'detached' })
  await button(carols.page, 'Leave').waitFor()
  await button(carols.page, 'Mute').waitFor()
  await keyboard.press('m')
  await muted.waitFor()
  await keyboard.down('Space')
  await muted.waitFor({ state: 'detached' })
  await keyboard.up('Space')
  await muted.waitFor()

  await keyboard.press('c')
  const message = carols.page.getByRole('textbox', { name: 'Message everyone' })
  await message.fill('hm')
  await message.press('m')
  await message.press('Space')
  assert.equal(await message.inputValue(), 'hmm ')
  await button(carols.page, 'Unmute').waitFor()
  await keyboard.press('Escape')
  await keyboard.press('Shift+?')
  await carols.page.getByRole('cell', { name: 'Talk while you hold it' }).waitFor()
  await checkPage(carols.page, 'room-shortcuts')
})

test('a participant leaves and joins again, then moves to another window', async () => {
  const made = await story.startMeeting(alice)
  const [{ roomUrl }] = (await alice.send('GET', detailsPath(made))).body
  const { page, context } = await story.openPage()
  await page.goto(roomUrl)
  await page.getByText('You’re joining as the host.').waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Hannah')
  await button(page, 'Join now').click()
  await tile(page, 'Hannah (you) · Host').waitFor()
  await button(page, 'Invite').click()
  // The meeting's PIN can be shared, a host's secret cannot.
  const invitation = page.getByRole('dialog').getByRole('textbox', { name: 'Link' })
  await page.getByRole('dialog').getByRole('textbox', { name: 'PIN' }).waitFor()
  assert.match(await invitation.inputValue(), new RegExp(`/j/\\d+#pin=${made.pin}$`))
  await page.keyboard.press('Escape')
  await button(page, 'Mute').click()
  await button(page, 'Unmute').waitFor()
  await button(page, 'Leave').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'You left the meeting' }).waitFor()
  await checkPage(page, 'room-left')
  await button(page, 'Join again').click()
  // Nothing is sent while the lobby is open, and the microphone keeps its state.
  await page.getByRole('textbox', { name: 'Your name' }).waitFor()
  await button(page, 'Unmute').waitFor()
  await button(page, 'Stop video').waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === 'Join now')
  await checkPage(page, 'room-lobby-again')
  await button(page, 'Join now').click()
  await tile(page, 'Hannah (you) · Host').waitFor()
  await button(page, 'Unmute').waitFor()
  await button(page, 'Leave').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'You left the meeting' }).waitFor()
  // The link in the same window: only its fragment differs.
  await page.goto(roomUrl)
  await button(page, 'Join now').click()
  await tile(page, 'Hannah (you) · Host').waitFor()

  const other = await context.newPage()
  await other.goto(roomUrl)
  assert.equal(await other.getByRole('textbox', { name: 'Your name' }).inputValue(), 'Hannah')
  await button(other, 'Join now').click()
  await page.getByRole('heading', { name: 'You joined in another window' }).waitFor()
  await checkPage(page, 'room-elsewhere')
})

test('without camera and microphone the page says what to do, and joining is possible', async () => {
  const { app, openPage } = await startStory({}, { media: 'engine' })
  const hannah = await signUp(app, 'Hannah')
  const made = await scheduleQuietly(hannah, standUp({ ...between(5 * minuteMs, hourMs) }))
  const { page } = await openPage({ person: hannah, expected: /status of 503/ })
  await page.goto(linkOf(made))
  // The browser would ask here.
  await button(page, 'Continue').click()
  await page.getByText('No camera and no microphone').waitFor()
  await checkPage(page, 'room-lobby-no-devices')
  await button(page, 'Start video').waitFor()
  await button(page, 'Unmute').waitFor()
  await button(page, 'Join now').click()
  await tile(page, 'Hannah Test (you) · Host').waitFor()
  await page.keyboard.press('m')
  await page.getByText('No microphone found. Plug one in to be heard.').waitFor()
  await checkPage(page, 'room-no-devices')
})
