import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { checkPage } from '../check-page.ts'
import { chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'

test('Dan invites Carol and Eve: Carol accepts from the email, Eve declines on the way to the app', async () => {
  const { app, openPage } = await startStory()
  const { dan, carol, eve } = await meetDevelopers(app)
  const redirectUri = 'http://localhost:9/callback'
  const planner = await submit(dan, { callbackUrls: [redirectUri] })

  const { page: portal } = await openPage({ person: dan })
  await portal.goto(`/developers/${planner._id}?view=testers`)
  await portal.getByLabel('Email addresses').fill(`${carol.email} ${eve.email}`)
  await portal.getByRole('button', { name: 'Add', exact: true }).click()
  await portal.getByText('2 of 100').waitFor()
  assert.equal(await portal.getByText('Invited', { exact: true }).count(), 2)

  const mail = (await app.mails()).find(({ to }) => to === carol.email)
  const link = /http\S+connected-apps/.exec(mail?.text ?? '')?.[0] ?? assert.fail(mail?.text)
  const { page } = await openPage({ person: carol })
  await page.goto(link)
  const invitations = page.getByRole('list', { name: 'Invitations to test apps' })
  await invitations.getByText('Acme Calendar').waitFor()
  await invitations.getByText(`Dan Test (${dan.email})`).waitFor()
  await checkPage(page, 'connected-apps-invitation')
  await invitations.getByRole('button', { name: 'Accept: Acme Calendar' }).click()
  await page.getByText('You test Acme Calendar now.').waitFor()
  await invitations.getByText('You test this app.').waitFor()
  await checkPage(page, 'connected-apps-testing')

  const asked = new URLSearchParams({
    client_id: planner.sandboxClientId,
    redirect_uri: redirectUri,
    response_type: 'code',
  })
  await page.goto(`/oauth2/authorize?${asked}`)
  await page.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()

  const { page: hers } = await openPage({ person: eve })
  await hers.goto(`/oauth2/authorize?${asked}`)
  await hers.getByRole('heading', { name: 'Test Acme Calendar?' }).waitFor()
  await checkPage(hers, 'oauth-tester-invitation')
  await hers.getByRole('button', { name: 'Decline' }).click()
  await hers.getByRole('heading', { name: 'You declined' }).waitFor()
  await checkPage(hers, 'oauth-tester-declined')

  await portal.reload()
  await portal.getByText('Accepted', { exact: true }).waitFor()
  await portal.getByText('Declined', { exact: true }).waitFor()
  await checkPage(portal, 'developers-testers-answered')

  // Carol withdraws her consent to test.
  await page.goto('/connected-apps')
  await invitations.getByRole('button', { name: 'Stop testing: Acme Calendar' }).click()
  await page.getByText('You do not test Acme Calendar.').waitFor()
  await invitations.waitFor({ state: 'hidden' })
})

test('the invitation reads from right to left in Arabic', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { dan, carol } = await meetDevelopers(app)
  const planner = await submit(dan)
  await dan.send('PUT', `/api/oauth2/apps/${planner._id}/testers`, { testers: [carol.email] })
  const { page } = await openPage({ person: carol })
  await page.goto('/connected-apps')
  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: 'دعوات لتجربة تطبيقات' }).waitFor()
  await checkPage(page, 'connected-apps-invitation-ar')
})
