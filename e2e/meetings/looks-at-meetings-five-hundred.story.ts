import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { quantile } from '../../bench/figures.ts'
import { startStory } from '../start-story.ts'
import { minuteMs, scheduleQuietly } from './meetings.ts'

/** CPU throttling that makes a developer's machine as slow as a cheap phone. */
const throttle = 4
/** Seventeen series on each of the 31 days of January. */
const series = 17
const dates = series * 31
const scrolls = 60
/** The calendar's limit. */
const maxDates = 1000

test('five hundred dates of a month are rendered, and the frame times of scrolling are reported', async (t) => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const firstAt = Date.parse('2030-01-01T08:00:00Z')
  for (let number = 0; number < series; number++) {
    const startsAt = firstAt + number * 30 * minuteMs
    await scheduleQuietly(
      alice,
      standUp({
        topic: `Series ${number + 1}`,
        startTime: new Date(startsAt).toISOString(),
        endTime: new Date(startsAt + 45 * minuteMs).toISOString(),
        repeatOptions: { repeat: 'daily', endDate: '2030-01-31T23:59:59Z', timeZone: 'GMT' },
      }),
    )
  }
  const { page, context } = await openPage({ person: alice })
  await page.setViewportSize({ width: 1280, height: 800 })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  for (const view of ['agenda', 'month', 'week'] as const) {
    await page.goto(`/calendar?view=${view}&date=2030-01-09`)
    const links = page.getByRole('main').getByRole('link', { name: /Series \d+$/ })
    await links.first().waitFor()
    if (view === 'agenda') assert.equal(await links.count(), dates)
    if (view === 'week') assert.equal(await links.count(), series * 7)
    await page.mouse.move(800, 600)
    await page.evaluate(recordFrames)
    for (let scroll = 0; scroll < scrolls; scroll++) await page.mouse.wheel(0, scroll < scrolls / 2 ? 120 : -120)
    const frames = await page.evaluate<number[]>(() => Object(globalThis).frames)
    const frameTimes = [0.5, 0.95, 1].map((part) => `${Math.round(quantile(frames, part))} ms`).join(', ')
    t.diagnostic(
      `${view}: ${frames.length} frames; median, 95th hundredth, slowest: ${frameTimes} (CPU ${throttle}× slower)`,
    )
  }
})

/** Evaluated through the debugger: record the duration of each frame. */
function recordFrames() {
  const frames: number[] = []
  Object(globalThis).frames = frames
  let before: number | undefined
  const note = (at: number) => {
    if (before !== undefined) frames.push(at - before)
    before = at
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

test('when there are more dates than one reply holds, the first are shown with a note', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  for (let number = 0; number < maxDates / 30; number++) {
    await scheduleQuietly(
      alice,
      standUp({
        topic: `Series ${number + 1}`,
        repeatOptions: { repeat: 'daily', endDate: '2030-03-31T23:59:59Z', timeZone: 'GMT' },
      }),
    )
  }
  const { page } = await openPage({ person: alice })
  await page.goto('/calendar?view=agenda&date=2030-03-09')
  await page.getByText('Only the first 1,000 dates are shown.').waitFor()
  await page.goto('/calendar?view=day&date=2030-03-09')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Series 1$/ })
    .first()
    .waitFor()
  assert.equal(await page.getByText('Only the first').count(), 0)
})
