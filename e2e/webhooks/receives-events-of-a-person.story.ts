import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { checkPage } from '../check-page.ts'
import { chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'
import { deliverContinuously } from './deliver-continuously.ts'

const withoutGuests = (topic: string) => standUp({ topic, participants: [] })

test('Alice makes a webhook by keyboard, and sends again what her receiver has refused', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { alice, mallory } = await meetPeople(app)
  const receiver = await startReceiver()
  const delivering = deliverContinuously(app)
  const { page } = await openPage({ person: alice })
  await page.goto('/settings/developer')
  await checkPage(page, 'webhooks-settings')
  await page.getByRole('link', { name: 'Manage webhooks' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Create a webhook' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Address of the receiver/).waitFor()
  // The first field has the focus; all types are chosen.
  await page.keyboard.type(receiver.url)
  await dialog.getByRole('radio', { name: 'Short' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const secret = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue()
  receiver.secrets.push(secret)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).press('Enter')
  await page.getByRole('link', { name: receiver.url }).press('Enter')
  await page.getByRole('heading', { name: new URL(receiver.url).host, level: 1 }).waitFor()
  await page.getByText('With the meeting').waitFor()

  await schedule(alice, withoutGuests('Planning'))
  while (receiver.taken.length === 0) await page.waitForTimeout(100)
  assert.equal(receiver.taken[0]?.meeting?.topic, 'Planning')

  for (let number = 1; number <= 26; number++) await schedule(alice, withoutGuests(`Planning ${number}`))
  while (receiver.taken.length < 27) await page.waitForTimeout(100)

  // The receiver is gone: what waits is given up, and the webhook is switched off.
  receiver.answer = () => ({ status: 410 })
  await schedule(alice, withoutGuests('Retrospective'))
  const reload = page.getByRole('button', { name: 'Reload' })
  const gone = page.getByText('It was switched off because its receiver answered 410')
  while (!(await gone.isVisible())) {
    await reload.click()
    await page.waitForTimeout(300)
  }
  await checkPage(page, 'webhooks-gone')

  receiver.answer = () => ({ status: 204 })
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('The webhook is switched on.').waitFor()
  await page.getByLabel('State').selectOption({ label: 'Failed' })
  assert.equal(new URL(page.url()).search, '?state=failed')
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await rows.first().getByText('Failed').waitFor()
  await page.getByRole('button', { name: 'Send all failed again' }).click()
  await page.getByText('1 event is sent again.').waitFor()
  await page.getByText('Nothing matches').waitFor()
  await page.getByLabel('State').selectOption({ label: 'Everything' })
  await page.getByRole('button', { name: 'Show more' }).click()
  while ((await rows.count()) <= 25) await page.waitForTimeout(100)
  // The log reads itself again until nothing waits any more.
  await rows.getByText('Pending').first().waitFor({ state: 'detached' })
  // Longer than a double click, which would send once.
  await page.waitForTimeout(1_000)
  await page.getByRole('button', { name: 'Send all failed again' }).click()
  await page.getByText('No event has failed.').waitFor()

  // The webhook is Alice's alone: Mallory knows the address of the page.
  const { page: foreign } = await openPage({ person: mallory, expected: /status of 404/ })
  await foreign.goto(new URL(page.url()).pathname)
  await foreign.getByText('There is no such webhook, or it is not yours.').waitFor()

  await chooseLanguage(page, 'ar')
  await checkPage(page, 'webhooks-detail-ar')
  await delivering.stop()
})
