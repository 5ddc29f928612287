import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

test('Dan registers an app for phones: it has no secret, and the playground connects it without one', async () => {
  const { app, openPage } = await startStory()
  const { dan } = await meetDevelopers(app)
  const { page, context } = await openPage({ person: dan })
  await page.goto('/developers/new')
  await page.getByLabel(/^App name/).fill('Pocket Planner')
  await page.getByLabel(/^Use case/).selectOption({ label: 'Scheduling and calendars' })
  for (const field of ['Home page', 'Privacy policy', 'Logo']) {
    await page.getByLabel(new RegExp(`^${field}`)).fill('https://acme.example/')
  }
  await page.getByRole('radio', { name: 'On a device' }).check()
  const callback = page.getByLabel('Callback URL 1', { exact: true })
  await callback.fill('acme:/callback')
  await callback.blur()
  await page.getByText('with a scheme such as com.example.app:/.').waitFor()
  await checkPage(page, 'developers-new-native')
  await callback.fill('com.acme.pocket:/callback')
  await page
    .getByRole('figure', { name: /What people will be asked/ })
    .getByText('the app on this device')
    .waitFor()
  await page.getByLabel('Read your profile information').check()
  await page.getByLabel('Create meetings on your behalf').check()
  assert.equal(await page.getByLabel('Require PKCE').isDisabled(), true)
  assert.equal(await page.getByLabel('Require PKCE').isChecked(), true)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'Pocket Planner', level: 1 }).waitFor()
  await page.getByText('On a device', { exact: true }).waitFor()

  const { apps } = await expectOk(dan.send('GET', '/api/oauth2/apps'))
  await page.getByRole('tab', { name: 'Credentials' }).click()
  await page.getByText('This app has no secret.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create a secret' }).count(), 0)
  await checkPage(page, 'developers-credentials-native')
  await page.getByRole('tab', { name: 'Code' }).click()
  await page.getByText('oauth.None()').waitFor()
  assert.equal(await page.getByText('CLIENT_SECRET').count(), 0)
  await checkPage(page, 'developers-code-native')

  // What was submitted stays what it is.
  await page.goto(`/developers/${apps[0]._id}/edit`)
  await page.getByText('because the app was submitted').waitFor()
  assert.equal(await page.getByRole('radio', { name: 'On a server' }).isDisabled(), true)

  await page.goto(`/developers/${apps[0]._id}/playground`)
  await page.getByRole('button', { name: 'Build the request' }).click()
  await page.getByText('code_challenge_method').waitFor()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open the consent page' }).click()
  const consent = await opening
  await consent.getByRole('checkbox', { name: 'Create meetings on your behalf' }).waitFor()
  await consent.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Exchange the code' }).click()
  await page.getByText('Answer: 200').waitFor()
  const { secrets } = await expectOk(dan.send('GET', appPath(apps[0], '/secrets')))
  assert.deepEqual(secrets, [])
})
