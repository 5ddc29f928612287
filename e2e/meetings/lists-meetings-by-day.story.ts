import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, isInSight } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { between, dayMs, hourMs, minuteMs, scheduleQuietly } from './meetings.ts'

const weekMs = 7 * dayMs

async function setList(locale: string) {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]
  const meet = (topic: string, fromMs: number, changes: object = {}) =>
    scheduleQuietly(alice, standUp({ topic, ...between(fromMs, fromMs + 50 * minuteMs), participants: [], ...changes }))
  const everyWeek = { repeatOptions: { repeat: 'daily', interval: 7, timeZone: 'GMT' } }
  await meet('مراجعة الميزانية with the whole sales team of the northern regions', 2 * dayMs)
  const guests = [bob.email, 'guest@elsewhere.example', 'other@elsewhere.example', 'last@elsewhere.example']
  await meet('Weekly for a year', 3 * dayMs - 52 * weekMs, { ...everyWeek, participants: guests })
  const tomorrow = await meet('Interview', dayMs)
  const running = await meet('Review', -10 * minuteMs, { participants: [bob.email] })
  await scheduleQuietly(
    bob,
    standUp({ topic: 'Bob’s retro', ...between(8 * dayMs, 8 * dayMs + hourMs), participants: [alice.email] }),
  )
  const { page } = await openPage({ person: alice, locale })
  return { page, tomorrow, running }
}

test('upcoming dates are grouped by day, a series on each of its dates, and what runs now stands above them', async () => {
  const { page, tomorrow, running } = await setList('en-GB')
  await page.goto('/meetings')
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.first().waitFor()
  const topics = await rows.evaluateAll((all) => all.map((row) => row.querySelector('bdi')?.textContent ?? ''))
  assert.deepEqual(
    topics.slice(0, 6).map((topic) => topic.slice(-20)),
    [
      'Interview',
      ' of the northern regions'.slice(-20),
      'Weekly for a year',
      'Bob’s retro',
      'Weekly for a year',
      'Weekly for a year',
    ].map((one) => one.slice(-20)),
  )
  const current = page.getByRole('region', { name: 'Scheduled now' })
  await current.getByText('Review').waitFor()
  assert.equal(await page.getByText('Review').count(), 1, 'what is above is not listed again')
  // The first row is seen without scrolling.
  const { y = 0 } = (await rows.first().boundingBox()) ?? {}
  assert.ok(y > 0 && y < 450, `the first row begins at ${y} px`)
  const ofTomorrow = page.getByRole('region', { name: /^Tomorrow / })
  await ofTomorrow.getByText('Interview').waitFor()
  assert.equal(await ofTomorrow.getByRole('link', { name: /^Join / }).count(), 0)
  const series = rows.filter({ hasText: 'Weekly for a year' }).first()
  await series.getByText('Repeats').waitFor()
  await series.getByText('With Bob Test, guest@elsewhere.example, other@elsewhere.example and 1 more').waitFor()
  await rows.filter({ hasText: 'Bob’s retro' }).getByText('Hosted by Bob Test').waitFor()
  await checkPage(page, 'meetings-by-day')

  await ofTomorrow.getByRole('listitem').scrollIntoViewIfNeeded()
  await clickWhereSeen(ofTomorrow.getByRole('listitem'))
  await page.getByRole('heading', { name: 'Interview', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/meetings/${tomorrow._id}`)
  await page.goBack()
  await clickWhereSeen(current.getByRole('link', { name: 'Join Review' }))
  await page.getByRole('heading', { name: 'Review' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/j/${running.svcMeetId}`)
})

test('on a phone, in both writing directions, no row is wider than the screen, and a meeting can be joined by touch', async () => {
  const { page, running } = await setList('ar')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/meetings')
  const join = page
    .getByRole('main')
    .getByRole('link', { name: /Review/ })
    .last()
  await join.scrollIntoViewIfNeeded()
  await isInSight(join)
  await checkPage(page, 'meetings-by-day-ar')
  await join.scrollIntoViewIfNeeded()
  await clickWhereSeen(join)
  await page.waitForURL(`/j/${running.svcMeetId}`)
})
