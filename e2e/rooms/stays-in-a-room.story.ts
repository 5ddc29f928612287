import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { perceives, perceivesNothing } from '../media/perception.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice } = await meetPeople(story.app)

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave the call?' })

/** Answer the browser's own question, which appears only for a page that a person has used. */
function answerBrowser(page: Page, leaves: () => boolean): string[] {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void (leaves() ? dialog.accept() : dialog.dismiss())
  })
  return asked
}

test('inside, no key, Back, link or reload ends the call without a question', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: guest } = await story.openMeeting(meeting, 'Gita')
  await guest.getByRole('button', { name: 'Join now' }).click()
  const { page } = await story.openMeeting(meeting, alice)
  let leaves = true
  const asked = answerBrowser(page, () => leaves)
  await page.goto('/meetings')
  await page
    .getByRole('link', { name: /^Join / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  await page.reload()
  assert.deepEqual(asked, [], 'nothing is asked in the lobby')
  await page.getByRole('button', { name: 'Join now' }).click()
  await perceives(page, { pictures: 1, voices: 1 })

  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByText('Raise or lower your hand').waitFor()
  assert.equal(await search.getByText('Schedule a meeting').count(), 0)
  assert.equal(await search.getByText('Meetings', { exact: true }).count(), 0)
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'hidden' })

  await page.evaluate(() => history.back())
  await question(page).waitFor()
  await checkPage(page, 'room-leave-question')
  assert.ok(await page.getByRole('button', { name: 'Stay' }).evaluate((button) => button === document.activeElement))
  await page.keyboard.press('Enter')
  await question(page).waitFor({ state: 'hidden' })
  await perceives(page, { pictures: 1, voices: 1 })

  leaves = false
  await page.getByRole('button', { name: 'Mute' }).click()
  await page.reload({ timeout: 3_000 }).catch(() => {})
  assert.deepEqual(asked, ['beforeunload'])
  await perceives(page, { pictures: 1, voices: 1 })

  await page.evaluate(() => history.back())
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/meetings')
  await perceivesNothing(guest, 'audio')
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'], 'nothing is asked outside')
})

test('nothing is asked once the person has left, was removed, or the meeting has ended', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page } = await story.openMeeting(meeting, 'Gita')
  const asked = answerBrowser(page, () => true)
  await page.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Join again' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await host.getByRole('button', { name: /^People/ }).click()
  await host.getByRole('button', { name: /^Actions for Gita/ }).click()
  await host.getByRole('menuitem', { name: 'Remove from meeting' }).click()
  await host.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'You were removed from the meeting' }).waitFor()
  await page.reload()

  const asksHost = answerBrowser(host, () => true)
  await host.getByRole('button', { name: 'Leave' }).click()
  await host.getByRole('button', { name: 'End for everyone' }).click()
  await host.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await host.reload()
  assert.deepEqual([...asked, ...asksHost], [])
})
