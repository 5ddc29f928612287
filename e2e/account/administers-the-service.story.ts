import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { approvedApp, calendarApp, meetDevelopers, permit } from '../../apps/server/test/oauth/apps.ts'
import { meetPeople, password, signUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'

/** The sum of the layout shifts since the page was opened (Cumulative Layout Shift, without its windows of time). */
const layoutShiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        const add = (entries: PerformanceObserverEntryList) => {
          for (const entry of entries.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 200)
      }),
  )

test('Olga declines OAuth and then accepts, makes Bob a reviewer, and disables Mallory', async () => {
  const { app, openPage } = await startStory()
  const { olga, alice, mallory } = await meetPeople(app)
  const developer = await openPage({ person: alice })
  await developer.page.goto('/developers')
  await developer.page.getByRole('textbox', { name: 'What is it for?' }).fill('We plan from our customer database.')
  await developer.page.getByRole('button', { name: 'Ask an administrator' }).click()
  await developer.page.getByText('You’ve requested OAuth (Beta)').waitFor()
  const [mail] = await app.mails()
  assert.deepEqual([mail?.to, mail?.subject], [olga.email, 'Request for OAuth (Beta)'])

  const { page } = await openPage({ person: olga })
  // The navigation of every page shows the pending request.
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Administration Waiting requests: 1' }).click()
  await page.getByRole('link', { name: 'Accounts Waiting requests: 1' }).click()
  const requests = page.getByRole('list', { name: 'Requests for OAuth (Beta)' })
  await requests.getByText('We plan from our customer database.').waitFor()
  const everyone = page.getByRole('table', { name: 'Everyone' })
  await everyone.getByText('Mallory Test').waitFor()
  await checkPage(page, 'accounts')

  await requests.getByRole('button', { name: 'Decline the request: Alice Test' }).click()
  const declining = page.getByRole('dialog', { name: 'Decline the request of Alice Test?' })
  // The field has the focus.
  await page.keyboard.type('Which database?')
  await checkPage(page, 'accounts-decline')
  await declining.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('The request of Alice Test is declined.').waitFor()
  await page.getByRole('link', { name: 'Accounts', exact: true }).waitFor()
  assert.match((await app.mails())[0]?.text ?? '', /Reason: Which database\?/)

  // Alice's page is still open.
  const open = developer.page
  await open.getByText('Your request for OAuth (Beta) was declined').waitFor()
  await open.getByText('Reason: Which database?').waitFor()
  await checkPage(open, 'developers-declined')
  await open.getByRole('textbox', { name: 'What is it for?' }).fill('Our own CRM.')
  await open.getByRole('button', { name: 'Ask again' }).click()
  await open.getByText('You’ve requested OAuth (Beta)').waitFor()
  await page.reload()
  await requests.getByRole('button', { name: 'Accept the request: Alice Test' }).click()
  await page.getByText('Alice Test can register apps now, and gets an email.').waitFor()
  await requests.waitFor({ state: 'hidden' })
  await open.getByText('OAuth is enabled: you can register apps now.').waitFor()
  await open.getByRole('link', { name: 'Register an app' }).waitFor()
  assert.equal((await app.mails())[0]?.subject, 'OAuth (Beta) is enabled for your account')

  await page.getByRole('button', { name: 'Change: Bob Test' }).click()
  await page.getByRole('menuitem', { name: 'Make a reviewer' }).click()
  await page.getByText('Bob Test is a reviewer now.').waitFor()
  await everyone.getByRole('row').filter({ hasText: 'Bob Test' }).getByText('Reviewer', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Undone.').waitFor()

  await everyone.getByRole('button', { name: 'Name' }).click()
  await everyone
    .getByRole('columnheader', { name: 'Name', exact: true })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor()
  await everyone.getByRole('row').nth(1).getByText('Alice Test').waitFor()
  await everyone.getByRole('button', { name: 'Name' }).click()
  await everyone.getByRole('row').nth(1).getByText('Olga Test').waitFor()
  await page.getByLabel('Show').selectOption({ label: 'Administrator' })
  await page.getByText('Found: 1').waitFor()
  await page.getByLabel('Show').selectOption({ label: 'Everyone' })

  await page.getByRole('searchbox', { name: 'Search by name or email address' }).fill('mallory')
  await page.getByText('Found: 1').waitFor()
  await page.getByRole('button', { name: 'Change: Mallory Test' }).click()
  await page.getByRole('menuitem', { name: 'Disable the account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable the account of Mallory Test?' })
  await checkPage(page, 'accounts-disable')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await everyone.getByText('Disabled', { exact: true }).waitFor()
  await expectProblem(mallory.send('GET', '/api/my_profile'), 'unauthorized')
  await page.getByRole('button', { name: 'Change: Mallory Test' }).click()
  await page.getByRole('menuitem', { name: 'Enable the account' }).click()
  await page.getByText('The account of Mallory Test is enabled.').waitFor()

  await app.mails()
})

test('Olga invites a person to a service that requires invitations', async () => {
  const { app, openPage } = await startStory({ SIGN_UP: 'invite' })
  const olga = await signUp(app, 'Olga')
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/accounts')
  await page.getByRole('button', { name: 'Invite people to sign up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people to sign up' })
  const addresses = dialog.getByLabel('Addresses to invite')
  await addresses.fill('nina')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('Enter an address such as alice@example.org.').waitFor()
  await checkPage(page, 'accounts-invite')
  await addresses.fill(Array.from({ length: 301 }, (_, at) => `p${at}@example.org`).join('\n'))
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('At most 300 at a time; these are 301.').waitFor()
  await addresses.fill('Nina Nord <nina@example.org>, omar@example.org\npia@example.org')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('Invitations on their way: 3.').waitFor()
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), ['nina@example.org', 'omar@example.org', 'pia@example.org'])
  assert.match(mails[0]?.text ?? '', /^Olga Test invites you to create an account at /m)

  const waiting = page.getByRole('region', { name: 'Asked to sign up' })
  assert.equal(await waiting.getByRole('row').count(), 4)
  await waiting.getByRole('button', { name: 'Change: omar@example.org' }).click()
  await page.getByRole('menuitem', { name: 'Withdraw' }).click()
  await page.getByText('The invitation to omar@example.org is withdrawn.').waitFor()
  await waiting.getByText('omar@example.org').waitFor({ state: 'hidden' })
  await waiting.getByRole('button', { name: 'Change: pia@example.org' }).click()
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await page.getByText('The invitation to pia@example.org is on its way.').waitFor()
  const [again] = await app.mails()
  assert.equal(again?.to, 'pia@example.org')
  await checkPage(page, 'accounts-invited')

  const guest = await openPage()
  await guest.page.goto(/https?:\S+#invitation=\S+/.exec(again?.text ?? '')?.[0] ?? '')
  assert.equal(await guest.page.getByLabel('Email address').inputValue(), 'pia@example.org')
  await guest.page.getByLabel('First name').fill('Pia')
  await guest.page.getByLabel('Password').first().fill(password)
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  await page.reload()
  await waiting.getByText('nina@example.org').waitFor()
  assert.equal(await waiting.getByText('pia@example.org').count(), 0)
})

