import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, weekdays } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, isInSight } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice } = await meetPeople(app)

const datesOf = async (person: Person, { _id }: { _id: string }) =>
  (await person.send('GET', `${detailsPath({ _id })}?occurrences=20`)).body[0].occurrences.map(
    ({ startTime, topic }: Record<string, string>) =>
      `${startTime?.slice(5, 16).replace('T', ' ')}${topic === undefined ? '' : ` ${topic}`}`,
  )
const wednesday = '2030-01-16T09:00:00.000Z'
const tuesday = 'Tue, 8 Jan 2030, 09:00–09:30'

const versions = (page: Page) => page.getByRole('dialog', { name: 'Someone else has changed this meeting' })
const openDate = async (page: Page, date = tuesday) => {
  await page.getByRole('button', { name: `Manage ${date}` }).click()
  await page.getByRole('menuitem', { name: 'Change this date…' }).click()
  const dialog = page.getByRole('dialog', { name: `Change ${date}` })
  await dialog.waitFor()
  return dialog
}

test('this and all following dates, changed in another window meanwhile: Alice sees both versions and saves hers', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  await page.goto(`/meetings/${series._id}/edit?from=${wednesday}`)
  await page.getByLabel('Topic').fill('Long stand-up')
  await expectOk(alice.send('PUT', detailsPath(series), weekdays({ description: 'Bring the numbers.' })))
  await page.getByRole('button', { name: 'Save changes' }).click()
  const rows = versions(page).getByRole('row')
  await rows.filter({ hasText: 'Bring the numbers.' }).waitFor()
  assert.match((await rows.filter({ hasText: 'Topic' }).textContent()) ?? '', /Long stand-up.*Stand-up/)
  assert.equal(await rows.count(), 3)
  await checkPage(page, 'split-series-versions')
  await versions(page).getByRole('button', { name: 'Save your version' }).click()
  await page.getByText('“Long stand-up” continues as a meeting of its own.').waitFor()
  const { body } = await alice.send('GET', detailsPath(series))
  const [continued] = (await alice.send('GET', detailsPath({ _id: body[0].continuedBy }))).body
  assert.deepEqual([continued.topic, continued.description], ['Long stand-up', weekdays().description ?? ''])
  assert.equal(body[0].description, 'Bring the numbers.')
})

test('the dialog of one date keeps its draft over a reload and Escape, until it is saved or discarded', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  let dialog = await openDate(page)
  await dialog.getByLabel('Topic').fill('Review')
  await page.reload()
  dialog = await openDate(page)
  await dialog.getByText('Your draft is back').waitFor()
  assert.equal(await dialog.getByLabel('Topic').inputValue(), 'Review')
  await checkPage(page, 'change-one-date-restored')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  const other = await openDate(page, 'Wed, 9 Jan 2030, 09:00–09:30')
  assert.equal(await other.getByText('Your draft is back').count(), 0, 'it belongs to one date')
  await other.getByRole('button', { name: 'Cancel', exact: true }).click()

  dialog = await openDate(page)
  await dialog.getByRole('button', { name: 'Start over' }).click()
  assert.equal(await dialog.getByLabel('Topic').inputValue(), 'Stand-up')
  await dialog.getByLabel('Topic').fill('Planning')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  dialog = await openDate(page)
  assert.equal(await dialog.getByLabel('Topic').inputValue(), 'Stand-up', 'Cancel has discarded it')
  await dialog.getByLabel('Topic').fill('Planning')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^The date is changed/).waitFor()
  dialog = await openDate(page)
  assert.equal(await dialog.getByText('Your draft is back').count(), 0)
  assert.equal((await datesOf(alice, series))[1], '01-08 09:00 Planning')
})

test('a draft of one date meets another version: Alice sees both, by keyboard alone, and saves hers', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  await page.goto(`/meetings/${series._id}`)
  let dialog = await openDate(page)
  await dialog.getByLabel('Topic').fill('Review')
  const elsewhere = `${detailsPath(series)}/occurrences/${encodeURIComponent('2030-01-08T09:00:00Z')}`
  await expectOk(alice.send('PUT', elsewhere, { description: 'Bring the numbers.' }))
  await page.reload()
  dialog = await openDate(page)
  await dialog.getByRole('button', { name: 'Save changes' }).focus()
  await page.keyboard.press('Enter')
  await versions(page).getByRole('row').filter({ hasText: 'Bring the numbers.' }).waitFor()
  await checkPage(page, 'change-one-date-versions')
  // Escape leaves the comparison, not the dialog with the input.
  await page.keyboard.press('Escape')
  await versions(page).waitFor({ state: 'hidden' })
  assert.equal(await dialog.getByLabel('Topic').inputValue(), 'Review')
  await dialog.getByRole('button', { name: 'Save changes' }).focus()
  await page.keyboard.press('Enter')
  await versions(page).getByRole('button', { name: 'Save your version' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^The date is changed/).waitFor()
  assert.equal((await datesOf(alice, series))[1], '01-08 09:00 Review')
  const [meeting] = (await alice.send('GET', `${detailsPath(series)}?occurrences=2`)).body
  assert.equal(meeting.occurrences[1].description, undefined, 'her version had none')
})

test('a date that another window has cancelled meanwhile: the page says why the dialog is gone', async () => {
  const series = await schedule(alice, weekdays())
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  await page.goto(`/meetings/${series._id}`)
  const dialog = await openDate(page)
  await dialog.getByLabel('Topic').fill('Review')
  await alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/^Somebody changed this in the meantime\./).waitFor()
  await page.getByRole('button', { name: `Restore ${tuesday}` }).waitFor()
})

test('on a phone, without a connection: nothing is saved later unseen, and the dialog says so where Alice looks', async () => {
  const series = await schedule(alice, weekdays())
  const viewport = { width: 360, height: 640 }
  const { page, context } = await openPage({
    person: alice,
    viewport,
    expected: /ERR_INTERNET_DISCONNECTED|fetching the script/,
  })
  await page.goto(`/meetings/${series._id}`)
  const dialog = await openDate(page)
  await dialog.getByLabel('Topic').fill('Review')
  await context.setOffline(true)
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await save.scrollIntoViewIfNeeded()
  await clickWhereSeen(save)
  await isInSight(dialog.getByText(/^The service cannot be reached\./))
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()

  await context.setOffline(false)
  await page.getByRole('button', { name: `Manage ${tuesday}` }).click()
  await page.getByRole('menuitem', { name: 'Cancel this date…' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel “Stand-up”' })
  await cancel.getByText('1 date is cancelled:').waitFor()
  await context.setOffline(true)
  await cancel.getByRole('button', { name: 'Cancel this date' }).click()
  await isInSight(cancel.getByText(/^The service cannot be reached\./))
  await cancel.getByRole('button', { name: 'Keep the meeting' }).click()
  const read = page.waitForResponse(/occurrences/)
  await context.setOffline(false)
  await read
  assert.deepEqual((await datesOf(alice, series)).slice(0, 2), ['01-07 09:00', '01-08 09:00'])
  const dated = await openDate(page)
  assert.equal(await dated.getByText('Your draft is back').count(), 0)
  await dated.getByLabel('Topic').fill('Review')
  await dated.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^The date is changed/).waitFor()
})
