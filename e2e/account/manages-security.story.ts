import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, password, sendRequest, signUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { chooseInPersonMenu, chooseLanguage } from '../person-menu.ts'
import { startStory } from '../start-story.ts'
import { giveAuthenticator } from './virtual-authenticator.ts'

const refused = /the server responded with a status of 40[0134]|ERR_FAILED/

test('Alice adds a passkey, renames it, signs in with it, and removes it', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page, context } = await openPage({ person: alice, expected: refused })
  await giveAuthenticator(context, page)
  await page.goto('/settings/security')
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByText('You have no passkey yet.').waitFor()
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Chrome on Linux')
  await checkPage(page, 'security-add-passkey')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await passkeys.getByText('Never used').waitFor()

  await passkeys.getByRole('button', { name: 'Rename: Chrome on Linux' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await passkeys.getByText('Work laptop').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await passkeys.getByText('Chrome on Linux').waitFor()

  // The same authenticator refuses a second passkey.
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This device has a passkey for your account already.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // Without autofill, so that the button signs her in.
  await page.route('**/passkey-sign-in/options', (route) => route.abort(), { times: 1 })
  await chooseInPersonMenu(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await checkPage(page, 'sign-in-with-passkey')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()

  await chooseInPersonMenu(page, 'Settings')
  await page.getByRole('link', { name: 'Security' }).click()
  await passkeys.getByText('Last used: now').waitFor()
  await passkeys.getByRole('button', { name: 'Remove: Chrome on Linux' }).click()
  await checkPage(page, 'security-remove-passkey')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await passkeys.getByText('You have no passkey yet.').waitFor()
  const log = page.getByRole('list', { name: 'Account activity' })
  await log.getByText('Passkey removed: Chrome on Linux').waitFor()

  // The authenticator still has the passkey, but the service no longer does, and says so.
  await chooseInPersonMenu(page, 'Sign out')
  await page.getByRole('alert').getByText('This passkey opens no account here.').waitFor()
  assert.equal((await app.mails()).length, 1)
})

test('the address field offers the passkey, and Bob continues to his destination', async () => {
  const { app, openPage } = await startStory()
  const { bob } = await meetPeople(app)
  const { page, context } = await openPage({ person: bob, expected: refused })
  await giveAuthenticator(context, page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await context.clearCookies()
  await page.goto('/settings/profile')
  // Bob's virtual authenticator accepts an autofill request as soon as it is made.
  await page.getByRole('heading', { name: 'Settings: Profile', level: 1 }).waitFor()
  await app.mails()
})

test('adding a passkey long after signing in requires the password', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page, context } = await openPage({ person: alice, expected: refused })
  await giveAuthenticator(context, page)
  await app.database
    .updateTable('session')
    .set({ createdAt: new Date(Date.now() - 60 * 60 * 1000) })
    .execute()
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('You signed in a while ago.').waitFor()
  await dialog.getByLabel(/^Password/).fill('not hers at all')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await checkPage(page, 'security-passkey-password')
  await dialog.getByLabel(/^Password/).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await app.mails()
})

test('by keyboard alone: Alice changes her password, and is signed out everywhere else', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const other = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password })
  const { page } = await openPage({ person: alice, expected: refused })
  await page.goto('/settings/security')
  await page.getByText('This browser').waitFor()
  await page.getByRole('button', { name: 'Change the password' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('not hers at all')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await page.getByText('This is too short.').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('another horse entirely')
  await page.keyboard.press('Enter')
  await page.getByText('This is not your password.').waitFor()
  await checkPage(page, 'security-change-password')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByText('Your password has been changed.').waitFor()
  await expectProblem(
    sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: other.body.token }),
    'unauthorized',
  )
  await expectOk(alice.send('GET', '/api/my_profile'))
  await page.getByRole('list', { name: 'Account activity' }).getByText('Password changed').waitFor()
  await app.mails()
})

test('Alice sees her sessions, and ends one of them, then all others', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'
  const signIn = (agent: string) =>
    sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password }, { 'user-agent': agent })
  const onPhone = await signIn(phone)
  const onServer = await signIn('curl/8.9.1')
  const { page } = await openPage({ person: alice, expected: refused })
  await page.goto('/settings/security')
  const sessions = page.getByRole('list', { name: 'Where you are signed in' })
  await sessions.getByText('Safari on iPhone').waitFor()
  await checkPage(page, 'security')
  await page.getByRole('button', { name: 'Sign out: Safari on iPhone' }).click()
  await page.getByText('Signed out there.').waitFor()
  await sessions.getByText('Safari on iPhone').waitFor({ state: 'hidden' })
  const stillIn = async ({ body }: typeof onPhone) =>
    (await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: body.token })).status === 200
  assert.deepEqual([await stillIn(onPhone), await stillIn(onServer)], [false, true])

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are signed out everywhere else.').waitFor()
  assert.equal(await stillIn(onServer), false)
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'hidden' })
  assert.equal(await sessions.getByRole('listitem').count(), 1)
})

test('Alice creates a token for a script, which works until she deletes it', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice, expected: refused })
  await page.goto('/settings/developer')
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Read your meetings').waitFor()
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  await dialog.getByText('Choose at least one.').waitFor()
  await checkPage(page, 'security-make-token')
  await dialog.getByLabel('Name').fill('Backup script')
  await dialog.getByLabel('Read your profile information').check()
  await dialog.getByLabel('Expires').selectOption({ label: 'after 30 days' })
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  const token = await dialog.getByRole('textbox', { name: 'Token' }).inputValue()
  await checkPage(page, 'security-token-once')
  // Neither a key nor a click outside closes the dialog.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const tokens = page.getByRole('list', { name: 'Personal tokens' })
  await tokens.getByText('Backup script').waitFor()
  await tokens.getByText(/^Valid until/).waitFor()
  assert.equal(await page.getByText(token).count(), 0)

  const use = async (path: string) => (await sendRequest(app, 'GET', path, undefined, { authorization: token })).status
  assert.equal(await use('/api/my_profile'), 200)
  await page.getByRole('button', { name: 'Delete: Backup script' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('The token was deleted.').waitFor()
  await page.getByText('You have no personal token.').waitFor()
  assert.equal(await use('/api/my_profile'), 401)
})

test('the log is paged, and reads from right to left in Arabic', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']) {
    await alice.send('POST', '/api/auth/tokens', { name: `Script ${name}`, scopes: ['user:read'] })
  }
  await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password: 'a guess of somebody' })
  const { page } = await openPage({ person: alice, expected: refused })
  await page.goto('/settings/security')
  const log = page.getByRole('list', { name: 'Account activity' })
  await log.getByText('Sign-in refused').waitFor()
  assert.equal(await log.getByRole('listitem').count(), 10)
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await log.getByText('Account created').waitFor()
  await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'hidden' })
  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: 'الإعدادات: الأمان', level: 1 }).waitFor()
  await checkPage(page, 'security-ar')
})
