import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { perceives, perceivesNothing } from '../media/perception.ts'
import { openRawPage } from '../media/raw-client.ts'
import { until } from '../media/start-media-story.ts'
import { minuteMs } from '../meetings/meetings.ts'
import { clickWhereSeen } from '../real-input.ts'
import { answersOnEntering, linkOf, type Meeting, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

/** Alice hosts, and Bob is inside with her. `granted` returns the latest token that Bob's page received. */
async function aliceAndBobMeet(meeting: Meeting) {
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page: bobs } = await story.openMeeting(meeting, bob, { expected: /WebSocket connection/ })
  const answers = answersOnEntering(bobs)
  await bobs.getByRole('button', { name: 'Join now' }).click()
  await perceives(bobs, { pictures: 1, voices: 1 })
  const granted = async () => (await answers()).findLast(({ media }) => media !== undefined)?.media?.token ?? ''
  return { host, bobs, granted }
}

const openPeople = (host: Page) => host.getByRole('button', { name: /^People/ }).click()

const people = (page: Page) => page.getByRole('list', { name: /^In the meeting/ })

async function doWithBob(host: Page, action: string) {
  await people(host).getByRole('button', { name: 'Actions for Bob Test', exact: true }).click()
  await host.getByRole('menuitem', { name: action }).click()
}

test('a hard-muted participant cannot speak, by the page or by the token in another client', async () => {
  const meeting = await story.startMeeting(alice, { participantHardAudioMute: true })
  const { host, bobs, granted } = await aliceAndBobMeet(meeting)
  await perceives(host, { pictures: 1 })
  await bobs.getByRole('button', { name: 'Unmute' }).click({ force: true })
  await bobs.keyboard.press('m')
  await perceivesNothing(host, 'audio')

  await openPeople(host)
  await doWithBob(host, 'Allow to speak')
  await bobs.getByText('You may speak now.').waitFor()
  assert.equal(await bobs.getByText(/^The host decides who can speak/).count(), 0)
  await bobs.getByRole('button', { name: 'Unmute', disabled: false }).last().click()
  await perceives(host, { pictures: 1, voices: 1 })

  const other = await story.startMeeting(alice, { participantHardAudioMute: true })
  const again = await aliceAndBobMeet(other)
  const raw = await openRawPage(story, bob)
  assert.equal(await raw.connect(await again.granted()), 'connected')
  await again.bobs.getByRole('heading', { name: 'You joined in another window' }).waitFor()
  for (const source of ['microphone', 'screen_share_audio', 'unknown'] as const) {
    assert.equal(await raw.publishMicrophoneAs(source), 'refused', source)
  }
  // A LiveKit server accepts audio as a camera track; no other page plays it.
  await raw.publishMicrophoneAs('camera')
  await perceivesNothing(again.host, 'audio')
  assert.notEqual(await granted(), await again.granted())
})

test('a removed participant stays out, with the page and with the token, until a host admits them', async () => {
  const meeting = await story.startMeeting(alice)
  const { host, bobs, granted } = await aliceAndBobMeet(meeting)
  await openPeople(host)
  await doWithBob(host, 'Remove from meeting')
  await host.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await bobs.getByRole('heading', { name: 'You were removed from the meeting' }).waitFor()
  await perceivesNothing(host, 'video')

  const raw = await openRawPage(story, bob)
  // A LiveKit server does not know revoked tokens: the service is notified of the connection and removes the
  // participant.
  await raw.connect(await granted())
  await until(async () => !(await raw.isInside()), 'who was removed is out again')
  await perceivesNothing(host, 'video')
  const { page: tooSoon } = await story.openMeeting(meeting, bob)
  await tooSoon.getByRole('heading', { name: 'The host did not let you in' }).waitFor()
  await tooSoon.getByText(/^You can try again in/).waitFor()
  assert.ok(await tooSoon.getByRole('button', { name: 'Ask again' }).isDisabled())
  // A minute passes.
  await story.app.database
    .updateTable('admission')
    .set({ decidedAt: new Date(Date.now() - 2 * minuteMs) })
    .where('state', '=', 'denied')
    .execute()
  await tooSoon.reload()
  await clickWhereSeen(tooSoon.getByRole('button', { name: 'Ask again' }))
  await clickWhereSeen(tooSoon.getByRole('button', { name: 'Ask to join' }))
  await tooSoon.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await clickWhereSeen(host.getByRole('button', { name: 'Admit Bob Test' }))
  // The declined guest's page continues by itself, without a reload.
  await bobs.getByRole('button', { name: 'Join now' }).waitFor()
  await perceives(host, { pictures: 1, voices: 1 })
})

