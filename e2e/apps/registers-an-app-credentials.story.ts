import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { chooseInPersonMenu, chooseLanguage } from '../person-menu.ts'
import { overlaps } from '../real-input.ts'
import { startStory } from '../start-story.ts'

test('Dan rotates a secret without downtime, names testers, and finds the sample programs and the causes of errors', async () => {
  const { app, openPage } = await startStory()
  const { olga, dan } = await meetDevelopers(app)
  const registered = await approvedApp(dan, olga)
  assert.equal((await app.mails()).length, 1)
  const { page } = await openPage({ person: dan })
  await page.goto('/developers')
  await page.getByRole('link', { name: 'Acme Calendar' }).click()
  await page.getByRole('tab', { name: 'Credentials' }).click()
  assert.equal(new URL(page.url()).search, '?view=credentials')

  const live = page.getByRole('region', { name: 'Live' })
  assert.equal(await live.getByLabel('Client ID', { exact: true }).inputValue(), registered.clientId)
  for (const name of ['Old server', 'New server']) {
    await live.getByRole('button', { name: 'Create a secret' }).click()
    await live.getByLabel(/^Name/).waitFor()
    // The form's first field has the focus.
    await page.keyboard.type(name)
    await live.getByRole('button', { name: 'Create' }).click()
    const secret = await live.getByRole('textbox', { name: `Secret ${name}` }).inputValue()
    assert.match(secret, /^\w{30,}$/)
    // It is kept when he changes the tab or the page.
    await page.getByRole('tab', { name: 'Testers' }).click()
    await chooseInPersonMenu(page, 'Settings')
    await page.getByRole('heading', { name: 'Settings: Profile', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'Credentials' }).click()
    assert.equal(await live.getByRole('textbox', { name: `Secret ${name}` }).inputValue(), secret)
    const font = await live
      .getByRole('textbox', { name: `Secret ${name}` })
      .evaluate((field) => getComputedStyle(field).fontFamily)
    assert.match(font, /mono/i)
    if (name === 'New server') await checkPage(page, 'developers-secret-once')
    await live.getByRole('button', { name: 'I’ve saved it' }).click()
    await live.getByRole('textbox', { name: `Secret ${name}` }).waitFor({ state: 'detached' })
    assert.ok(!(await page.content()).includes(secret))
  }
  assert.equal(await live.getByRole('button', { name: 'Create a secret' }).isDisabled(), true)
  await live.getByRole('button', { name: 'Retire Old server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retire it' }).click()
  await page.getByText('The secret Old server is retired.').waitFor()
  await live.getByText('Secrets (1 of 2 active)').waitFor()

  await page.getByRole('tab', { name: 'Testers' }).click()
  await page.getByLabel('Email addresses').fill('carol@example.org, eve')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('eve is not an email address.').waitFor()
  await page.getByLabel('Email addresses').fill('carol@example.org, eve@example.org')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('2 of 100').waitFor()
  await checkPage(page, 'developers-testers')
  assert.equal((await app.mails()).length, 2)
  await page.getByRole('button', { name: 'Remove eve@example.org' }).click()
  await page.getByText('1 of 100').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 of 100').waitFor()

  // A wrong redirect_uri: the error page says little, the log gives the cause.
  const wrong = new URLSearchParams({ client_id: registered.clientId, redirect_uri: 'https://acme.example/wrong' })
  await fetch(`${app.base}/oauth2/authorize?${wrong}`)
  await page.getByRole('tab', { name: 'Event log' }).click()
  // The log is written asynchronously, possibly after the response.
  const refused = page.getByText('Authorization refused')
  while (!(await refused.isVisible())) {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.waitForTimeout(200)
  }
  await page.getByText('https://acme.example/wrong is not one of the callback URLs').waitFor()
  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Refusals' })
  await page.getByText('Entries: 1', { exact: true }).waitFor()

  await checkPage(page, 'developers-log')
  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Consents' })
  await page.getByText('Nothing matches').waitFor()

  await page.getByRole('tab', { name: 'Code' }).click()
  await page.getByLabel('Client library').selectOption({ label: 'Node with openid-client' })
  await page.getByText(`export CLIENT_ID=${registered.sandboxClientId}`).waitFor()
  await page.getByText(`const issuer = new URL('${app.config.baseUrl}')`).waitFor()
  const note = page.getByRole('note').filter({ hasText: 'None of your callback URLs leads to your own machine' })
  await note.getByText('http://localhost:8080/callback').waitFor()
  await page.getByText("'https://acme.example/callback'").first().waitFor()
  await page.getByText("'user:read meeting:read'").first().waitFor()
  assert.deepEqual(await overlaps(page, '[aria-label^="Copy:"]', 'pre'), [], 'no button covers code')
  await checkPage(page, 'developers-code')

  // With a callback on the developer's machine, the program listens there.
  const { logoUrl, homepageUrl, policyUrl, useCase, scopes, name } = registered
  const fields = { name, logoUrl, homepageUrl, policyUrl, useCase, scopes }
  const callbackUrls = ['https://acme.example/callback', 'http://localhost:8093/deep/back']
  await expectOk(dan.send('PUT', appPath(registered), { ...fields, callbackUrls, draft: true }))
  await page.reload()
  await page.getByLabel('Client library').selectOption({ label: 'Node with openid-client' })
  await page.getByText("const redirectUri = 'http://localhost:8093/deep/back'").waitFor()
  await page.getByText('}).listen(8093)').waitFor()
  await page.getByText('http://localhost:8093/login').waitFor()
  assert.equal(await note.count(), 0)
  await checkPage(page, 'developers-code-localhost')

  await chooseLanguage(page, 'ar')
  await page.getByRole('heading', { name: 'برامج للبدء' }).waitFor()
  await page.getByRole('tab', { name: 'بيانات الاعتماد' }).click()
  await page.getByRole('region', { name: 'منشور' }).waitFor()
  await checkPage(page, 'developers-credentials-ar')
})
