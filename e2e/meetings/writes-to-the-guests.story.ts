import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { chooseAction } from './meetings.ts'

const { app, openPage } = await startStory()
const { alice, bob } = await meetPeople(app)

const messageField = { name: 'Message to guests' }
const notifyBox = { name: 'Notify participants' }

test('Alice writes to the guests why a meeting changes, and why it does not take place', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  await app.mails()
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${meeting._id}/edit`)
  await page.getByRole('textbox', { name: 'Topic' }).fill('Round')
  const field = page.getByRole('textbox', messageField)
  await field.fill('A better name.')
  // Without an email there is no message either.
  await page.getByRole('checkbox', notifyBox).uncheck()
  assert.equal(await field.count(), 0)
  await page.getByRole('checkbox', notifyBox).check()
  assert.equal(await field.inputValue(), 'A better name.')
  await checkPage(page, 'edit-with-a-message')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Round', level: 1, exact: true }).waitFor()
  const [changed] = await app.mails()
  assert.match(changed?.text ?? '', /Message from .*Alice.*:\n> A better name\./)

  await chooseAction(page, 'Cancel…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', messageField).fill('I am ill.')
  await checkPage(page, 'cancel-with-a-message')
  await dialog.getByRole('button', { name: 'Cancel the meeting' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [cancelled] = await app.mails()
  assert.match(cancelled?.text ?? '', /> I am ill\./)

  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  await checkPage(page, 'cancelled-with-restore')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('“Round” takes place again.').waitFor()
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  const [restored] = await app.mails()
  assert.match(restored?.subject ?? '', /^Takes place again: Round/)
})

test('a cancelled meeting is restored in the list', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Retro', participants: [] }))
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings?when=cancelled')
  await page.getByRole('button', { name: 'More about Retro' }).click()
  const restore = page.getByRole('menuitem', { name: 'Restore' })
  await restore.waitFor()
  await checkPage(page, 'cancelled-row-menu')
  await restore.click()
  await page.getByText('“Retro” takes place again.').waitFor()
  await page.getByRole('link', { name: 'Retro' }).waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: /^Upcoming/ }).click()
  await page.getByRole('link', { name: 'Retro' }).waitFor()
})

test('a meeting without guests has nobody to write to', async () => {
  const meeting = await schedule(alice, standUp({ participants: [] }))
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${meeting._id}`)
  await chooseAction(page, 'Cancel…')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the meeting' }).waitFor()
  assert.equal(await page.getByRole('textbox', messageField).count(), 0)
  assert.equal(await page.getByRole('checkbox', notifyBox).count(), 0)
})
