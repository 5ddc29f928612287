import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, alice)

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
