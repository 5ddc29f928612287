import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { between, chooseAction, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

test('Alice saves a meeting as a template, begins another with it, and renames and deletes it in the settings', async () => {
  const { app, openPage } = await startStory()
  const alice = await signUp(app, 'Alice')
  const review = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Review',
      description: 'Bring numbers.',
      ...between(3 * dayMs, 3 * dayMs + hourMs),
      participants: ['Dan Novák <dan@elsewhere.example>'],
    }),
  )
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${review._id}`)
  await chooseAction(page, 'Save as a template')
  const dialog = page.getByRole('dialog', { name: 'Save as a template' })
  assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Review')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Weekly review')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Weekly review” is saved as a template.').waitFor()

  await page.goto('/meetings/new')
  const topic = page.getByRole('textbox', { name: 'Topic' })
  await topic.fill('Typed before')
  const menu = page.getByRole('button', { name: 'Templates' })
  await menu.click()
  await checkPage(page, 'meeting-templates-menu')
  if (!(await page.getByRole('menuitem', { name: 'Weekly review' }).isVisible())) await menu.click()
  await page.getByRole('menuitem', { name: 'Weekly review' }).click()
  await page.locator('[title="dan@elsewhere.example"]').getByText('Dan Novák', { exact: true }).waitFor()
  assert.equal(await topic.inputValue(), 'Review')
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await topic.inputValue(), 'Typed before')

  await page.goto('/settings/meetings')
  await page.getByRole('button', { name: 'Rename: Weekly review' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename' })
  await renaming.getByRole('textbox', { name: 'Name' }).fill('Review of the week')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Review of the week', { exact: true }).waitFor()
  await renaming.waitFor({ state: 'detached' })
  await checkPage(page, 'settings-templates')
  await page.getByRole('button', { name: 'Delete: Review of the week' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no templates yet.').waitFor()
})
