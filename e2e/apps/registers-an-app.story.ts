import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, misleading, permit } from '../../apps/server/test/oauth/apps.ts'
import { signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

test('Dan requests OAuth, registers an app, completes its review, and deletes it', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  const dan = await signUp(app, 'Dan')
  const { page } = await openPage({ person: dan })

  await page.goto('/developers')
  await page.getByLabel('What is it for?').fill('We plan meetings from our customer database.')
  await checkPage(page, 'developers-ask')
  await page.getByRole('button', { name: 'Ask an administrator' }).click()
  await page.getByRole('heading', { name: 'You’ve requested OAuth (Beta)' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'You’ve requested OAuth (Beta)' }).waitFor()

  await permit(olga, dan, { oauthEnabled: true })
  await page.reload()
  await page.getByRole('heading', { name: 'You have no app yet' }).waitFor()
  await page.getByRole('link', { name: 'Register an app' }).click()
  await page.getByRole('heading', { name: 'Register an app', level: 1 }).waitFor()

  // Errors are shown while he types; for incomplete values, only when he leaves the field.
  await page.getByLabel(/^App name/).fill('Acme Calendar')
  await page.getByLabel('Description').fill('Plans your week.')
  await page.getByLabel(/^Use case/).selectOption({ label: 'Scheduling and calendars' })
  await page.getByLabel(/^Home page/).fill('https://acme.example/')
  await page.getByLabel(/^Privacy policy/).fill('https://acme.example/policy#top')
  await page.getByText('A fragment # is not allowed.').waitFor()
  await page.getByLabel(/^Privacy policy/).fill('https://acme.example/policy')
  await page.getByLabel('Callback URL 1', { exact: true }).fill('https://127.0.0.1/callback')
  await page.getByText('The host must be a name, not an IP address.').waitFor()
  await page.getByLabel('Callback URL 1', { exact: true }).fill('https://acme.example/callback')
  await page.getByRole('button', { name: 'Add a callback URL' }).click()
  await page.getByLabel('Callback URL 2', { exact: true }).fill('http://acme.example/other')
  await page.getByText('This address is not encrypted.').waitFor()
  await page.getByLabel('Read your profile information').check()
  await page.getByLabel('Why does the app need this? Read your profile information').fill('To greet people by name.')
  await page.getByLabel('How to test the app').fill('Sign in as test@acme.example.')
  const preview = page.getByRole('figure', { name: /What people will be asked/ })
  await preview.getByText('Allow Acme Calendar to use your account?').waitFor()
  await preview.getByText('Read your profile information').waitFor()

  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('This is required.').waitFor()
  await page.locator('[aria-invalid="true"]:focus').waitFor()
  await checkPage(page, 'developers-new')
  await page.getByLabel(/^Logo/).fill('https://acme.example/logo.png')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'Acme Calendar', level: 1 }).waitFor()
  await page.getByText('Under review').waitFor()
  await page.getByText('Submitted for review', { exact: true }).waitFor()

  const { apps } = await expectOk(dan.send('GET', '/api/oauth2/apps'))
  await expectOk(decide(olga, apps[0], 'rejected', misleading))
  assert.match((await app.mails()).map(({ subject }) => subject).join('\n'), /Acme Calendar/)
  await page.reload()
  await page.getByText('It misleads people (App name): It is not a calendar.').waitFor()
  await page.getByLabel('Your answer to the reviewer').fill('It is one: see the home page.')
  await checkPage(page, 'developers-app-rejected')
  await page.getByRole('button', { name: 'Submit again' }).click()
  await page.getByText('A person is reviewing it').waitFor()

  // The reviewer's view of these values.
  const { page: review } = await openPage({ person: olga })
  await review.goto(`/reviews/${apps[0]._id}`)
  await review.getByText('Sign in as test@acme.example.').waitFor()
  await review.getByText('To greet people by name.').waitFor()
  await review.getByText('The developer answers: It is one: see the home page.').waitFor()
  await review
    .getByRole('figure', { name: /What people will be asked/ })
    .getByText('by Dan Test')
    .waitFor()
  await checkPage(review, 'review-with-answer')
  await expectOk(decide(olga, apps[0], 'approved'))
  assert.match((await app.mails()).map(({ subject }) => subject).join('\n'), /Acme Calendar is approved/)
  await page.reload()
  await page.getByText('It is live: everyone can connect it.').waitFor()

  // A changed name needs a review, a removed callback does not.
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await page.getByText('Nothing differs from what is live.').waitFor()
  await page.getByLabel(/^App name/).fill('Acme Planner')
  await page.getByText('App name changed').waitFor()
  await page.getByRole('button', { name: 'Remove callback URL 2' }).click()
  await page.getByText('Callback URLs: http://acme.example/other removed').waitFor()
  await checkPage(page, 'developers-edit')
  await page.getByRole('button', { name: 'Save and submit for review' }).click()
  await page.getByRole('heading', { name: 'Live and changed' }).waitFor()
  await page.getByText('Live; a change waits', { exact: true }).waitFor()
  await page.getByText('until then the live app stays as it is').waitFor()
  await checkPage(page, 'developers-app')

  await page.getByRole('button', { name: 'Delete this app…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Acme Planner?' })
  assert.equal(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill('Acme Planner')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'You have no app yet' }).waitFor()
})
