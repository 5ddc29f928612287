import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { appPath, approvedApp, decide, meetDevelopers, permit, submit } from '../apps/server/test/oauth/apps.ts'
import { password, standUp } from '../apps/server/test/people.ts'
import { expectOk } from '../apps/server/test/replies.ts'
import { giveAuthenticator } from './account/virtual-authenticator.ts'
import { between, dayMs, hourMs, scheduleQuietly } from './meetings/meetings.ts'
import { startStory } from './start-story.ts'

/** Short enough for every name. Each of these payloads calls `ran` if it is treated as markup. */
const short = '"><img src=x onerror=ran()>{{7*7}}$t(app:cancel)'
/** Longer variants for longer fields; the isolate and the mark reverse the text direction. */
const long = `${short}</textarea><script>ran()</script><svg onload=ran()>javascript:ran()\u2067\u200fAcme\u2069`
const patienceMs = 15_000

/** Record whether a script of the payload ran, or the payload became an element, an address or a computed text. */
async function listenForScripts(context: BrowserContext): Promise<string[]> {
  const ran: string[] = []
  await context.exposeBinding('ran', ({ page }) => void ran.push(page.url()))
  return ran
}

/** Open a page, wait until it shows the payload, and check that it was not executed. */
async function visitPage(page: Page, address: string) {
  if (address !== '') await page.goto(address)
  const until = Date.now() + patienceMs
  while (!(await showsPayload(page))) {
    assert.ok(Date.now() < until, `the payload shows on ${page.url()}`)
    await page.waitForTimeout(50)
  }
  assert.equal(await page.locator('img[src="x"], svg[onload], [href^="javascript:" i]').count(), 0, page.url())
}

const showsPayload = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => Object(field).value)
    return [document.body.textContent, ...fields].some((text) => String(text).includes('onerror=ran()>{{7*7}}'))
  })

test('texts of users are shown literally on every page, and no script in them runs', async () => {
  const { app, openPage } = await startStory()
  const { olga, dan: mallory, carol: bob } = await meetDevelopers(app)
  const name = { name: short, lname: long.slice(0, 100), department: short, location: short }
  await expectOk(mallory.send('PUT', '/api/my_profile', name))
  const address = "'onerror=ran{{7*7}}&lt@example.org"
  const meeting = await scheduleQuietly(
    mallory,
    standUp({
      topic: long,
      description: `${long}\n${long}`,
      ...between(2 * hourMs, 3 * hourMs),
      participants: [bob.email, address],
      repeatOptions: { repeat: 'daily', timeZone: 'GMT' },
    }),
  )
  await expectOk(mallory.send('POST', '/api/auth/tokens', { name: short, scopes: ['meeting:read'] }), 201)
  const appFields = { name: short, description: long }
  const registered = await approvedApp(mallory, olga, appFields)
  await expectOk(mallory.send('POST', appPath(registered, '/secrets'), { name: short }), 201)
  const waiting = await submit(mallory, { ...appFields, name: `${short}2`.slice(-50) })
  await expectOk(decide(olga, waiting, 'rejected', [{ code: 'other', field: 'name', text: long }]))
  await expectOk(mallory.send('POST', appPath(waiting, '/submit')))
  await app.mails()

  const expected = /status of 40[0134]/
  const hers = await openPage({ person: mallory, expected })
  const ranHers = await listenForScripts(hers.context)
  await giveAuthenticator(hers.context, hers.page)
  await hers.page.goto('/settings/security')
  await hers.page.getByRole('button', { name: 'Add a passkey' }).click()
  await hers.page.getByRole('dialog').getByLabel('Name').fill(short)
  await hers.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await hers.page.getByText('The passkey was added.').waitFor()
  const app1 = `/developers/${registered._id}`
  const one = `/meetings/${meeting._id}`
  for (const page of [
    one,
    `${one}/edit`,
    '/settings/profile',
    '/settings/security',
    '/developers',
    app1,
    `${app1}?view=credentials`,
  ])
    await visitPage(hers.page, page)
  for (const page of [`${app1}/edit`, `${app1}/playground`, `/developers/${waiting._id}`])
    await visitPage(hers.page, page)
  await hers.page.goto(one)
  await hers.page.getByRole('button', { name: 'QR code' }).click()
  await visitPage(hers.page, '')

  const his = await openPage({ person: bob, expected })
  const ranHis = await listenForScripts(his.context)
  const day = new Date(Date.now() + dayMs).toISOString().slice(0, 10)
  for (const view of ['agenda', 'month', 'week', 'day']) await visitPage(his.page, `/calendar?view=${view}&date=${day}`)
  for (const page of ['/meetings', `/meetings?q=${encodeURIComponent(short)}`, one]) await visitPage(his.page, page)
  await visitPage(his.page, `/j/${meeting.svcMeetId}#pin=${meeting.pin}`)
  await his.page.route('https://acme.example/**', (route) => route.fulfill({ body: 'Acme' }))
  const question = {
    response_type: 'code',
    client_id: registered.clientId,
    scope: 'user:read',
    state: long,
    redirect_uri: 'https://acme.example/callback',
  }
  await visitPage(his.page, `/oauth2/authorize?${new URLSearchParams(question)}`)
  await his.page.getByRole('button', { name: 'Allow' }).click()
  await his.page.waitForURL('https://acme.example/**')
  await visitPage(his.page, '/connected-apps')
  await his.page.goto(`/oauth2/authorize?${new URLSearchParams({ ...question, client_id: long })}`)
  assert.equal(await his.page.locator('img[src="x"], script').count(), 0)

  const olgas = await openPage({ person: olga, expected })
  const ranOlgas = await listenForScripts(olgas.context)
  for (const page of ['/reviews', `/reviews/${waiting._id}`, '/administration/accounts', '/administration/apps'])
    await visitPage(olgas.page, page)
  await olgas.page.goto('/administration/audit-log')
  await olgas.page.getByRole('listitem').first().waitFor()

  assert.deepEqual([ranHers, ranHis, ranOlgas], [[], [], []])
  await app.mails()
})

