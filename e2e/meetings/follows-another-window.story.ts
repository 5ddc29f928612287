import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startStory } from '../start-story.ts'
import { chooseAction } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob } = await meetPeople(app)

/** Sooner than the list looks for running meetings by itself, every 20 seconds. */
const soonMs = 8_000

test('what Bob answers in one window is shown in the other', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  const { page, context } = await openPage({ person: bob })
  const answers = page.getByRole('region', { name: 'Are you coming?' })
  await page.goto(`/meetings/${meeting._id}`)
  await answers.getByText('You have not answered yet.').waitFor()
  const other = await context.newPage()
  await other.goto(`/meetings/${meeting._id}`)
  await other.getByRole('button', { name: 'Maybe', exact: true }).click()
  await answers.getByText('You said maybe.').waitFor()
})

test('what Alice changes on another machine is shown on Bob’s open pages, over one stream for all his windows', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Planning', participants: [bob.email] }))
  const { page, context } = await openPage({ person: bob })
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/user/events')) streams.push(request.url())
  })
  await page.goto(`/meetings/${meeting._id}`)
  await page.getByRole('heading', { name: 'Planning', level: 1, exact: true }).waitFor()
  const other = await context.newPage()
  await other.goto('/meetings')
  await other.getByRole('link', { name: 'Planning' }).first().waitFor()
  await other.waitForTimeout(2_500)
  assert.equal(streams.length, 1)
  const changed = standUp({ topic: 'Planning in detail', participants: [bob.email] })
  await expectOk(alice.send('PUT', detailsPath(meeting), changed))
  await app.publishEvents()
  await other.getByRole('link', { name: 'Planning in detail' }).first().waitFor({ timeout: soonMs })
  await page.bringToFront()
  await page.getByRole('heading', { name: 'Planning in detail', level: 1, exact: true }).waitFor()

  // The window with the stream is closed: the other one takes over.
  await page.close()
  await other.bringToFront()
  await other.waitForTimeout(1_000)
  await expectOk(alice.send('PUT', detailsPath(meeting), { ...changed, topic: 'Planning at last' }))
  await app.publishEvents()
  await other.getByRole('link', { name: 'Planning at last' }).first().waitFor({ timeout: soonMs })
  assert.equal(streams.length, 2)
})

test('a description that becomes longer than three lines, or that is added, can be unfolded at once', async () => {
  const described = (lines: number) =>
    standUp({ topic: 'Outline', participants: [bob.email], description: 'One line.\n'.repeat(lines).trim() })
  const { page } = await openPage({ person: bob })
  const more = page.getByRole('button', { name: 'Show more', expanded: false })
  for (const before of [3, 0]) {
    const meeting = await schedule(alice, described(before))
    const streamed = page.waitForResponse((response) => response.url().endsWith('/api/user/events'))
    await page.goto(`/meetings/${meeting._id}`)
    await page.getByRole('heading', { name: 'Outline', level: 1, exact: true }).waitFor()
    await streamed
    assert.equal(await more.count(), 0)
    await expectOk(alice.send('PUT', detailsPath(meeting), described(9)))
    await app.publishEvents()
    await more.waitFor({ timeout: soonMs })
  }
})

test('a page that could not fetch the part which follows changes fetches it again, and shows what it has missed', async () => {
  const topic = 'Retrospective'
  const meeting = await schedule(alice, standUp({ topic, participants: [bob.email] }))
  const { page, context } = await openPage({ person: bob, expected: /ERR_FAILED/ })
  let isAway = true
  const refused = new Promise<void>((resolve) => {
    void context.route(/follow-changes/, async (route) => {
      if (!isAway) return await route.continue()
      await route.abort()
      resolve()
    })
  })
  await page.goto(`/meetings/${meeting._id}`)
  await page.getByRole('heading', { name: topic, level: 1, exact: true }).waitFor()
  await refused
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Review', participants: [bob.email] })))
  await app.publishEvents()
  const streamed = page.waitForResponse((response) => response.url().endsWith('/api/user/events'))
  isAway = false
  await page.getByRole('heading', { name: 'Review', level: 1, exact: true }).waitFor()
  await streamed
})

test('on a phone, Back closes a dialog and leaves the page where it is', async () => {
  await schedule(alice, standUp())
  const { page } = await openPage({ person: alice, viewport: { width: 390, height: 844 } })
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Stand-up' }).first().click()
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  const address = page.url()
  assert.match(address, /\/meetings\/[0-9a-f-]{36}/)
  await chooseAction(page, 'Cancel…')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.evaluate(() => history.back())
  await dialog.waitFor({ state: 'hidden' })
  // The browser has gone back and comes forward again.
  await page.waitForURL(address)
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await dialog.waitFor()
  await page.evaluate(() => history.back())
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForURL(address)
  await page.evaluate(() => history.back())
  await page.waitForURL('**/meetings')
})
