import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { detailsPath, schedule, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'
import { deliverContinuously } from '../webhooks/deliver-continuously.ts'
import { connectInPlayground } from './connect-in-playground.ts'

test('Dan follows the events of a meeting that is changed in another window, until the app is disconnected there', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { dan } = await meetDevelopers(app)
  const registered = await submit(dan)
  const publishing = deliverContinuously(app)
  const { page, context } = await openPage({ person: dan, expected: /status of 401/ })
  await connectInPlayground({ page, context }, registered)

  const step = page.getByRole('region', { name: '5. Follow events' })
  await step.getByRole('button', { name: 'Start following' }).focus()
  await page.keyboard.press('Enter')
  await step.getByText('Connected. New events appear at the top.').waitFor()
  await step.getByRole('heading', { name: 'No events yet' }).waitFor()
  await step.getByText('Schedule or change a meeting of the person').waitFor()
  // The button has become the one that stops, and still has the focus.
  assert.equal(await step.getByRole('button', { name: 'Stop following' }).evaluate(isFocused), true)
  await checkPage(page, 'developers-playground-no-events')

  const events = step.getByRole('list', { name: 'Received events' }).getByRole('listitem')
  const meeting = await schedule(dan, standUp({ topic: 'Design review', participants: [] }))
  const bdi = (text: string) => page.locator('bdi', { hasText: text })
  const topic = (text: string) => events.locator('bdi', { hasText: text })
  await events
    .filter({ hasText: 'meeting.created' })
    .filter({ has: bdi('Design review') })
    .waitFor()
  await expectOk(
    dan.send('PUT', detailsPath(meeting), standUp({ topic: '<b id="planted">Design</b> review', participants: [] })),
  )
  await events
    .filter({ hasText: 'meeting.updated' })
    .filter({ has: bdi('<b id="planted">Design</b> review') })
    .waitFor()
  assert.equal(await page.locator('#planted').count(), 0)
  // The newest is the first.
  assert.match((await events.allTextContents()).join(), /^meeting\.updated.*,meeting\.created/s)
  await events.first().getByText('The event as JSON').click()
  await events.first().getByText('"changed": [').waitFor()
  await checkPage(page, 'developers-playground-events')
  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: '5. متابعة الأحداث' }).waitFor()
  await checkPage(page, 'developers-playground-events-arabic')
  await chooseLanguage(page, 'en')

  await step.getByRole('button', { name: 'Stop following' }).click()
  await schedule(dan, standUp({ topic: 'Not followed', participants: [] }))
  const lastTopic = async () => (await expectOk(dan.send('GET', '/api/events?limit=200'))).events.at(-1).data.topic
  while ((await lastTopic()) !== 'Not followed') await page.waitForTimeout(50)
  await step.getByRole('button', { name: 'Start following' }).click()
  await step.getByText('Connected. New events appear at the top.').waitFor()
  await schedule(dan, standUp({ topic: 'Followed again', participants: [] }))
  await topic('Followed again').waitFor()
  assert.equal(await topic('Not followed').count(), 0)

  const elsewhere = await context.newPage()
  await elsewhere.goto('/connected-apps')
  await elsewhere.getByRole('button', { name: 'Disconnect Acme Calendar' }).click()
  await elsewhere.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await step.getByText('The stream has ended: access was revoked.').waitFor()
  await schedule(dan, standUp({ topic: 'After the end', participants: [] }))
  await publishing.stop()
  assert.equal(await events.count(), 3)
  assert.equal(await topic('After the end').count(), 0)
  await checkPage(page, 'developers-playground-revoked')
})

test('without meeting:read the page says so, and shows events of the grant only', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { dan } = await meetDevelopers(app)
  const registered = await submit(dan)
  const publishing = deliverContinuously(app)
  const { page, context } = await openPage({ person: dan, expected: /status of 401/ })
  await connectInPlayground({ page, context }, registered, { without: /^Read your meetings/ })
  const step = page.getByRole('region', { name: '5. Follow events' })
  await step.getByText('The token does not have meeting:read').waitFor()
  await step.getByRole('button', { name: 'Start following' }).click()
  await step.getByText('Ask for consent with meeting:read').waitFor()
  await publishing.stop()
})

const isFocused = (element: Element) => element === document.activeElement