test('a host mutes, locks, and ends the meeting for all', async () => {
  const meeting = await story.startMeeting(alice)
  const { host, bobs } = await aliceAndBobMeet(meeting)
  await perceives(host, { pictures: 1, voices: 1 })
  await openPeople(host)
  await doWithBob(host, 'Mute')
  await bobs.getByRole('button', { name: 'Unmute' }).waitFor()
  await perceivesNothing(host, 'audio')
  await host.getByRole('button', { name: 'Lock meeting' }).click()
  await host.getByRole('button', { name: 'Unlock meeting' }).waitFor()
  const { page: late } = await story.openPage()
  await late.goto(linkOf(meeting))
  await late.getByRole('heading', { name: 'The meeting is locked' }).waitFor()
  await perceives(bobs, { pictures: 1, voices: 1 })

  await host.getByRole('button', { name: 'Leave' }).click()
  await host.getByRole('button', { name: 'End for everyone' }).click()
  await bobs.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await host.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
})

test('cancelling the meeting lets its call go on, or ends it, as the host chooses', async () => {
  const meeting = await story.startMeeting(alice)
  const { host, bobs } = await aliceAndBobMeet(meeting)
  const { page: other } = await story.openPage({ person: alice })
  await other.goto(`/meetings/${meeting._id}`)
  await other.getByRole('button', { name: 'More actions' }).click()
  await other.getByRole('menuitem', { name: 'Cancel…' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByRole('radiogroup', { name: '2 people are in it now' }).waitFor()
  assert.ok(await dialog.getByRole('radio', { name: 'Cancel, keep the call' }).isChecked())
  await dialog.getByRole('button', { name: 'Cancel the meeting' }).click()
  await bobs.getByText(/^This meeting was cancelled\. The call goes on/).waitFor()
  await perceives(bobs, { pictures: 1, voices: 1 })
  await perceives(host, { pictures: 1, voices: 1 })
  const { page: late } = await story.openPage()
  await late.goto(linkOf(meeting))
  await late.getByRole('heading', { name: 'This meeting was cancelled' }).waitFor()
  await host.getByRole('button', { name: 'Leave' }).click()
  await host.getByRole('button', { name: 'End for everyone' }).click()
  await bobs.getByRole('heading', { name: 'The meeting was cancelled' }).waitFor()
  await other.goto(linkOf(meeting))
  await other.getByText('You can schedule it again from its page.').waitFor()

  const second = await story.startMeeting(alice)
  const again = await aliceAndBobMeet(second)
  await other.goto(`/meetings/${second._id}`)
  await other.getByRole('button', { name: 'More actions' }).click()
  await other.getByRole('menuitem', { name: 'Cancel…' }).click()
  await dialog.getByRole('radio', { name: 'Cancel and end the call' }).check()
  await dialog.getByRole('button', { name: 'Cancel the meeting' }).click()
  for (const page of [again.bobs, again.host]) {
    await page.getByRole('heading', { name: 'The meeting was cancelled' }).waitFor()
    await page.getByText('The call was ended for everyone.').waitFor()
  }
  await again.bobs.getByText('Ask the host').waitFor()
  assert.equal(await again.host.getByText('Ask the host').count(), 0)
})

test('a guest under a host’s name is marked in the lobby, the waiting list, the tile, the people and the chat', async () => {
  const meeting = await story.startMeeting(alice, { waitingRoom: true })
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page: impostor } = await story.openMeeting(meeting, 'Alice Test')
  await impostor.getByRole('button', { name: 'Ask to join' }).click()
  await host.getByText('Alice Test (guest) is waiting to join.').first().waitFor()
  await openPeople(host)
  await host.getByRole('button', { name: 'Admit Alice Test', exact: true }).waitFor()
  await checkPage(host, 'room-guest-waits')
  await host.getByRole('button', { name: 'Admit Alice Test', exact: true }).click()
  await perceives(host, { pictures: 1, voices: 1 })

  const badges = (page: Page) => page.getByText('Guest', { exact: true })
  const rows = people(host).getByRole('listitem')
  await rows.filter({ hasText: 'Guest' }).waitFor()
  assert.equal(await rows.count(), 2)
  assert.equal(await badges(people(host).page()).count(), 2, 'one in the list, one on the tile')
  await checkPage(host, 'room-guest-inside')

  const { page: lobby } = await story.openMeeting(meeting, alice)
  await lobby.getByText('In the meeting: Alice Test (guest)').waitFor()
  await lobby.getByText(/^You’re already in this call/).waitFor()
  await checkPage(lobby, 'room-lobby-inside-elsewhere')

  await openPeople(impostor)
  await impostor.getByRole('button', { name: 'Change your name' }).click()
  await impostor.getByRole('textbox', { name: 'Your name' }).fill('Gus')
  await checkPage(impostor, 'room-rename')
  await impostor.keyboard.press('Enter')
  await impostor.getByText('Others see you as Gus now.').waitFor()
  await rows.filter({ hasText: 'Renamed from Alice Test' }).getByText('Gus').waitFor()
  await checkPage(host, 'room-renamed')

  await impostor.getByRole('button', { name: /^Chat/ }).click()
  await impostor.getByRole('textbox', { name: 'Message everyone' }).fill('I am the host')
  await impostor.keyboard.press('Enter')
  await host.getByRole('button', { name: /^Chat/ }).click()
  const line = host.getByRole('log', { name: 'Messages' })
  await line.getByText('I am the host').waitFor()
  await line.getByText('Guest', { exact: true }).waitFor()
  await checkPage(host, 'room-guest-writes')
})

test('a host extends a call shortly before its end, and everyone reads when it ends', async () => {
  const meeting = await story.startMeeting(alice)
  const times = { startsAt: new Date(Date.now() - 26 * minuteMs), endsAt: new Date(Date.now() + 4 * minuteMs) }
  await story.app.database.updateTable('meeting').set(times).where('id', '=', meeting._id).execute()
  const { host, bobs } = await aliceAndBobMeet(meeting)
  await bobs.getByText(/^The planned end is at .* You can stay longer\.$/).waitFor()
  await host.getByText(/^The planned end is at .* No one is disconnected then\.$/).waitFor()
  await checkPage(host, 'room-ends-soon')
  await checkPage(bobs, 'room-ends-soon-for-participants')
  const planned = await bobs.getByText(/^Planned until/).textContent()
  await host.getByRole('button', { name: 'Extend by 15 minutes' }).click()
  for (const page of [host, bobs]) {
    await page
      .getByText(/^The planned end is now at/)
      .first()
      .waitFor()
    await page.getByText(/^The planned end is at/).waitFor({ state: 'detached' })
  }
  assert.notEqual(await bobs.getByText(/^Planned until/).textContent(), planned)
  await perceives(host, { pictures: 1, voices: 1 })
})

test('a host makes a cohost after a question and takes it back, and the person reads both', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await bobs.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await openPeople(host)

  await doWithBob(host, 'Make cohost')
  const dialog = host.getByRole('dialog', { name: 'Make Bob Test a cohost?' })
  await checkPage(host, 'room-make-cohost')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await doWithBob(host, 'Make cohost')
  await dialog.getByRole('button', { name: 'Make cohost' }).click()
  await bobs.getByRole('status').getByText('You’re a cohost now.').waitFor()
  await openPeople(bobs)
  await bobs.getByRole('button', { name: 'Lock meeting' }).waitFor()
  await checkPage(bobs, 'room-made-cohost')
  await bobs.getByRole('button', { name: 'Close' }).first().click()

  await doWithBob(host, 'Remove as cohost')
  await host.getByRole('dialog', { name: 'Remove Bob Test as cohost?' }).getByRole('button', { name: 'Remove' }).click()
  await bobs.getByRole('status').getByText('You’re no longer a cohost.').waitFor()
  await bobs.getByRole('button', { name: 'Lock meeting' }).waitFor({ state: 'hidden' })
  await perceives(host, { pictures: 1, voices: 1 })

  await doWithBob(host, 'Make host')
  await host.getByRole('dialog').getByRole('button', { name: 'Make host' }).click()
  await bobs.getByRole('status').getByText('You’re a host now.').waitFor()
  await doWithBob(host, 'Remove as host')
  await host.getByRole('dialog').getByRole('button', { name: 'Remove as host' }).click()
  await bobs.getByRole('status').getByText('You’re no longer a host.').waitFor()

  await host.getByRole('button', { name: 'Leave', exact: true }).click()
  await host.getByText('No other host is here.').waitFor()
  await checkPage(host, 'room-leave-host')
  await host.getByRole('button', { name: 'Hand over and leave…' }).click()
  assert.equal(await host.getByRole('combobox', { name: 'New host' }).locator(':checked').textContent(), 'Bob Test')
  await checkPage(host, 'room-hand-over')
  await host.keyboard.press('Tab')
  await host.keyboard.press('Enter')
  await host.getByRole('heading', { name: 'You left the meeting' }).waitFor()
  await bobs.getByRole('status').getByText('You’re a host now.').waitFor()
  await bobs.getByRole('button', { name: 'Leave', exact: true }).click()
  await bobs.getByRole('button', { name: 'End for everyone' }).waitFor()
})

