import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice } = await meetPeople(story.app)

test('a removed guest enters again in another browser; the host requires approval of new guests with one click, and lifts it', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await host.getByRole('button', { name: /^People/ }).click()

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
