import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { between, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

test('Olga, an administrator, looks at private meetings of Alice', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const invited = { participants: [bob.email], description: 'What the board decides' }
  const single = await scheduleQuietly(
    alice,
    standUp({ ...between(dayMs, dayMs + hourMs), ...invited, topic: 'Board' }),
  )
  const series = await scheduleQuietly(
    alice,
    weekdays({
      ...between(dayMs, dayMs + hourMs),
      ...invited,
      topic: 'Daily',
      repeatOptions: { repeat: 'daily', timeZone: 'GMT' },
    }),
  )
  const { page } = await openPage({ person: olga })
  for (const [name, meeting] of [
    ['single', single],
    ['series', series],
  ] as const) {
    await page.goto(`/meetings/${meeting._id}`)
    await page.getByRole('heading', { level: 1, name: meeting.topic }).waitFor()
    await page.getByText('You see the topic, the times, the host and how many have answered.').waitFor()
    await page.getByText('1 has not answered').waitFor()
    for (const name of ['Join', 'More actions', 'Add to your calendar', 'Copy invitation', 'QR code', 'Copy']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    assert.equal(await page.getByRole('link', { name: /^Join/ }).count(), 0)
    assert.equal(await page.getByText(bob.email).count(), 0)
    await checkPage(page, `administrator-sees-${name}`)
  }
})