test('a host sets what participants may do, for all and for one, who read what is off and why', async () => {
  const { host, bobs } = await aliceAndBobMeet(await story.startMeeting(alice))
  await openPeople(host)
  await bobs.getByRole('button', { name: /^Chat/ }).click()
  await bobs.getByRole('textbox', { name: 'Message everyone' }).fill('Half a sentence')
  await host.getByRole('button', { name: 'Permissions…' }).click()
  const rights = host.getByRole('dialog', { name: 'What participants can do' })
  const off = async (name: string) => {
    await rights.getByRole('switch', { name }).click()
    await rights.getByRole('switch', { name, checked: false }).waitFor()
  }
  await off('Write in the chat')
  await bobs.getByRole('status').getByText('A host turned off for you: chat.').waitFor()
  await bobs.getByText('A host has turned off the chat for you. You can still read it.').waitFor()
  await off('Turn on the camera')
  await off('Share a screen')
  await off('Send reactions')
  await perceivesNothing(host, 'video')
  await perceives(host, { voices: 1 })
  await checkPage(host, 'room-rights-of-all')
  await bobs.getByRole('button', { name: 'Start video: turned off by a host' }).click({ force: true })
  await bobs.getByText('A host has turned off video for you.').waitFor()
  await bobs.getByRole('button', { name: 'React: turned off by a host' }).waitFor()
  await checkPage(bobs, 'room-rights-taken')
  await bobs.reload()
  await bobs.getByText('Turned off by a host: camera, screen sharing, chat, and reactions').waitFor()
  await bobs.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { voices: 1 })
  await rights.getByRole('button', { name: 'Close' }).click()

  await doWithBob(host, 'Permissions…')
  const ofBob = host.getByRole('dialog', { name: 'What Bob Test can do' })
  await ofBob.getByRole('switch', { name: 'Turn on the camera' }).click()
  await bobs.getByRole('status').getByText('A host turned on again for you: camera.').waitFor()
  await bobs.getByRole('button', { name: 'Start video', exact: true }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await ofBob.getByRole('switch', { name: 'Write in the chat' }).click()
  await bobs.getByRole('button', { name: /^Chat/ }).click()
  await bobs.getByRole('textbox', { name: 'Message everyone' }).fill('Allowed again')
  await bobs.keyboard.press('Escape')
  await bobs.getByRole('button', { name: /^Chat/ }).click()
  assert.equal(await bobs.getByRole('textbox', { name: 'Message everyone' }).inputValue(), 'Allowed again')
  await bobs.keyboard.press('Enter')
  await ofBob.getByRole('button', { name: 'Close' }).click()
  // A short look at the message, and Escape in a menu closes nothing but the menu.
  await people(host).getByRole('button', { name: 'Actions for Bob Test', exact: true }).click()
  await host.getByRole('menuitem', { name: 'Remove from meeting' }).waitFor()
  await host.keyboard.press('Escape')
  await host.getByRole('menuitem', { name: 'Remove from meeting' }).waitFor({ state: 'hidden' })
  await people(host).waitFor()
  await bobs.getByRole('textbox', { name: 'Message everyone' }).fill('Seen at once')
  await bobs.keyboard.press('Enter')
  await host.getByText('Seen at once').waitFor()
  await host.getByRole('button', { name: 'Reply privately' }).click()
  await host.getByRole('textbox', { name: 'Message only Bob Test' }).waitFor()
  await host.getByText('Allowed again', { exact: true }).waitFor()
})