test('Without a mail server, Olga is told so, passes a link on, and copies that of a meeting', async () => {
  const { app, openPage } = await startStory({ SIGN_UP: 'invite' }, { outreach: 'none', emails: 'dropped' })
  const olga = await signUp(app, 'Olga')
  const { page } = await openPage({ person: olga })
  await page.goto('/meetings')
  const notice = page.getByRole('region', { name: /^Set-up: \d of 4 done$/ })
  await notice.getByText('Email is not set up: no invitations, links or reminders are sent.').waitFor()
  await notice.getByText('Links in invitations lead to localhost').waitFor()
  await notice.getByText('You are alone here.').waitFor()
  assert.equal(
    await notice.getByRole('link', { name: 'How to set it up' }).first().getAttribute('href'),
    '/docs/operations#email',
  )
  await page.goto('/administration/accounts')
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  assert.equal(await notice.count(), 0)
  await page.getByRole('button', { name: 'Invite people to sign up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people to sign up' })
  await dialog.getByText('Email is not set up, so nothing is sent.').waitFor()
  await dialog.getByLabel('Addresses to invite').fill('nina@example.org')
  await dialog.getByRole('button', { name: 'Create the link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await checkPage(page, 'accounts-invite-without-mail')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.goto('/meetings')
  await page.getByRole('region', { name: 'Set-up: 1 of 4 done' }).getByText('People are invited (done)').waitFor()
  assert.ok((await layoutShiftOf(page)) < 0.1, 'the checklist pushes nothing down')
  await checkPage(page, 'start-set-up')
  await notice.getByRole('button', { name: 'Hide the checklist' }).click()
  await notice.waitFor({ state: 'hidden' })
  await page.goto('/administration/accounts')
  await page.getByRole('link', { name: 'Set-up' }).click()
  await page.getByRole('heading', { name: 'Set-up', level: 1 }).waitFor()
  await notice.getByText('Start a meeting, and check').waitFor()
  await checkPage(page, 'set-up')

  const guest = await openPage()
  await guest.page.goto(link)
  await guest.page.getByLabel('First name').fill('Nina')
  assert.equal(await guest.page.getByLabel('Email address').inputValue(), 'nina@example.org')
  await guest.page.getByLabel('Password').first().fill(password)
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  assert.equal(await guest.page.getByRole('region', { name: /^Set-up/ }).count(), 0)

  // Other people learn no more than that no email leaves.
  await guest.page.goto('/meetings/new')
  await guest.page.getByText('This service does not send email, so no invitations are sent.').waitFor()
  await guest.page.getByLabel('Topic').fill('Review')
  const participants = guest.page.getByRole('combobox', { name: 'Participants' })
  await participants.fill('bob@example.org')
  await participants.press('Enter')
  await guest.page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await guest.page.getByText('nothing is sent to the people on this list').waitFor()
  await guest.page.getByText('This link leads to localhost').waitFor()
  await guest.page.getByRole('button', { name: 'Copy the link instead' }).waitFor()
  await checkPage(guest.page, 'meeting-without-mail')

  const stranger = await openPage()
  await stranger.page.goto('/reset-password')
  await stranger.page.getByText('This service does not send email, so it cannot send you a link').waitFor()
  assert.equal(await stranger.page.getByRole('button', { name: 'Send the link' }).count(), 0)
  await checkPage(stranger.page, 'reset-password-without-mail')
})

test('Olga suspends an app with a reason, and resumes it', async () => {
  const { app, openPage } = await startStory()
  const { olga, rita, dan } = await meetDevelopers(app)
  const planner = await approvedApp(dan, rita)
  // A draft with another name, which must not hide the live app.
  await expectOk(dan.send('PUT', `/api/oauth2/apps/${planner._id}`, calendarApp({ name: 'Zebra Tool' })))
  // She suspends apps without being a reviewer.
  await permit(olga, olga, { reviewer: false })
  const statusNow = async () => (await expectOk(dan.send('GET', `/api/oauth2/apps/${planner._id}`))).status
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/apps')
  await page.getByText('No app is suspended.').waitFor()
  const others = page.getByRole('table', { name: 'Other apps' })
  const search = page.getByRole('searchbox', { name: 'Search by app, developer or client ID' })
  for (const words of ['zebra', planner.clientId, 'acme cal']) {
    await search.fill(words)
    await others.getByText('Acme Calendar').waitFor()
    await others.getByText('Live', { exact: true }).waitFor()
    await others.getByText('Under review').waitFor()
    await others.getByText('Not live yet: the name Zebra Tool').waitFor()
    await others.getByRole('cell', { name: '0', exact: true }).waitFor()
  }
  await search.fill('nothing of the kind')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await search.fill('')
  await checkPage(page, 'all-apps-live')
  await others.getByRole('link', { name: 'Acme Calendar' }).click()
  await page.getByRole('heading', { name: 'Acme Calendar', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'What is not live yet' }).getByText('Zebra Tool').waitFor()
  await checkPage(page, 'all-apps-details')
  await page.getByRole('link', { name: 'All apps' }).last().click()
  await page.getByRole('button', { name: 'Change: Acme Calendar' }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend Acme Calendar?' })
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByText('This is required.').waitFor()
  await dialog.getByLabel('Reason').selectOption({ label: 'It misleads people' })
  await dialog.getByLabel('What the developer should know').fill('It says that it is ours.')
  await checkPage(page, 'all-apps-suspend')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  const suspended = page.getByRole('table', { name: 'Suspended apps' })
  await suspended.getByText('Acme Calendar').waitFor()
  assert.equal(await statusNow(), 'suspended')
  await checkPage(page, 'all-apps')

  await page.getByRole('button', { name: 'Change: Acme Calendar' }).click()
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText('No app is suspended.').waitFor()
  assert.equal(await statusNow(), 'approved')
  await app.mails()
})

test('Olga reads the audit log, filters it, and downloads it', async () => {
  const { app, openPage } = await startStory()
  const { olga, alice } = await meetPeople(app)
  for (const name of Array.from({ length: 60 }, (_, number) => `Script ${number}`)) {
    await alice.send('POST', '/api/auth/tokens', { name, scopes: ['user:read'] })
  }
  await expectOk(olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { reviewer: true }))
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/audit-log')
  const entries = page.getByRole('table', { name: 'Entries' })
  await entries.getByText('Account changed').waitFor()
  assert.equal(await entries.getByRole('row').count(), 1 + 50)
  await checkPage(page, 'audit-log')
  await page.getByRole('button', { name: 'Show more' }).click()
  await entries
    .getByRole('row')
    .nth(1 + 50)
    .waitFor()

  const when = entries.getByRole('columnheader', { name: 'When', exact: true })
  await when.and(page.locator('[aria-sort=descending]')).waitFor()
  await entries.getByRole('button', { name: 'When' }).click()
  await when.and(page.locator('[aria-sort=ascending]')).waitFor()
  await entries.getByRole('row').nth(1).getByText('Account created').waitFor()
  await page.reload()
  await entries.getByRole('row').nth(1).getByText('Account created').waitFor()
  await entries.getByRole('button', { name: 'When' }).click()
  await entries.getByRole('row').nth(1).getByText('Account changed').waitFor()

  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Account changed' })
  await entries.getByRole('cell', { name: 'Olga Test, to Alice Test', exact: true }).waitFor()
  await entries.getByText('Reviewer: no → yes').waitFor()
  assert.equal(await entries.getByRole('row').count(), 1 + 1)
  await entries.getByRole('button', { name: 'Details: Account changed' }).click()
  await entries.getByText('"reviewer": {').waitFor()
  await checkPage(page, 'audit-log-details')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'audit-log.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', /account\.updated.*alice@example\.org/)

  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await entries.getByText('Audit log exported').waitFor()
  await page.getByLabel('By whom').first().fill('alice')
  await page.getByRole('option', { name: /alice@example\.org/ }).click()
  await entries.getByText('Audit log exported').waitFor({ state: 'hidden' })
  await entries.getByText('Personal token created').first().waitFor()
  assert.match(page.url(), new RegExp(`actor=${alice.profile._id}`))
  await typeInto(page.getByLabel('Until'), '1 Jan 2020')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await checkPage(page, 'audit-log-nothing')
  await app.mails()
})

test('the pages of the administration read from right to left in Arabic', async () => {
  const { app, openPage } = await startStory()
  const { olga } = await meetPeople(app)
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/accounts')
  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: 'الحسابات', level: 1 }).waitFor()
  await checkPage(page, 'accounts-ar')
  await page.getByRole('link', { name: 'سجل التدقيق' }).click()
  await page.getByRole('heading', { name: 'سجل التدقيق', level: 1 }).waitFor()
  await checkPage(page, 'audit-log-ar')
  await app.mails()
})
