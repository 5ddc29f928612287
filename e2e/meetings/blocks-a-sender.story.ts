import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { between, chooseAction, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

test('Bob blocks Alice on the page of her invitation, and unblocks her in his settings', async () => {
  const { app, openPage } = await startStory()
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const meeting = await scheduleQuietly(
    alice,
    standUp({ ...between(dayMs, dayMs + hourMs), topic: 'Sales call', participants: [bob.email] }),
  )
  const total = async () => (await bob.send('GET', '/api/meeting/me')).body.totalCount
  const { page } = await openPage({ person: bob })
  await page.goto(`/meetings/${meeting._id}`)
  await chooseAction(page, 'Block this sender…')
  const dialog = page.getByRole('dialog', { name: 'Block Alice Test?' })
  await dialog.getByText('Alice Test is not told.').waitFor()
  await checkPage(page, 'block-a-sender')
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByText('You have blocked Alice Test.').waitFor()
  assert.equal(await total(), 0)
  assert.equal(await page.getByText('Sales call').count(), 0)

  await page.goto('/settings/security')
  const blocked = page.getByRole('region', { name: 'Blocked senders' })
  await blocked.getByText(alice.email).waitFor()
  await blocked.scrollIntoViewIfNeeded()
  await checkPage(page, 'blocked-senders')
  await blocked.getByRole('button', { name: 'Unblock Alice Test' }).click()
  await blocked.getByText('You have blocked no one.').waitFor()
  assert.equal(await total(), 1)
})
