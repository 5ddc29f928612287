import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../apps/server/test/people.ts'
import { look } from '../look.ts'
import { setStage } from '../visit.ts'

test('Alice sees what Planner may do and disconnects it, which ends its tokens at once', async () => {
  const { app, visit } = await setStage()
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

  const { page } = await visit({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Connected apps' }).click()
  const card = page.getByRole('region', { name: 'Planner' })
  await card.getByText('Read your meetings, including details and participants').waitFor()
  await card.getByText('Last used: now').waitFor()
  await page.getByRole('region', { name: named }).getByText('Sandbox').waitFor()
  await look(page, 'connected-apps')

  await card.getByRole('button', { name: 'Disconnect Planner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disconnect Planner?' })
  await look(page, 'connected-apps-disconnect')
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
  await look(page, 'connected-apps-empty')
})
