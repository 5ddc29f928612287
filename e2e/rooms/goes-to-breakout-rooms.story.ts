import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { perceives, perceivesNothing } from '../media/perception.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startRoomStory, withLivekit } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

async function openBreakout(page: Page) {
  await clickWhereSeen(button(page, 'More'))
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Breakout rooms' }))
  return page.getByRole('dialog', { name: 'Breakout rooms' })
}

const inRoom = (page: Page, room: string) => page.getByText(`You’re in ${room}.`).waitFor()

test('Alice moves Bob to a breakout room, comes when he asks for help, and calls everyone back', {
  skip: withLivekit,
}, async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(host, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await perceives(host, { pictures: 1, voices: 1 })
  await perceives(bobs, { pictures: 1, voices: 1 })
  const writes = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message everyone' }).fill(text)
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText(text).waitFor()
  }
  await clickWhereSeen(bobs.getByRole('button', { name: /^Chat/ }))
  await writes(bobs, 'Before the rooms')

  // By keyboard.
  const setup = await openBreakout(host)
  await setup.getByRole('combobox', { name: 'Who goes where' }).selectOption('By hand')
  await setup.getByRole('textbox', { name: 'Name of room 1' }).fill('Blue')
  await setup.getByRole('combobox', { name: 'Room of Bob Test' }).selectOption('Blue')
  await checkPage(host, 'room-breakout-setup')
  await setup.getByRole('button', { name: 'Open rooms' }).press('Enter')

  await inRoom(bobs, 'Blue')
  await host.getByText('Breakout rooms are open. You’re in the main room.').waitFor()
  await bobs.getByText('You’re the only one in this breakout room.').waitFor()
  await perceivesNothing(host, 'audio')
  await perceivesNothing(bobs, 'audio')
  assert.equal(await bobs.getByText('Before the rooms').count(), 0, 'each room has a chat of its own')
  await writes(bobs, 'Only here')
  await checkPage(bobs, 'room-breakout-inside')

  await clickWhereSeen(button(bobs, 'Ask for help'))
  await host.getByText('Bob Test asks for help in Blue.').waitFor()
  await clickWhereSeen(button(host, 'Go there'))
  await inRoom(host, 'Blue')
  await perceives(host, { pictures: 1, voices: 1 })
  await perceives(bobs, { pictures: 1, voices: 1 })
  await clickWhereSeen(host.getByRole('button', { name: /^Chat/ }))
  await host.getByRole('log').getByText('Only here').waitFor()
  assert.equal(await host.getByRole('log').getByText('Before the rooms').count(), 0)
  await clickWhereSeen(button(host, 'Go to main room'))
  await perceivesNothing(host, 'audio')
  await host.getByRole('log').getByText('Before the rooms').waitFor()

  // A reload comes back to the same room.
  await bobs.reload()
  await clickWhereSeen(button(bobs, 'Join now'))
  await inRoom(bobs, 'Blue')
  await perceivesNothing(host, 'audio')

  const open = await openBreakout(host)
  await open.getByRole('textbox', { name: 'Message to everyone' }).fill('Please come back')
  await open.getByRole('button', { name: 'Send' }).click()
  await bobs.getByText('Message from the host: Please come back').waitFor()
  await open.getByRole('switch', { name: 'People choose their room' }).click({ force: true })
  await checkPage(host, 'room-breakout-open')
  const choice = await (async () => {
    await clickWhereSeen(button(bobs, 'Change room'))
    return bobs.getByRole('dialog', { name: 'Breakout rooms' })
  })()
  await choice.getByRole('button', { name: 'Go there: Room 2' }).click()
  await inRoom(bobs, 'Room 2')

  await open.getByRole('combobox', { name: 'Close in' }).selectOption('15 seconds')
  await open.getByRole('button', { name: 'Close rooms' }).click()
  await bobs.getByText('The breakout rooms close soon. You’ll return to the main room.').waitFor()
  await bobs.getByRole('timer', { name: 'Time left' }).waitFor()
  await bobs.getByText('The breakout rooms have closed. You’re back in the main room.').waitFor()
  await perceives(host, { pictures: 1, voices: 1 })
  await perceives(bobs, { pictures: 1, voices: 1 })
})
