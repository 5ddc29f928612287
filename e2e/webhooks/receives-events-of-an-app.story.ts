import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { deliverContinuously } from './deliver-continuously.ts'

test('Dan makes a webhook for his app, sees a failure and its repetition, tries it, replaces its secret and deletes it', async () => {
  const { app, openPage } = await startStory()
  const { olga, dan } = await meetDevelopers(app)
  const registered = await submit(dan)
  const receiver = await startReceiver()
  const delivering = deliverContinuously(app)
  const { page } = await openPage({ person: dan, expected: /status of (400|404)/ })
  await page.goto(`/developers/${registered._id}`)
  await page.getByRole('tab', { name: 'Webhooks' }).click()
  await page.getByText('There is no webhook yet').first().waitFor()
  const documentation = page.getByRole('link', { name: 'How to receive and verify events' }).first()
  assert.equal(await documentation.getAttribute('href'), '/docs/webhooks')
  await checkPage(page, 'webhooks-app-empty')

  // Users of the live app are never sent over an unencrypted connection.
  const dialog = page.getByRole('dialog')
  const url = dialog.getByLabel(/^Address of the receiver/)
  const create = dialog.getByRole('button', { name: 'Create a webhook' })
  await page.getByRole('region', { name: 'Live' }).getByRole('button', { name: 'Create a webhook' }).click()
  await url.fill(receiver.url)
  await create.click()
  await dialog.getByText('This must begin with https://.').waitFor()
  assert.equal(await url.evaluate((field) => field === document.activeElement), true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const sandbox = page.getByRole('region', { name: 'Sandbox' })
  await sandbox.getByRole('button', { name: 'Create a webhook' }).click()
  await create.click()
  await dialog.getByText('This is required.').waitFor()
  await url.fill(receiver.url)
  await dialog.getByLabel('Description').fill('Laptop')
  await dialog.getByRole('radio', { name: 'Chosen types only' }).check()
  await create.click()
  await dialog.getByText('Choose at least one type.').waitFor()
  await dialog.getByRole('checkbox', { name: 'A reviewer has approved the app' }).check()
  await dialog.getByRole('checkbox', { name: 'A meeting was scheduled' }).check()
  assert.equal(await dialog.getByText('Choose at least one type.').isVisible(), false)
  await checkPage(page, 'webhooks-form')
  await create.click()
  const shown = dialog.getByRole('textbox', { name: 'Signing secret' })
  const secret = await shown.inputValue()
  assert.match(secret, /^whsec_/)
  receiver.secrets.push(secret)
  await checkPage(page, 'webhooks-secret')
  // It is not lost by accident.
  await page.keyboard.press('Escape')
  assert.equal(await shown.isVisible(), true)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  await sandbox.getByText('meeting.created · app.approved').waitFor()
  await sandbox.getByText('No event has been delivered yet').waitFor()
  await page.getByRole('region', { name: 'Live' }).getByText('There is no webhook yet').waitFor()
  await checkPage(page, 'webhooks-app-list')

  await sandbox.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { name: 'Laptop', level: 1 }).waitFor()
  await page.getByText('Nothing has been sent yet').waitFor()

  // The receiver is down, and answers with markup, which stays text.
  receiver.answer = () => ({
    status: 500,
    headers: { 'content-type': 'text/html' },
    body: '<h1 id="planted">Down</h1>',
  })
  await expectOk(decide(olga, registered, 'approved'))
  assert.equal((await app.mails()).length, 1)
  const log = page.getByRole('list', { name: 'Deliveries' })
  const approved = log.getByRole('listitem').filter({ hasText: 'app.approved' })
  while (!(await approved.isVisible())) {
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.waitForTimeout(200)
  }
  await approved.getByText('The receiver answered 500').waitFor()
  await approved.getByText('Pending').waitFor()
  await page.getByText(/^Its receiver has not taken events since/).waitFor()
  await approved.getByRole('button', { name: /^Attempts: app.approved/ }).click()
  // The receiver is in the service's own network: only the organisation reads what such receivers answer.
  await approved.getByText('The response is shown to administrators only').first().waitFor()
  assert.equal(await page.locator('#planted').count(), 0)
  await approved.getByText('webhook-signature: v1,').first().waitFor()
  await delivering.stop()
  await checkPage(page, 'webhooks-failing')

  // It recovers: the open page shows the success without a click.
  receiver.answer = () => ({ status: 200, body: 'thank you' })
  const going = deliverContinuously(app)
  await approved.getByText('Delivered').waitFor()
  await page.getByText(/^Its receiver has not taken events since/).waitFor({ state: 'detached' })
  const [taken] = receiver.taken
  assert.equal(taken?.type, 'app.approved')

  // A sample of another type.
  await page.getByLabel('Type of the event').selectOption('meeting.created')
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const tried = log.getByRole('listitem').filter({ hasText: 'webhook.test' })
  await tried.getByText('Delivered').waitFor()
  const sample = receiver.taken.at(-1)
  assert.deepEqual([sample?.type, sample?.test], ['meeting.created', true])

  // Again, with the same id.
  await approved.getByRole('button', { name: /^Send again: app.approved/ }).click()
  await page.getByText('1 event is sent again.').waitFor()
  while (receiver.taken.filter(({ id }) => id === taken.id).length < 2) await page.waitForTimeout(100)
  await approved.getByText('Delivered').waitFor()
  await checkPage(page, 'webhooks-delivered')

  // Both secrets sign.
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await dialog.getByRole('button', { name: 'Replace the secret' }).click()
  const next = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue()
  assert.notEqual(next, secret)
  receiver.secrets.push(next)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByText(/^The former secret signs as well until/).waitFor()
  await page.getByLabel('Type of the event').selectOption('webhook.test')
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await tried.nth(1).getByText('Delivered').waitFor()
  assert.deepEqual(receiver.forged, [])

  // Off: nothing can be sent. On: the receiver learns of the gap.
  await page.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('It was switched off on this page').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send a test event' }).isVisible(), false)
  await checkPage(page, 'webhooks-off')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('The webhook is switched on.').waitFor()
  while (receiver.taken.at(-1)?.type !== 'webhook.gap') await page.waitForTimeout(100)

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByRole('radio', { name: 'All events' }).check()
  await dialog.getByLabel('Description').fill('')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('All types of events').waitFor()
  await page.getByRole('heading', { name: new URL(receiver.url).host, level: 1 }).waitFor()

  const address = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'Delete…' }).click()
  await checkPage(page, 'webhooks-delete')
  await dialog.getByRole('button', { name: 'Delete the webhook' }).click()
  await sandbox.getByText('There is no webhook yet').waitFor()
  await page.goto(address)
  await page.getByText('There is no such webhook, or it is not yours.').waitFor()
  await going.stop()
})
