import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { between, minuteMs } from '../meetings/meetings.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, bob)

const next = (page: Page, name: string) => page.getByRole('region', { name })

test('of two meetings at once each can be joined; one with people inside is running, and one that was ended is not', async () => {
  const now = between(-5 * minuteMs, 40 * minuteMs)
  const review = await story.startMeeting(alice, {}, { topic: 'Review', ...now })
  await story.startMeeting(alice, {}, { topic: 'Interview', ...now })
  const { page: list } = await story.openPage({ person: alice })
  await list.goto('/meetings')
  await next(list, 'Scheduled now').getByRole('link', { name: 'Join Interview' }).waitFor()
  await next(list, 'Scheduled now').getByRole('link', { name: 'Join Review' }).waitFor()

  const { page: bobs } = await story.openMeeting(review, bob)
  await clickWhereSeen(bobs.getByRole('button', { name: 'Join now' }))
  await bobs.getByRole('button', { name: 'Leave' }).waitFor()
  // The list refetches by itself.
  const running = next(list, 'Running now')
  await running.getByText('People are inside').waitFor()
  assert.equal(await running.getByRole('link', { name: /^Join / }).count(), 1)
  await next(list, 'Scheduled now').getByRole('link', { name: 'Join Interview' }).waitFor()
  await checkPage(list, 'meetings-running')

  await clickWhereSeen(running.getByRole('link', { name: 'Join Review' }))
  await clickWhereSeen(list.getByRole('button', { name: 'Join now' }))
  await clickWhereSeen(list.getByRole('button', { name: 'Leave' }))
  await clickWhereSeen(list.getByRole('button', { name: 'End for everyone' }))
  await clickWhereSeen(list.getByRole('link', { name: 'Go to your meetings' }))
  await next(list, 'Scheduled now').getByRole('link', { name: 'Join Interview' }).waitFor()
  // Outdated data is refetched at once, not at the next interval.
  await list.getByRole('link', { name: 'Join Review' }).first().waitFor({ state: 'detached', timeout: 10_000 })
  assert.equal(await next(list, 'Running now').count(), 0)
})