test('no link to the sign-in page leads to a script or to another origin', async () => {
  const { app, openPage } = await startStory()
  const { carol } = await meetDevelopers(app)
  for (const next of ['javascript:ran()', 'https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    const { page, context } = await openPage({ expected: /status of 40[01]/ })
    const ran = await listenForScripts(context)
    await page.goto(`/sign-in?${new URLSearchParams({ next })}`)
    await page.getByLabel('Email address').fill(carol.email)
    await page.getByLabel(/^Password/).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
    await page.waitForURL('/meetings')
    assert.deepEqual(ran, [])
  }
})

/** A page of another origin with one frame, whose name shows whether anything was loaded in it. */
async function openFramer(address: string) {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Mallory</title><iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('neither consent nor sign-in nor any other page is shown in a frame of another origin', async () => {
  const { app, openPage } = await startStory()
  const { olga, dan, carol } = await meetDevelopers(app)
  await permit(olga, dan, { oauthEnabled: true })
  const { clientId } = await approvedApp(dan, olga)
  await app.mails()
  const question = {
    response_type: 'code',
    client_id: clientId,
    scope: 'user:read',
    state: '1',
    redirect_uri: 'https://acme.example/callback',
  }
  const authorize = `${app.config.baseUrl}/oauth2/authorize?${new URLSearchParams(question)}`
  const framings = [
    { person: carol, address: authorize, button: 'Allow' },
    { address: authorize, button: 'Sign in' },
    { address: `${app.config.baseUrl}/sign-in`, button: 'Sign in' },
    { person: carol, address: `${app.config.baseUrl}/meetings`, button: 'Your account: Carol Test' },
  ]
  for (const { address, button, ...who } of framings) {
    const { page, browserErrors } = await openPage({ ...who, expected: /fram|status of 40[14]|favicon/i })
    await page.goto(address)
    // The page works outside of a frame, so the frame's policy is what blocks it.
    await page.getByRole('button', { name: button, exact: true }).waitFor()
    await page.goto(await openFramer(address), { waitUntil: 'load' })
    await page.locator('iframe').waitFor()
    assert.equal(await page.frameLocator('iframe').getByRole('button').count(), 0)
    assert.match(browserErrors.join('\n'), /frame-ancestors|X-Frame-Options/)
  }
})
