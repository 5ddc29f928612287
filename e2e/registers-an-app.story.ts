import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, done, misleading, permit } from '../apps/server/test/apps.ts'
import { signUp } from '../apps/server/test/people.ts'
import { look } from './look.ts'
import { setStage } from './visit.ts'

test('Dan asks for OAuth, registers an app, brings it through its review, and ends it', async () => {
  const { app, visit } = await setStage()
  const olga = await signUp(app, 'Olga')
  const dan = await signUp(app, 'Dan')
  const { page } = await visit({ person: dan, expected: /status of 403/ })

  await page.goto('/developers')
  await page.getByLabel('What is it for?').fill('We plan meetings from our customer database.')
  await look(page, 'developers-ask')
  await page.getByRole('button', { name: 'Ask an administrator' }).click()
  await page.getByRole('heading', { name: 'You have asked for OAuth (Beta)' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'You have asked for OAuth (Beta)' }).waitFor()

  await permit(olga, dan, { oauthEnabled: true })
  await page.reload()
  await page.getByRole('heading', { name: 'You have no app yet' }).waitFor()
  await page.getByRole('link', { name: 'Register an app' }).click()
  await page.getByRole('heading', { name: 'Register an app', level: 1 }).waitFor()

  // What is wrong is said while he types; what is only unfinished when he goes on.
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
  const preview = page.getByRole('figure', { name: /What people will be asked/ })
  await preview.getByText('Allow Acme Calendar to use your account?').waitFor()
  await preview.getByText('Read your profile information').waitFor()

  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Fill this in.').waitFor()
  await page.locator('[aria-invalid="true"]:focus').waitFor()
  await look(page, 'developers-new')
  await page.getByLabel(/^Logo/).fill('https://acme.example/logo.png')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'Acme Calendar', level: 1 }).waitFor()
  await page.getByText('Under review').waitFor()
  await page.getByText('Submitted for review', { exact: true }).waitFor()

  const { apps } = await done(dan.ask('GET', '/api/oauth2/apps'))
  await done(decide(olga, apps[0], 'rejected', misleading))
  assert.match((await app.mails()).map(({ subject }) => subject).join('\n'), /Acme Calendar/)
  await page.reload()
  await page.getByText('It misleads people (App name): It is not a calendar.').waitFor()
  await look(page, 'developers-app-rejected')
  await page.getByRole('button', { name: 'Submit again' }).click()
  await page.getByText('A person looks at it').waitFor()
  await done(decide(olga, apps[0], 'approved'))
  assert.match((await app.mails()).map(({ subject }) => subject).join('\n'), /Acme Calendar is approved/)
  await page.reload()
  await page.getByText('It is live: everybody can connect it.').waitFor()

  // A name waits for its review, an address that goes does not.
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await page.getByText('Nothing differs from what is live.').waitFor()
  await page.getByLabel(/^App name/).fill('Acme Planner')
  await page.getByText('App name changed').waitFor()
  await page.getByRole('button', { name: 'Remove callback URL 2' }).click()
  await page.getByText('Callback URLs: http://acme.example/other removed').waitFor()
  await look(page, 'developers-edit')
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await page.getByRole('heading', { name: 'Live and changed' }).waitFor()
  await look(page, 'developers-app')

  await page.getByRole('button', { name: 'Delete this app …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Acme Planner?' })
  assert.equal(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill('Acme Planner')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'You have no app yet' }).waitFor()
})
