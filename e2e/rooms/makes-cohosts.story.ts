import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { perceives } from '../media/perception.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

const openPeople = (page: Page) => page.getByRole('button', { name: /^People/ }).click()
const people = (page: Page) => page.getByRole('list', { name: /^In the meeting/ })

async function doWith(page: Page, name: string, action: string) {
  await people(page)
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

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

  await impostor.getByRole('button', { name: /^Chat/ }).click()
  await impostor.getByRole('textbox', { name: 'Message everyone' }).fill('I am the host')
  await impostor.keyboard.press('Enter')
  await host.getByRole('button', { name: /^Chat/ }).click()
  const line = host.getByRole('log', { name: 'Messages' })
  await line.getByText('I am the host').waitFor()
  await line.getByText('Guest', { exact: true }).waitFor()
  await checkPage(host, 'room-guest-writes')
})

test('a host makes a cohost after a question and takes it back, and the person reads both', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await bobs.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await openPeople(host)

  await doWith(host, 'Bob Test', 'Make cohost')
  const dialog = host.getByRole('dialog', { name: 'Make Bob Test a cohost?' })
  await checkPage(host, 'room-make-cohost')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await doWith(host, 'Bob Test', 'Make cohost')
  await dialog.getByRole('button', { name: 'Make cohost' }).click()
  await bobs.getByRole('status').getByText('You’re a cohost now.').waitFor()
  await openPeople(bobs)
  await bobs.getByRole('button', { name: 'Lock meeting' }).waitFor()
  await checkPage(bobs, 'room-made-cohost')
  await bobs.getByRole('button', { name: 'Close' }).first().click()

  await doWith(host, 'Bob Test', 'Remove as cohost')
  await host.getByRole('dialog', { name: 'Remove Bob Test as cohost?' }).getByRole('button', { name: 'Remove' }).click()
  await bobs.getByRole('status').getByText('You’re no longer a cohost.').waitFor()
  await bobs.getByRole('button', { name: 'Lock meeting' }).waitFor({ state: 'hidden' })
  await perceives(host, { pictures: 1, voices: 1 })
})
