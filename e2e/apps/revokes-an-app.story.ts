import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '@parley/contract'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  schedule,
  sendRequest,
  standUp,
  weekdays,
} from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { chooseInPersonMenu } from '../person-menu.ts'
import { startStory } from '../start-story.ts'

test('Alice sees what Planner did for her, and opens the meeting that it changed', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { olga, alice, bob } = await meetPeople(app)
  const scopes: Scope[] = ['meeting:create', 'meeting:delete', 'meeting:join', 'meeting:read']
  const planner = await approvedApp(app, olga, { scopes })
  const { access_token } = await tokensFor(app, planner, alice, { scopes })
  const { page } = await openPage({ person: alice })
  await page.goto('/connected-apps')
  const card = page.getByRole('region', { name: 'Planner' })
  await card.getByText('What it did').click()
  await card.getByText('It has changed nothing in the last 30 days.').waitFor()

  const authorization = `Bearer ${access_token}`
  const asPlanner = {
    send: (method: string, path: string, body?: unknown) => sendRequest(app, method, path, body, { authorization }),
  }
  const meeting = await schedule({ ...alice, ...asPlanner }, weekdays({ topic: 'Jour fixe' }))
  await alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'Renamed by Alice' }))
  const cancelled = { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }
  await expectOk(asPlanner.send('POST', cancelPath(meeting), cancelled))
  const invited = await schedule(bob, standUp({ topic: 'Budget', participants: [alice.email] }))
  const answer = { response: 'declined' }
  await expectOk(asPlanner.send('POST', `${detailsPath(invited)}/response`, answer))
  await app.publishEvents()

  await page.reload()
  await card.getByText('What it did').click()
  const entries = card.locator('details').getByRole('listitem')
  await entries.first().waitFor()
  const words = await entries.getByRole('link').allTextContents()
  assert.deepEqual(words, [
    'Declined the invitation to “Budget”',
    'Cancelled one date of “Renamed by Alice”',
    'Scheduled “Jour fixe”',
  ])
  await entries.nth(1).getByText('Date: Tuesday, 8 January 2030').waitFor()
  await checkPage(page, 'connected-apps-activity')
  await entries.nth(0).getByRole('link').click()
  await page.getByRole('heading', { name: 'Budget' }).waitFor()
})

test('Alice sees what Planner may do and disconnects it, which ends its tokens at once', async () => {
  const { app, openPage } = await startStory()
  const { olga, alice } = await meetPeople(app)
  const planner = await approvedApp(app, olga)
  // The name is user input: it is shown, and no script in it runs.
  const named = '<img src=x onerror=alert(1)>'
  const other = await approvedApp(app, olga, { name: named })
  const tokens = await tokensFor(app, planner, alice, { scopes: ['user:read', 'meeting:read'] })
  await tokensFor(app, other, alice, { scopes: ['user:read'], sandbox: true })
  const use = async () =>
    (await sendRequest(app, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${tokens.access_token}` }))
      .status
  assert.equal(await use(), 200)

  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  await chooseInPersonMenu(page, 'Connected apps')
  const card = page.getByRole('region', { name: 'Planner' })
  await card.getByText('Read your meetings, including details and participants').waitFor()
  await card.getByText('Last used: now').waitFor()
  await page.getByRole('region', { name: named }).getByText('Sandbox').waitFor()
  await checkPage(page, 'connected-apps')

  await card.getByRole('button', { name: 'Disconnect Planner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disconnect Planner?' })
  await checkPage(page, 'connected-apps-disconnect')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await use(), 200)
  // By keyboard: the dialog's initial focus is on Cancel, and on closing the focus returns to the button that opened
  // it.
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Planner is disconnected.').waitFor()
  await card.waitFor({ state: 'hidden' })
  assert.equal(await use(), 401)

  await page.getByRole('button', { name: `Disconnect ${named}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No app is connected').waitFor()
  await checkPage(page, 'connected-apps-empty')
})
