import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { detailsPath, meetPeople, standUp, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob, carol } = await meetPeople(app)
const desktop = { viewport: { width: 1440, height: 900 } }
const layerOf = (page: Page, topic: string) => page.getByRole('dialog', { name: topic })
const linkTo = (page: Page, topic: string) => page.getByRole('link', { name: new RegExp(`${topic}$`) })

test('by keyboard alone, Alice sees who answered what about a date, and goes on to edit or cancel it', async () => {
  const series = await scheduleQuietly(
    alice,
    weekdays({ topic: 'Planning', location: 'Room 4', participants: [bob.email, carol.email] }),
  )
  await bob.send('POST', `${detailsPath(series)}/response`, { response: 'accepted' })
  await bob.send('POST', `${detailsPath(series)}/response`, {
    response: 'declined',
    occurrence: '2030-01-15T09:00:00.000Z',
  })
  const { page, context } = await openPage({ person: alice, ...desktop })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/calendar?view=week&date=2030-01-14')
  const date = linkTo(page, 'Planning').nth(1)
  await date.focus()
  await page.keyboard.press('Enter')
  const layer = layerOf(page, 'Planning')
  await layer.getByText('Tue, 15 Jan 2030, 09:00–09:30').waitFor()
  await layer.getByText('Room 4').waitFor()
  await layer.getByText('1 no, 1 has not answered').waitFor()
  await layer.getByRole('listitem').filter({ hasText: 'Bob' }).getByText('No', { exact: true }).waitFor()
  assert.equal(await layer.getByRole('link', { name: 'Start Planning' }).count(), 0, 'it is not near')
  await checkPage(page, 'calendar-date')
  await page.keyboard.press('Escape')
  await layer.waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Planning'))

  await date.click()
  await layer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy the link' }).click()
  await page.getByText('The link is copied.').waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/j\/\d{10}#pin=/)
  await layer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel this date…' }).click()
  await page
    .getByRole('dialog', { name: 'Cancel “Planning”' })
    .getByRole('button', { name: 'Keep the meeting' })
    .click()
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Planning'))
  await date.click()
  await layer.getByRole('button', { name: 'Edit', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Edit “Planning”' })
  await question.getByText('Tue, 15 Jan 2030, 09:00–09:30').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()

  // A click elsewhere closes the layer.
  await date.click()
  await layer.waitFor()
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).click()
  await layer.waitFor({ state: 'hidden' })
})

test('Alice chooses the colour of a series by keys, which Bob does not see, and both pages have it', async () => {
  const series = await scheduleQuietly(alice, weekdays({ topic: 'Retro', participants: [bob.email] }))
  const colourTo = async ({ send }: typeof alice) => (await send('GET', detailsPath(series))).body[0].colour
  const former = await colourTo(bob)
  const { page } = await openPage({ person: alice, ...desktop })
  await page.goto('/calendar?view=week&date=2030-01-14')
  await linkTo(page, 'Retro').first().click()
  const saved: string[] = []
  page.on('response', (response) => {
    const request = response.request()
    if (request.method() === 'PUT') saved.push(request.postDataJSON().colour)
  })
  const colours = layerOf(page, 'Retro').getByRole('group', { name: 'Colour' })
  // A click, because a colour that is chosen already would not be focused by `check`.
  await colours.getByRole('radio', { name: 'Teal' }).click()
  // Each key is a choice, and the last one stays.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
  await colours.getByRole('radio', { name: 'Purple', checked: true }).waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement>('a[data-date]')].some(
      (link) => link.textContent?.endsWith('Retro') && link.style.getPropertyValue('--hue') === '305',
    ),
  )
  // They are saved one after another; the calendar has shown the first purple as well.
  while (saved.slice(-2).join() !== 'pink,purple') await page.waitForTimeout(100)
  assert.equal(await colourTo(alice), 'purple')
  await layerOf(page, 'Retro').getByRole('link', { name: 'All details' }).click()
  await page.getByRole('button', { name: 'Colour: Purple' }).click()
  await page.getByRole('radio', { name: 'Gold' }).check()
  await checkPage(page, 'meeting-colour')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Colour: Gold' }).waitFor()
  assert.deepEqual([await colourTo(alice), await colourTo(bob)], ['gold', former])
})

test('on a phone, Bob answers a series and then one date of it, in a sheet', async () => {
  const series = await scheduleQuietly(alice, weekdays({ topic: 'Course', participants: [bob.email] }))
  const { page } = await openPage({ person: bob, viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto('/calendar?view=day&date=2030-01-15')
  await linkTo(page, 'Course').click()
  const layer = layerOf(page, 'Course')
  const answers = layer.getByRole('group', { name: 'Are you coming?' })
  const isPressed = (name: string) => answers.getByRole('button', { name, pressed: true }).waitFor()
  await layer.getByText('Hosted by Alice').waitFor()
  await answers.getByRole('button', { name: 'Yes' }).click()
  await isPressed('Yes')
  await layer.getByText('Only this date').click()
  await answers.getByRole('button', { name: 'No' }).click()
  await isPressed('No')
  await checkPage(page, 'calendar-date-of-a-guest')
  const { body } = await bob.send(
    'GET',
    `${detailsPath(series)}/occurrences?from=2030-01-14T00:00:00Z&to=2030-01-17T00:00:00Z`,
  )
  assert.deepEqual(
    body.occurrences.map(({ response }: { response: string }) => response),
    ['accepted', 'declined', 'accepted'],
  )
})

test('a date that is near offers to join', async () => {
  await scheduleQuietly(
    alice,
    standUp({ topic: 'Interview', startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' }),
  )
  const { page } = await openPage({ person: alice, ...desktop })
  await page.clock.setFixedTime('2030-01-08T09:50:00Z')
  await page.goto('/calendar?view=day')
  await linkTo(page, 'Interview').click()
  await layerOf(page, 'Interview').getByRole('link', { name: 'Start Interview' }).click()
  await page.waitForURL(/\/j\/\d{10}/)
})
