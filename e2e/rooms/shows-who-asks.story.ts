import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

test('Mallory renames herself after the approval: pages show the reviewed name until Rita has reviewed the new one', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { rita, dan: mallory, carol } = await meetDevelopers(app)
  const redirectUri = 'http://localhost:9/callback'
  const planner = await approvedApp(mallory, rita, { name: 'מתכנן Planner', callbackUrls: [redirectUri] })
  await expectOk(
    mallory.send('PUT', '/api/my_profile', { name: 'Parley Security Team (verified),', lname: 'Acme Inc.' }),
  )

  const asked = new URLSearchParams({ client_id: planner.clientId, redirect_uri: redirectUri, response_type: 'code' })
  const { page: consent } = await openPage({ person: carol })
  await consent.goto(`/oauth2/authorize?${asked}`)
  await consent.getByText('by Dan Test', { exact: true }).waitFor()
  assert.equal(await consent.getByText('Acme Inc.').count(), 0)
  await checkPage(consent, 'consent-renamed-owner')

  // In the portal she sees what users read, and submits her new name.
  const { page } = await openPage({ person: mallory })
  await page.goto(`/developers/${planner._id}`)
  await page.getByText('People still read “by Dan Test” beside the app').waitFor()
  await checkPage(page, 'developers-app-other-owner')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Live; a change waits', { exact: true }).waitFor()

  const { page: review } = await openPage({ person: rita })
  await review.goto(`/reviews/${planner._id}`)
  const differences = review.getByRole('region', { name: 'What would change' })
  await differences.getByText('Developer', { exact: true }).waitFor()
  await differences.getByText('Parley Security Team (verified), Acme Inc.').waitFor()
  await review.getByText('Name of the developer (Developer)').waitFor()
  await checkPage(review, 'review-renamed-owner')
  await consent.reload()
  await consent.getByText('by Dan Test', { exact: true }).waitFor()
})

test('a deceptive name is refused while it is typed, and a developer’s own when it is sent', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { dan } = await meetDevelopers(app)
  const { page } = await openPage({ person: dan, expected: /status of 422/ })
  await page.goto('/developers/new')
  const name = page.getByLabel(/^App name/)
  await name.fill('Саlendar')
  await page.getByText('A word mixes letters of two scripts').waitFor()
  await name.fill('\u202bradnelaC')
  await page.getByText('This contains invisible characters.').waitFor()
  await name.fill('Honest Calendar')
  await page.getByLabel(/^Use case/).selectOption({ label: 'Scheduling and calendars' })
  await page.getByLabel(/^Home page/).fill('https://acme.example/')
  await page.getByLabel(/^Privacy policy/).fill('https://acme.example/policy')
  await page.getByLabel(/^Logo/).fill('https://acme.example/logo.png')
  await page.getByLabel('Callback URL 1', { exact: true }).fill('https://acme.example/callback')
  await page.getByLabel('Read your profile information').check()
  await expectOk(dan.send('PUT', '/api/my_profile', { name: 'Раrlеу' }))
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Your own name stands beside the app’s on the consent page.').waitFor()
  await checkPage(page, 'developers-new-owner-refused')
})
