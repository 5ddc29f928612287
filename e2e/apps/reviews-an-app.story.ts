import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckResult } from '@parley/contract'
import {
  approvedApp,
  calendarApp,
  decide,
  meetDevelopers,
  misleading,
  permit,
  submit,
} from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { checkPage } from '../check-page.ts'
import { chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'

const hourMs = 60 * 60 * 1000

/** Backdate the submission. */
const submittedBefore = ({ database }: TestApp, { _id }: { _id: string }, hours: number) =>
  database
    .updateTable('appRevision')
    .set({ submittedAt: new Date(Date.now() - hours * hourMs) })
    .where('appId', '=', _id)
    .execute()

/** The results of page checks; tests do not fetch foreign pages. */
async function found({ database }: TestApp, { _id: appId }: { _id: string }, checks: readonly CheckResult[]) {
  await database.deleteFrom('appCheck').where('appId', '=', appId).execute()
  const rows = checks.map((check, position) => ({ appId, revision: 1, position, ...check }))
  await database.insertInto('appCheck').values(rows).execute()
}

const checks: readonly CheckResult[] = [
  { check: 'format', field: '', result: 'passed', message: 'All fields keep to the rules.' },
  { check: 'look_alike_name', field: 'name', result: 'noted', message: 'The name differs in one letter from another.' },
  { check: 'plain_http', field: 'callbackUrls/1', result: 'noted', message: 'This address is http.' },
  { check: 'page_answers', field: 'homepageUrl', result: 'failed', message: 'The page answers 404.' },
]

test('Rita rejects an overdue app, holds the next one, and approves the last', async () => {
  const { app, openPage } = await startStory()
  const { rita, dan, eve } = await meetDevelopers(app)
  const old = await submit(dan, {
    name: 'Old Planner',
    callbackUrls: ['https://acme.example/a', 'http://acme.example/b'],
  })
  const middle = await submit(dan, { name: 'Middle Notes' })
  const fresh = await submit(eve, { name: 'Fresh Mail' })
  await submittedBefore(app, old, 60)
  await submittedBefore(app, middle, 30)
  await found(app, old, checks)
  const { page } = await openPage({ person: rita })

  await page.goto('/reviews')
  const queue = page.getByRole('table', { name: 'Reviews' })
  await queue.getByText('Overdue: was due 12 hours ago').waitFor()
  assert.deepEqual(await queue.getByRole('link').allTextContents(), ['Old Planner', 'Middle Notes', 'Fresh Mail'])
  await queue.getByText(/^Due soon: in 1[78] hours$/).waitFor()
  await queue.getByText(/^Due in /).waitFor()
  await checkPage(page, 'reviews')

  await queue.getByRole('link', { name: 'Old Planner' }).click()
  const flags = page.getByRole('list', { name: 'What needs a look' })
  await flags.getByText('Page answers (Home page)').waitFor()
  assert.equal(await flags.getByRole('listitem').count(), 3)
  await page.getByText('Passed: 1').waitFor()
  await checkPage(page, 'review-new-app')

  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject Old Planner?' })
  // A failed check is suggested as a reason.
  assert.equal(await dialog.getByLabel('What is wrong').inputValue(), 'invalid_url')
  assert.equal(await dialog.getByLabel('Where').inputValue(), 'homepageUrl')
  await dialog.getByRole('button', { name: 'Add a reason' }).click()
  await dialog.getByLabel('What is wrong').nth(1).selectOption({ label: 'Another reason' })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByText('This is required.').waitFor()
  await checkPage(page, 'review-reject')
  await dialog.getByLabel('What the developer should know').nth(1).fill('It has no imprint.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Old Planner is rejected.').waitFor()
  const { status, reasons } = await expectOk(dan.send('GET', `/api/oauth2/apps/${old._id}`))
  assert.equal(status, 'rejected')
  assert.deepEqual(reasons, [
    { code: 'invalid_url', field: 'homepageUrl', text: 'The page answers 404.' },
    { code: 'other', text: 'It has no imprint.' },
  ])

  // The app that has now waited longest.
  await page.getByRole('heading', { name: 'Middle Notes', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Hold' }).click()
  const hold = page.getByRole('dialog', { name: 'Put Middle Notes on hold?' })
  await hold.getByLabel('What is wrong').selectOption({ label: 'It asks for more scopes than it needs' })
  await hold.getByLabel('Where').selectOption({ label: 'Scopes' })
  await hold.getByRole('button', { name: 'Hold' }).click()

  await page.getByRole('heading', { name: 'Fresh Mail', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Nothing is waiting for review' }).waitFor()
  assert.equal((await expectOk(eve.send('GET', `/api/oauth2/apps/${fresh._id}`))).status, 'approved')
  await checkPage(page, 'reviews-empty')

  await page.getByLabel('Show').selectOption({ label: 'On hold' })
  await page.getByRole('link', { name: 'Middle Notes' }).waitFor()
  await page.getByLabel('Show').selectOption({ label: 'All apps' })
  await page.getByRole('link', { name: 'Fresh Mail' }).waitFor()
  await app.mails()
})

test('by keyboard alone: Rita moves through the list, reads the changes, and approves the app', async () => {
  const { app, openPage } = await startStory()
  const { rita, dan, eve } = await meetDevelopers(app)
  const first = await submit(eve, { name: 'First Planner' })
  await submittedBefore(app, first, 5)
  const live = await approvedApp(dan, rita)
  await expectOk(
    dan.send('PUT', `/api/oauth2/apps/${live._id}`, {
      ...calendarApp({
        name: 'Acme Planner',
        callbackUrls: ['https://acme.example/callback', 'https://acme.example/new'],
        scopes: ['user:read', 'meeting:read', 'meeting:create'],
      }),
    }),
  )
  const { page } = await openPage({ person: rita })
  await page.goto('/reviews')
  await page.getByRole('link', { name: 'First Planner' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Acme Planner')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Acme Planner', level: 1 }).waitFor()
  const differences = page.getByRole('region', { name: 'What would change' })
  // Removing a callback needs no review and takes effect at once.
  assert.deepEqual(await differences.getByRole('deletion').allTextContents(), ['Removed: Acme Calendar'])
  await differences.getByText('https://acme.example/new').waitFor()
  await differences.getByText('Create meetings on your behalf (meeting:create)').waitFor()
  await checkPage(page, 'review-change')

  await page.keyboard.press('h')
  await page.getByRole('dialog', { name: 'Put Acme Planner on hold?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Approve Acme Planner?' }).waitFor()
  await checkPage(page, 'review-approve')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Acme Planner is approved.').waitFor()
  await page.getByRole('heading', { name: 'First Planner', level: 1 }).waitFor()
  assert.equal((await expectOk(dan.send('GET', `/api/oauth2/apps/${live._id}?revision=live`))).name, 'Acme Planner')
  await app.mails()
})

test('two reviewers decide: the second gets an error and sees the current status', async () => {
  const { app, openPage } = await startStory()
  const { olga, rita, dan } = await meetDevelopers(app)
  const planner = await submit(dan)
  const { page } = await openPage({ person: rita, expected: /status of 409/ })
  await page.goto(`/reviews/${planner._id}`)
  await page.getByRole('heading', { name: 'Acme Calendar', level: 1 }).waitFor()

  // Dan edits the app while Rita reads it.
  await expectOk(
    dan.send('PUT', `/api/oauth2/apps/${planner._id}`, calendarApp({ description: 'Plans your whole year' })),
  )
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByText('This app was changed after you read it.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText('Plans your whole year').waitFor()
  await checkPage(page, 'review-changed')

  // Olga decides while Rita reads it again.
  await expectOk(decide(olga, planner, 'rejected', misleading))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByText('Someone has just decided on this app').waitFor()
  await page.getByText('It misleads people (App name): It is not a calendar.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'hidden' })
  await app.mails()
})

test('reviewers cannot decide on their own app, and other accounts find no such page', async () => {
  const { app, openPage } = await startStory()
  const { olga, rita, dan, carol } = await meetDevelopers(app)
  await permit(olga, dan, { reviewer: true })
  const own = await submit(rita, { name: 'Ritas Planner' })
  const { page } = await openPage({ person: rita })
  await page.goto(`/reviews/${own._id}`)
  await page.getByText('This is your own app').waitFor()
  await page.getByText('Another reviewer has to decide on it.').waitFor()
  // Neither a button nor its key offers a decision that would be refused.
  await page.getByRole('heading', { name: 'History' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Approve|Reject|Hold)/ }).count(), 0)
  await page.keyboard.press('a')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await checkPage(page, 'review-own-app')

  // As the only reviewer she decides herself, and the page explains why.
  await permit(olga, dan, { reviewer: false })
  await permit(olga, olga, { reviewer: false })
  await page.reload()
  await page.getByText('There is no other reviewer').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Ritas Planner is approved.').waitFor()

  const { page: other } = await openPage({ person: carol })
  await other.goto('/reviews')
  await other.getByRole('heading', { name: 'Page not found' }).waitFor()
  await app.mails()
})

test('the review reads from right to left in Arabic', async () => {
  const { app, openPage } = await startStory()
  const { rita, dan } = await meetDevelopers(app)
  const planner = await submit(dan)
  await found(app, planner, checks)
  const { page } = await openPage({ person: rita })
  await page.goto(`/reviews/${planner._id}`)
  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: 'الفحوص الآلية' }).waitFor()
  await checkPage(page, 'review-ar')
  await app.mails()
})
