import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { look } from '../look.ts'
import { setStage } from '../visit.ts'

test('Dan uses the playground: each request is shown without its secrets', async () => {
  const { app, visit } = await setStage()
  const { dan } = await meetDevelopers(app)
  const registered = await submit(dan)
  const { page, context } = await visit({ person: dan, expected: /status of 401/ })
  await page.goto(`/developers/${registered._id}/playground`)
  await page.getByRole('button', { name: 'Add it to the app' }).click()
  await page.getByText('The app has registered it.').waitFor()
  await page.getByRole('button', { name: 'Make one for a day' }).click()
  await page.getByText('Made and filled in.').waitFor()
  const secret = await page.getByLabel('Sandbox secret').inputValue()

  await page.getByRole('button', { name: 'Build the request' }).click()
  await page.getByText('code_challenge_method').waitFor()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open the consent page' }).click()
  const consent = await opening
  await consent.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  await consent.getByRole('heading', { name: 'This app is being tested' }).waitFor()
  await consent.getByRole('button', { name: 'Allow' }).click()

  await page.getByText('The state is ours').waitFor()
  await page.getByText('The issuer (iss) is the one that we asked.').waitFor()
  await page.getByRole('button', { name: 'Exchange the code' }).click()
  await page.getByText('Answer: 200').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('"email": "dan@example.org"').waitFor()
  await look(page, 'developers-playground')
  const shown = (await page.locator('main').textContent()) ?? ''
  assert.ok(!shown.includes(secret))
  assert.doesNotMatch(shown, /(oat|ort|oac)_\w{8}/)
  await page.getByLabel('Show secrets and tokens').check()
  assert.match((await page.locator('main').textContent()) ?? '', /oat_\w{8}/)
  await page.getByLabel('Show secrets and tokens').uncheck()

  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const refreshed = page.getByRole('region', { name: '5. Refresh the tokens' })
  await refreshed.getByText('Answer: 200').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('region', { name: '6. Revoke' }).getByText('Answer: 200').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: '4. Call the API' }).getByText('Answer: 401').waitFor()

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  assert.ok(!kept.includes(secret))
})
