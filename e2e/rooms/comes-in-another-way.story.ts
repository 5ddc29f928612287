import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type OpenIdProvider, startOpenIdProvider } from '../../apps/server/test/oauth/openid-provider.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { giveAuthenticator } from '../account/virtual-authenticator.ts'
import { checkPage } from '../check-page.ts'
import { between, hourMs, scheduleQuietly } from '../meetings/meetings.ts'
import { chooseInPersonMenu } from '../person-menu.ts'
import { startStory } from '../start-story.ts'

const refused = /the server responded with a status of 40[13]|ERR_FAILED/

const gina = {
  sub: 'gina-1',
  email: 'gina@example.org',
  email_verified: true,
  given_name: 'Gina',
  family_name: 'Grün',
}

/** Start a story whose organisation has an identity provider of its own. */
async function startStoryWithProvider() {
  const started: OpenIdProvider[] = []
  const story = await startStory(async (baseUrl) => {
    const provider = await startOpenIdProvider(baseUrl)
    started.push(provider)
    return provider.environment
  })
  const [provider] = started
  assert.ok(provider)
  return { ...story, provider }
}

/** All data that a page sends to servers. */
function listenTo(page: Page): string[] {
  const said: string[] = []
  page.on('request', (request) => said.push(`${request.url()} ${request.headers().referer} ${request.postData()}`))
  return said
}

test('Gina opens the link of a meeting and signs in through her organisation’s provider; the PIN is kept', async () => {
  const { app, openPage, provider } = await startStoryWithProvider()
  const alice = await signUp(app, 'Alice')
  const made = await scheduleQuietly(alice, standUp({ topic: 'Budget 2031', ...between(hourMs, 2 * hourMs) }))
  const { page } = await openPage({ expected: refused })
  const said = listenTo(page)
  const address = `/add/${made.svcMeetId}#pin=${made.pin}`
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await checkPage(page, 'sign-in-with-provider')

  // At the provider, she first goes back.
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).hash, `#pin=${made.pin}`)
  assert.equal(await page.evaluate(() => sessionStorage.getItem('parley-fragment')), null, 'what was used is not kept')

  provider.person = gina
  const before = said.length
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await page.getByText('Budget 2031').first().waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, `/add/${made.svcMeetId}`)
  assert.equal(await page.evaluate(() => sessionStorage.getItem('parley-fragment')), null, 'what was used is not kept')
  const telling = said.slice(before).filter((one) => one.includes(made.pin))
  assert.deepEqual(
    telling.map((one) => new URL(one.split(' ')[0] ?? '').pathname),
    [`/api/meeting/add/${made.svcMeetId}`],
    'the PIN is told in one body, and nowhere else',
  )
  const others = said.slice(0, before).filter((one) => one.includes(made.pin))
  assert.deepEqual(others, [])
})

test('when her session ends, Gina, who has no password, signs in again through the provider and returns to her page', async () => {
  const { app, openPage, provider } = await startStoryWithProvider()
  await signUp(app, 'Olga')
  provider.person = gina
  const { page } = await openPage({ expected: refused })
  await page.goto('/settings/meetings')
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await page.getByRole('heading', { name: 'Settings: Meetings', level: 1 }).waitFor()
  await app.database.deleteFrom('session').execute()
  await page.getByRole('switch', { name: 'Camera off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByText('With Acme you leave this page and come back to it.').waitFor()
  await checkPage(page, 'session-ended-with-provider')
  await dialog.getByRole('link', { name: 'Sign in with Acme' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Settings: Meetings', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/settings/meetings')
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('region', { name: 'About you' }).getByText('gina@example.org').waitFor()
})

test('when her session ends, Alice signs in again with her passkey in a dialog above her page', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const { page, context } = await openPage({ person: alice, expected: refused })
  await giveAuthenticator(context, page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await chooseInPersonMenu(page, 'Settings')
  const name = page.getByLabel('First name')
  await name.fill('Alicia')
  await app.database.deleteFrom('session').execute()
  // Without autofill, so that the button signs her in.
  await page.route('**/passkey-sign-in/options', (route) => route.abort(), { times: 1 })
  await name.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await name.inputValue(), 'Alicia', 'what she has typed is still there')
  await name.press('Enter')
  await page.getByText('Saved: First name.').waitFor()
  assert.equal((await app.mails()).length, 1)
})
