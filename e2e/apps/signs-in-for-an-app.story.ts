import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { appPath, approvedApp, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { password, signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { tokenIn } from '../../apps/server/test/start-app.ts'
import { giveAuthenticator } from '../account/virtual-authenticator.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const refused = /the server responded with a status of 40[13]/
/** No server listens at the app's address; only the redirect counts. */
const callbackUrl = 'https://acme.example/callback'

async function startStoryWithApp() {
  const story = await startStory()
  const { olga, dan } = await meetDevelopers(story.app)
  const { clientId, _id } = await approvedApp(dan, olga, { callbackUrls: [callbackUrl] })
  assert.equal((await story.app.mails()).length, 1)
  const query = { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code', state: 'kept' }
  const link = (more = {}) => `/oauth2/authorize?${new URLSearchParams({ ...query, ...more })}`
  return { ...story, dan, appId: _id, link }
}

/** Press Allow, and return the address of the redirect. */
async function allow(page: Page, button = 'Allow') {
  const sent = new Promise<URL>((resolve) => {
    void page.route(`${callbackUrl}**`, (route) => {
      resolve(new URL(route.request().url()))
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Acme</title><h1>Acme</h1>' })
    })
  })
  const answer = page.getByRole('button', { name: button, exact: true })
  await answer.scrollIntoViewIfNeeded()
  await clickWhereSeen(answer)
  const url = await sent
  assert.equal(url.searchParams.get('state'), 'kept')
  assert.match(url.searchParams.get('code') ?? '', /^oac_/)
}

test('Eva has no account: she creates one and returns to the app’s request', async () => {
  const { openPage, link } = await startStoryWithApp()
  const { page } = await openPage({ expected: refused })
  await page.goto(link())
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await checkPage(page, 'oauth-sign-in')
  await clickWhereSeen(page.getByRole('link', { name: 'Create an account' }))
  await page.getByLabel('First name').fill('Eva')
  await page.getByLabel('Email address').fill('eva@example.org')
  await page.getByLabel(/^Password/).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  await page.getByText('eva@example.org').waitFor()
  await allow(page)
})

test('Carol has forgotten her password: the link of the email opens another tab, from which she returns', async () => {
  const { app, openPage, link } = await startStoryWithApp()
  const carol = await signUp(app, 'Caroline')
  const { page, context } = await openPage({ expected: refused })
  await page.goto(link({ prompt: 'login' }))
  await clickWhereSeen(page.getByRole('link', { name: 'Forgot your password?' }))
  await page.getByLabel('Email address').fill(carol.email)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const [mail] = await app.mails()
  const tab = await context.newPage()
  await tab.goto(`/reset-password#token=${tokenIn(mail)}`)
  await tab.getByLabel(/^New password/).fill('a new and better password')
  await tab.keyboard.press('Enter')
  await tab.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
  await clickWhereSeen(tab.getByRole('link', { name: 'Sign in' }))
  await tab.getByText('to continue to Acme Calendar').waitFor()
  await tab.getByLabel('Email address').fill(carol.email)
  await tab.getByLabel('Password').fill('a new and better password')
  await tab.keyboard.press('Enter')
  await tab.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  assert.equal((await app.mails()).length, 1)
  await allow(tab)
})

test('Frida signs in with her passkey', async () => {
  const { app, openPage, link } = await startStoryWithApp()
  const frida = await signUp(app, 'Frida')
  const { page, context } = await openPage({ person: frida, expected: refused })
  await giveAuthenticator(context, page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  assert.equal((await app.mails()).length, 1)
  await page.goto(link({ prompt: 'login' }))
  await clickWhereSeen(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await page.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  await page.getByText(frida.email).waitFor()
  await allow(page)
})

test('without JavaScript the form and the links work; Arabic is laid out from right to left, even on a phone', async () => {
  const { app, openPage, link, dan, appId } = await startStoryWithApp()
  const grace = await signUp(app, 'Grace')
  const { page } = await openPage({ javaScriptEnabled: false, locale: 'ar', viewport: { width: 360, height: 740 } })
  await page.goto(link())
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  assert.equal(await page.getByRole('button').count(), 1, 'no button that does nothing')
  assert.ok(await page.getByRole('link', { name: 'هل نسيت كلمة المرور؟' }).isVisible())
  await page.getByLabel('عنوان البريد الإلكتروني').fill(grace.email)
  await page.getByLabel('كلمة المرور').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'أتسمح لـ Acme Calendar باستخدام حسابك؟' }).waitFor()
  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate((root) => ({ scrollWidth: root.scrollWidth, clientWidth: root.clientWidth }))
  assert.equal(scrollWidth, clientWidth)
  await allow(page, 'اسمح')
  const { events } = await expectOk(dan.send('GET', appPath({ _id: appId }, '/events')))
  assert.equal(events[0].kind, 'consent_given')
})
