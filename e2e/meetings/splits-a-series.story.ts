import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice } = await meetPeople(app)

const datesOf = async (person: Person, { _id }: { _id: string }) =>
  (await person.send('GET', `${detailsPath({ _id })}?occurrences=20`)).body[0].occurrences.map(
    ({ startTime }: Record<string, string>) => startTime?.slice(5, 16).replace('T', ' '),
  )

test('Alice changes this and all following dates; both meetings lead to each other', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}?date=2030-01-16T09:00:00.000Z`)
  await page.getByRole('region', { name: 'When' }).getByText('The date you opened').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Stand-up”' })
  await dialog.getByLabel('This and all following dates').check()
  await checkPage(page, 'edit-series-question-following')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByRole('heading', { name: /^Edit this and all following dates from Wednesday,? 16 January 2030$/, level: 1 })
    .waitFor()
  assert.equal(await page.getByLabel(/^Date/).inputValue(), 'Wed, 16 Jan 2030')
  await page.getByText('From this date on, the series becomes a meeting of its own').waitFor()
  await typeInto(page.getByLabel(/^Start/), '11:00')
  await page.getByLabel('Topic').fill('Long stand-up')
  await page.getByRole('list', { name: 'Next dates' }).getByText('Wed, 16 Jan 2030, 11:00–11:30').waitFor()
  await checkPage(page, 'split-series')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('“Long stand-up” continues as a meeting of its own.').waitFor()
  await page.getByRole('heading', { name: 'Long stand-up', level: 1, exact: true }).waitFor()
  const [, continued = ''] = /meetings\/([^?]*)/.exec(page.url()) ?? []
  assert.notEqual(continued, series._id)
  assert.deepEqual((await datesOf(alice, { _id: continued })).slice(0, 2), ['01-16 11:00', '01-17 11:00'])
  assert.equal((await datesOf(alice, series)).at(-1), '01-15 09:00')
  await checkPage(page, 'meeting-split')

  await page.getByRole('link', { name: 'Earlier dates of this series' }).click()
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  await page.getByRole('link', { name: 'Later dates of this series' }).click()
  await page.getByRole('heading', { name: 'Long stand-up', level: 1, exact: true }).waitFor()
})

test('from the first date on there is nothing to split: the question offers this date and all', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Stand-up”' })
  await dialog.getByLabel('All dates').waitFor()
  assert.equal(await dialog.getByRole('radio').count(), 2)
})

test('Alice drags a date, and all following ones with it', async () => {
  const series = await schedule(alice, weekdays({ topic: 'Planning' }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=week&date=2030-01-14')
  const date = page.getByRole('link', { name: /Planning$/ }).nth(2)
  await date.waitFor()
  const [box, column] = [
    await date.boundingBox(),
    await page.locator('.mantine-WeekView-weekViewDaySlots').first().boundingBox(),
  ]
  assert.ok(box !== null && column !== null)
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y + 10 + column.height / 24, { steps: 5 })
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: 'Move “Planning”?' })
  await dialog.getByLabel('This and all following dates').check()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('“Planning” is moved: Wed, 16 Jan 2030, 10:00–10:30.').waitFor()
  assert.equal((await datesOf(alice, series)).at(-1), '01-15 09:00')
  await page.getByRole('link', { name: '10:00 Planning' }).nth(2).waitFor()
  const { body } = await alice.send('GET', detailsPath(series))
  assert.deepEqual((await datesOf(alice, { _id: body[0].continuedBy })).slice(0, 2), ['01-16 10:00', '01-17 10:00'])
})
