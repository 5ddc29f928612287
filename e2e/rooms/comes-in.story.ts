import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpCodeOf } from '../../apps/server/src/accounts/set-up.ts'
import { password, sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { tokenIn } from '../../apps/server/test/start-app.ts'
import { checkPage } from '../check-page.ts'
import { scheduleQuietly } from '../meetings/meetings.ts'
import { chooseInPersonMenu, chooseLanguage } from '../person-menu.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const refused = /the server responded with a status of 40[013]/

test('on an empty database, the start page creates the administrator’s account and continues', async () => {
  const { app, openPage } = await startStory()
  const { page } = await openPage({ expected: refused })
  await page.goto('/')
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/welcome')
  await checkPage(page, 'welcome')

  await page.getByLabel('First name').fill('Olga')
  await page.getByLabel('Email address').fill('olga@example.org')
  await page.getByLabel(/^Password/).fill('short')
  await page.getByRole('button', { name: 'Create the administrator account' }).click()
  await page.getByText('This is too short.').waitFor()
  await page.getByLabel(/^Password/).fill('Password1')
  await page.getByRole('button', { name: 'Create the administrator account' }).click()
  await page.getByText('This password is too common.').waitFor()
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Create the administrator account' }).click()

  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/meetings')
  assert.equal(await page.title(), 'Meetings – Parley')
  await page.getByText('No upcoming meetings').waitFor()
  await checkPage(page, 'meetings-empty')
  const { administrator } = await app.database.selectFrom('account').select('administrator').executeTakeFirstOrThrow()
  assert.equal(administrator, true)
})

test('the administrator’s account needs the set-up code that the service has printed', async () => {
  const { app, openPage } = await startStory({}, { firstAccountPolicy: 'protected' })
  const { page } = await openPage({ expected: refused })
  await page.goto('/')
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  const make = page.getByRole('button', { name: 'Create the administrator account' })
  const code = page.getByLabel(/^Set-up code/)
  await page.getByLabel('First name').fill('Olga')
  await page.getByLabel('Email address').fill('olga@example.org')
  await page.getByLabel(/^Password/).fill(password)
  await make.click()
  await page.getByText('This is required.').waitFor()
  assert.equal(
    await code.evaluate((field) => field === document.activeElement),
    true,
    'the focus is where it is missing',
  )
  await code.fill('7K3M-Q0XD-9ZTA-4HWE')
  await make.click()
  await page.getByRole('alert').getByText('This is not the set-up code').waitFor()
  await checkPage(page, 'welcome-set-up-code')
  await code.fill(setUpCodeOf(app.encryption).toLowerCase())
  await make.click()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  const { administrator } = await app.database.selectFrom('account').select('administrator').executeTakeFirstOrThrow()
  assert.equal(administrator, true)

  // Later accounts need no set-up code.
  const { page: later } = await openPage({ expected: refused })
  await later.goto('/sign-up')
  await later.getByLabel('First name').waitFor()
  assert.equal(await later.getByLabel(/^Set-up code/).count(), 0)
})

test('Alice signs in, returns to the page that she opened, and signs out', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const { page } = await openPage({ expected: refused })
  await page.goto('/meetings#pin=123456')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(page.url(), `${app.config.baseUrl}/sign-in?next=%2Fmeetings#pin=123456`)
  await checkPage(page, 'sign-in')
  // She has forgotten that she has an account.
  await page.getByRole('link', { name: 'New here? Create an account' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.getByRole('link', { name: 'Already have an account? Sign in' }).click()

  await page.getByLabel('Email address').fill(alice.email)
  await page.getByLabel(/^Password/).fill('not hers at all')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor()
  await checkPage(page, 'sign-in-refused')
  await page.getByLabel(/^Password/).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  assert.equal(page.url(), `${app.config.baseUrl}/meetings#pin=123456`)

  await chooseInPersonMenu(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/meetings')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('Bob forgets his password and chooses a new one by the link in his email', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const bob = await signUp(app, 'Bob')
  const { page } = await openPage({ expected: /status of 40[01]/ })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await checkPage(page, 'reset-password')
  await page.getByLabel('Email address').fill(bob.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()

  const [mail] = await app.mails()
  await page.goto(`/reset-password#token=${tokenIn(mail)}`)
  await page.getByLabel(/^New password/).waitFor()
  await page.waitForURL('/reset-password')
  await checkPage(page, 'choose-new-password')
  await page.getByLabel(/^New password/).fill('another horse entirely')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
  assert.equal((await app.mails()).length, 1)

  const again = await page.context().newPage()
  await again.goto(`/reset-password#token=${tokenIn(mail)}`)
  await again.getByLabel(/^New password/).fill('a third horse entirely')
  await again.getByRole('button', { name: 'Save password' }).click()
  await again.getByRole('alert').getByText('This link is not valid').waitFor()
  await again.getByRole('button', { name: 'Request a new link' }).click()
  await again.getByLabel('Email address').waitFor()
})

test('Carol signs up, confirms her address by the link in her email, and signs in', async () => {
  const { app, openPage } = await startStory({ EMAIL_VERIFICATION: 'required' })
  const { page } = await openPage({ expected: /status of 40[013]/ })
  await page.goto('/sign-up')
  await page.getByLabel('First name').fill('Carol')
  await page.getByLabel('Email address').fill('carol@example.org')
  await page.getByLabel(/^Password/).fill(password)
  await checkPage(page, 'sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await checkPage(page, 'look-into-mail')

  const [mail] = await app.mails()
  await page.goto(`/verify-email#token=${tokenIn(mail)}`)
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
  await page.waitForURL('/verify-email')
  const confirm = page.getByRole('button', { name: 'Confirm and sign in' })
  await page.getByLabel(/^Password/).fill('not the one she chose')
  await confirm.click()
  await page.getByText('This is not the password that was chosen at sign-up.').waitFor()
  await checkPage(page, 'verify-email')
  await page.getByLabel(/^Password/).fill(password)
  await confirm.click()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()

  const again = await page.context().newPage()
  await again.goto(`/verify-email#token=${tokenIn(mail)}`)
  await again.getByLabel(/^Password/).fill(password)
  await again.getByRole('button', { name: 'Confirm and sign in' }).click()
  await again.getByRole('heading', { name: 'Your address is not confirmed' }).waitFor()
  await again.getByRole('alert').getByText('This link is not valid').waitFor()
})

test('Iris opens a link that another person’s sign-up has sent her, and takes the account over', async () => {
  const { app, openPage } = await startStory({ EMAIL_VERIFICATION: 'required' })
  const sent = { email: 'iris@example.org', password: 'a password of Mallory', name: 'Iris' }
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-up', sent), 202)
  const { page } = await openPage({ expected: refused })
  const [mail] = await app.mails()
  await page.goto(`/verify-email#token=${tokenIn(mail)}`)
  await page.getByRole('button', { name: 'I don’t know the password' }).click()
  await page.getByRole('heading', { name: 'Confirm with a new password' }).waitFor()
  await page.getByLabel(/^New password/).fill('short')
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await page.getByText('This is too short.').waitFor()
  await checkPage(page, 'verify-email-new-password')
  await page.getByLabel(/^New password/).fill(password)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  await expectProblem(sendRequest(app, 'POST', '/api/auth/sign-in', sent), 'wrong_credentials')
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-in', { ...sent, password }))
})

test('when her session ends, Alice signs in again in a dialog above her page', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const { page } = await openPage({ person: alice, expected: refused })
  await page.clock.install()
  await page.goto('/meetings')
  await page.getByText('No upcoming meetings').waitFor()
  await app.database.deleteFrom('session').execute()
  // After a while she returns to the window, and outdated data is refetched.
  await page.clock.fastForward('01:00')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  await checkPage(page, 'session-ended')
  await dialog.getByLabel('Email address').fill(alice.email)
  await dialog.getByLabel(/^Password/).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('No upcoming meetings').waitFor()
  assert.equal(new URL(page.url()).pathname, '/meetings')
})

test('the frame offers search, shortcuts, a menu on phones and languages, and handles offline and unknown addresses', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  await scheduleQuietly(olga, standUp({ topic: 'Budget of next year', participants: [] }))
  const { page, context } = await openPage({ person: olga, expected: /status of 404|ERR_INTERNET_DISCONNECTED/ })
  await page.goto('/meetings')
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search meetings, people, pages and actions' })
  assert.equal(await search.evaluate((at: Element) => at === document.activeElement), true)
  await page.keyboard.type('budget')
  const status = page.getByRole('dialog').getByRole('status')
  await status.getByText('1 result').waitFor()
  await page.getByRole('option', { name: /^Budget of next year/, selected: true }).waitFor()
  await checkPage(page, 'search')
  const chosen = page.locator(`[id="${await search.getAttribute('aria-activedescendant')}"]`)
  assert.match((await chosen.textContent()) ?? '', /^Budget of next year/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Budget of next year', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('schedule')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/meetings/new')
  await page.goto('/calendar')
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
  // A result that arrives after the typing can be selected as well.
  await page.keyboard.press('Control+k')
  await search.waitFor()
  await page.keyboard.type('budget')
  await page.getByRole('option', { name: /^Budget of next year/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Budget of next year', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await search.waitFor()
  await page.keyboard.type('short')
  await page.getByRole('option', { name: 'Keyboard shortcuts', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await checkPage(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 360, height: 800 })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Meetings' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto('/meetings')
  for (const [name, code, title] of [
    ['العربية', 'ar', 'الاجتماعات'],
    ['हिन्दी', 'hi', 'बैठकें'],
    ['Deutsch', 'de', 'Besprechungen'],
  ] as const) {
    await chooseLanguage(page, name)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), code)
    assert.equal(await page.locator('html').getAttribute('dir'), code === 'ar' ? 'rtl' : 'ltr')
    await checkPage(page, `meetings-${code}`)
  }
  await chooseLanguage(page, 'English')

  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'hidden' })

  const missing = await page.goto('/nowhere')
  assert.equal(missing?.status(), 404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.equal(await page.getByRole('main').count(), 1)
  await checkPage(page, 'not-found')
})

test('a page that was not loaded yet shows that the browser is offline, and opens by itself once online', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  const { page, context } = await openPage({
    person: olga,
    viewport: { width: 1280, height: 900 },
    expected: /ERR_INTERNET_DISCONNECTED|Failed to fetch|preload CSS/,
  })
  await page.goto('/administration/accounts')
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await context.setOffline(true)
  await clickWhereSeen(page.getByRole('link', { name: 'Audit log' }))
  await page.getByRole('heading', { name: 'You are offline', level: 1 }).waitFor()
  await page.getByText('It opens by itself as soon as the connection is back.').waitFor()
  assert.equal(await page.getByRole('main').count(), 1)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
})

test('headings begin at the same position on every page, dialogs in the middle, and there is one banner', async () => {
  const { app, openPage } = await startStory()
  // The start page of the administrator begins with the steps of the set-up.
  await signUp(app, 'Olga')
  const bob = await signUp(app, 'Bob')
  const { page } = await openPage({ person: bob, viewport: { width: 1440, height: 900 } })
  const places = new Set<string>()
  for (const address of [
    '/meetings',
    '/calendar',
    '/settings/profile',
    '/settings/security',
    '/connected-apps',
    '/developers',
  ]) {
    await page.goto(address)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    const { x, y } = (await heading.boundingBox()) ?? { x: -1, y: -1 }
    places.add(`${Math.round(x)} ${Math.round(y)}`)
  }
  assert.equal(places.size, 1, [...places].join(', '))
  await page.keyboard.press('Shift+?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  await page.waitForTimeout(400)
  const { y, height } = (await dialog.boundingBox()) ?? { y: 0, height: 0 }
  assert.ok(Math.abs(y + height / 2 - 450) < 20, `${y} ${height}`)
  assert.equal(await page.locator('header:not([role])').count(), 1)
})