test('a removed guest enters again in another browser; the host requires approval of new guests with one click, and lifts it', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await openPeople(host)

  const { page: mias } = await story.openMeeting(meeting, 'Mia')
  await mias.getByRole('button', { name: 'Join now' }).click()
  await host.getByRole('button', { name: 'Actions for Mia' }).click()
  await host.getByRole('menuitem', { name: 'Remove from meeting' }).click()
  await host.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await mias.getByRole('heading', { name: 'You were removed from the meeting' }).waitFor()
  await host.getByText('Mia (guest) was removed.').waitFor()
  const haveWait = host.getByRole('status').getByRole('button', { name: 'Have new guests wait' })
  // A toast stays while it has the focus.
  await haveWait.focus()
  await checkPage(host, 'room-guest-removed')
  await haveWait.click()
  await host.getByText('New guests wait until you admit them.', { exact: true }).waitFor()

  const { page: back } = await story.openMeeting(meeting, 'Not Mia')
  await back.getByRole('button', { name: 'Ask to join' }).click()
  await back.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await host.getByRole('button', { name: 'Admit Not Mia' }).waitFor()
  await checkPage(host, 'room-new-guests-wait')

  await host.getByRole('button', { name: 'Admit new guests automatically' }).click()
  await back.getByRole('button', { name: 'Leave' }).waitFor()
  await host.getByText('Not Mia', { exact: true }).first().waitFor()
  await host.getByRole('button', { name: 'Have new guests wait' }).waitFor()
})
