import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directionOf, languageCodes } from '@parley/texts/languages'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { meetPeople, password } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'
import { textsIn, wholeKey } from '../../platform/texts.ts'

const app = await startApp()
const { alice, bob, carol } = await meetPeople(app)
const planner = await approvedApp(app, bob)
const link = (parameters: Record<string, string> = {}) =>
  authorizeUrl(app, {
    client_id: planner.clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    ...parameters,
  })

for (const language of languageCodes.filter((code) => code !== 'en')) {
  test(`${language}: sign-in, refusal, consent, switching and errors use the browser’s language`, async () => {
    const browser = createPlainBrowser(app)
    const get = browser.get
    const headers = { 'accept-language': `${language}-XY, en;q=0.5` }
    browser.get = (address) => get(address, headers)
    const page = await browser.follow(await browser.get(link()))
    const direction = directionOf(language) === 'rtl' ? ' dir="rtl"' : ''
    const t = textsIn(language, 'oauth-pages')
    assert.ok(page.text.includes(`<html lang="${language}"${direction}>`))
    assert.ok(readingOf(page).includes(t('toContinueTo', { app: 'Planner' })))
    const refused = await browser.submit(page, { email: alice.email, password: 'wrong' }, headers)
    assert.ok(readingOf(refused).includes(t('signIn.wrongCredentials')))

    const consent = await browser.follow(await browser.submit(refused, { email: alice.email, password }, headers))
    assert.ok(readingOf(consent).includes(readingOf({ text: t('consent.heading', { app: 'Planner' }) })))
    assert.ok(consent.text.includes(`<html lang="${language}"${direction}>`))
    for (const scope of ['user:read', 'meeting:create', 'meeting:read'] as const) {
      assert.ok(readingOf(consent).includes(textsIn(language, 'scopes')(scope, wholeKey)))
      assert.equal(readingOf(consent).includes(textsIn('en', 'scopes')(scope, wholeKey)), false)
    }
    const choose = await browser.follow(await browser.get(link({ prompt: 'select_account' })))
    assert.ok(readingOf(choose).includes(t('account.title')))
    const broken = await browser.get(link({ client_id: 'unknown' }))
    assert.ok(readingOf(broken).includes(t('errors.client_unknown.advice')))
    assert.ok(broken.text.includes(`<html lang="${language}"${direction}>`))
  })
}

test('the profile’s language takes precedence over the browser’s, on the error pages as well', async () => {
  await carol.send('PUT', '/api/my_profile', { language: 'de' })
  const browser = createPlainBrowser(app)
  browser.cookies.set('parley_session', carol.token)
  const consent = await browser.follow(await browser.get(link(), { 'accept-language': 'ar' }))
  assert.ok(consent.text.includes('<html lang="de">'))
  const broken = await browser.get(link({ client_id: 'unknown' }), { 'accept-language': 'ar' })
  assert.ok(broken.text.includes('<html lang="de">'))
})

test('the app’s event log stays English, whatever the language of the person', async () => {
  const browser = createPlainBrowser(app)
  const page = await browser.get(link({ redirect_uri: 'https://elsewhere.example/' }), { 'accept-language': 'de' })
  assert.match(readingOf(page), /Die App will Sie an eine unbekannte Adresse schicken/)
  await app.writeRefusals()
  const { body } = await bob.send('GET', `/api/oauth2/apps/${planner.appId}/events?limit=1`)
  assert.match(body.events[0].cause, /^The redirect_uri https:\/\/elsewhere\.example\/ is not one of/)
})
