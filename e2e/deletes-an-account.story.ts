import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { listed } from '../apps/server/test/mailbox.ts'
import { meetPeople, password, schedule, standUp } from '../apps/server/test/people.ts'
import { giveAuthenticator } from './account/virtual-authenticator.ts'
import { checkPage } from './check-page.ts'
import { startStory } from './start-story.ts'

const refused = /the server responded with a status of 40[0134]/

test('Alice downloads her data, and deletes her account by keyboard', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  await schedule(alice, standUp({ topic: 'Weekly' }))
  await app.mails()
  const { page } = await openPage({ person: alice, expected: refused })
  await page.goto('/settings/security')
  const data = page.getByRole('region', { name: 'Your data' })
  await data.getByRole('button', { name: 'Download data (JSON)' }).waitFor()
  await checkPage(page, 'security-own-data')
  const downloading = page.waitForEvent('download')
  await data.getByRole('button', { name: 'Download data (JSON)' }).click()
  const document = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  assert.equal(document.hostedMeetings[0].topic, 'Weekly')

  const begin = page.getByRole('button', { name: 'Delete account…' })
  await begin.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Your password').waitFor()
  await checkPage(page, 'security-delete-account')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.ok(await begin.evaluate((button) => button === globalThis.document.activeElement), 'the focus is back')

  await page.keyboard.press('Enter')
  await dialog.getByLabel('Your password').focus()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not your password.').waitFor()
  await dialog.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/meetings')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(listed(await app.mails()).toSorted(), [
    'Cancelled: Weekly CANCEL 1 to bob@example.org',
    'Your account is deleted undefined undefined to alice@example.org',
  ])
})

test('Bob has to confirm his identity although he has just signed in, and does so with his passkey', async () => {
  const { app, openPage } = await startStory()
  const { bob } = await meetPeople(app)
  const { page, context } = await openPage({ person: bob, expected: refused })
  await giveAuthenticator(context, page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('Enter your password, or confirm with a passkey.').waitFor()
  await checkPage(page, 'security-delete-account-unconfirmed')
  await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await dialog.getByText('You confirmed it with your passkey.').waitFor()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(
    (await app.mails()).map(({ subject }) => subject),
    ['A passkey was added to your account', 'Your account is deleted'],
  )
})

test('Olga deletes the account of Mallory, and cannot delete her own', async () => {
  const { app, openPage } = await startStory()
  const { olga } = await meetPeople(app)
  const { page } = await openPage({ person: olga, expected: /status of 409/ })
  await page.goto('/administration/accounts')
  const everyone = page.getByRole('table', { name: 'Everyone' })
  const open = async (name: string) => {
    await everyone.getByRole('button', { name: `Change: ${name} Test` }).click()
    await page.getByRole('menuitem', { name: 'Delete the account…' }).click()
  }
  await open('Mallory')
  const dialog = page.getByRole('dialog', { name: 'Delete the account of mallory@example.org?' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByLabel('Offer them to their cohosts for seven days, and cancel those that none accepts').check()
  await checkPage(page, 'accounts-delete')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('The account of Mallory Test is deleted.').waitFor()
  await everyone.getByText('Mallory Test').waitFor({ state: 'hidden' })

  await open('Olga')
  const own = page.getByRole('dialog', { name: 'Delete your account?' })
  await own.getByLabel('Your password').fill(password)
  await own.getByRole('button', { name: 'Delete account' }).click()
  await own
    .getByRole('alert')
    .getByText(/administrator/)
    .waitFor()
  assert.equal((await app.mails()).length, 1)
})

test('Bob is offered the meetings of Alice, hosts one, and declines the other on its page', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const guests = { participants: ['guest@elsewhere.example'], cohosts: [bob.email] }
  const ahead = (topic: string) => {
    const start = Date.now() + 24 * 60 * 60_000
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 30 * 60_000).toISOString() }
    return standUp({ topic, ...guests, ...times })
  }
  await schedule(alice, ahead('Weekly'))
  const lunch = await schedule(alice, ahead('Lunch'))
  await app.mails()
  await alice.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'hand_over' })
  await app.mails()

  const { page } = await openPage({ person: bob })
  await page.goto('/meetings')
  const offers = page.getByRole('list', { name: 'Offered to you' })
  await offers
    .getByText(/from Alice Test \(alice@example.org\), until/)
    .first()
    .waitFor()
  await checkPage(page, 'meetings-offered')
  await offers.getByRole('button', { name: 'Accept hosting Weekly' }).click()
  await page.getByText('You host “Weekly” now.').waitFor()
  await offers.getByText('Weekly').waitFor({ state: 'hidden' })

  await page.goto(`/meetings/${lunch._id}`)
  await offers.getByRole('button', { name: 'Decline hosting Lunch' }).click()
  await page.getByText('You have declined to host “Lunch”.').waitFor()
  await offers.waitFor({ state: 'hidden' })
  assert.deepEqual(listed(await app.mails()).toSorted(), [
    'Cancelled: Lunch CANCEL 1 to bob@example.org',
    'Cancelled: Lunch CANCEL 1 to guest@elsewhere.example',
    'Invitation: Weekly REQUEST 1 to guest@elsewhere.example',
  ])
})
