import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

test('in the calendar a guest tells unanswered, accepted, possible, declined and past dates apart', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { alice, bob } = await meetPeople(app)
  const invite = async (topic: string, day: number, response?: string) => {
    const at = { startTime: `2030-01-${day}T09:00:00Z`, endTime: `2030-01-${day}T10:00:00Z` }
    const meeting = await scheduleQuietly(alice, standUp({ topic, ...at, participants: [bob.email] }))
    if (response !== undefined) await bob.send('POST', `${detailsPath(meeting)}/response`, { response })
  }
  await invite('Over', 14, 'accepted')
  await invite('Unanswered', 16)
  await invite('Accepted', 17, 'accepted')
  await invite('Possible', 18, 'tentative')
  await invite('Declined', 19, 'declined')
  const { page } = await openPage({ person: bob, viewport: { width: 1440, height: 900 } })
  await page.clock.setFixedTime('2030-01-15T12:00:00Z')
  await page.goto('/calendar?view=week')
  const look = (topic: string) =>
    page.getByRole('link', { name: new RegExp(`${topic}$`) }).evaluate((link) => {
      const { backgroundColor, backgroundImage, borderTopWidth, textDecorationLine } = getComputedStyle(link)
      return [backgroundColor, backgroundImage, borderTopWidth, textDecorationLine].join(' | ')
    })
  await page.getByRole('link', { name: /Declined$/ }).waitFor()
  const looks = await Promise.all(['Over', 'Unanswered', 'Accepted', 'Possible', 'Declined'].map(look))
  assert.equal(new Set(looks).size, looks.length)
  assert.match(looks[4] ?? '', /line-through$/)
  const title = await page.getByRole('link', { name: /Possible$/ }).getAttribute('title')
  assert.equal(title, 'Possible, 09:00–10:00 · You said maybe · Only the host can move it')
  await checkPage(page, 'calendar-answers')
  await page.goto('/calendar?view=month')
  await page.getByRole('link', { name: /Declined$/ }).waitFor()
  await checkPage(page, 'calendar-answers-month')
})
