import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { deliverContinuously } from './deliver-continuously.ts'

test('Olga, an administrator, has the events of all accounts sent to a program', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { olga, alice } = await meetPeople(app)
  const receiver = await startReceiver()
  const delivering = deliverContinuously(app)
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/accounts')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('region', { name: 'Webhooks of the organisation' }).waitFor()
  await checkPage(page, 'webhooks-organisation-empty')
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Address of the receiver/).fill(receiver.url)
  await dialog.getByRole('button', { name: 'Create a webhook' }).click()
  receiver.secrets.push(await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue())
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  const meeting = await schedule(alice, standUp({ participants: [] }))
  while (receiver.taken.length === 0) await page.waitForTimeout(100)
  assert.equal(receiver.taken[0]?.subject, meeting._id)
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByText('All accounts of the organisation').waitFor()
  await page.getByRole('list', { name: 'Deliveries' }).getByText('meeting.created').waitFor()
  await page.getByRole('link', { name: 'All webhooks' }).click()
  await page.getByText(/^Last success: /).waitFor()
  await checkPage(page, 'webhooks-organisation')
  const address = new URL(page.url()).pathname

  const { page: foreign } = await openPage({ person: alice })
  await foreign.goto(address)
  await foreign.getByRole('heading', { name: 'Page not found' }).waitFor()
  await delivering.stop()
})
