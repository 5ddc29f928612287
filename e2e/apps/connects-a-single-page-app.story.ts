import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { meetPeople } from '../../apps/server/test/people.ts'
import { docBlocks } from '../../test/docs/doc-blocks.ts'
import { freePorts } from '../../test/helpers/free-port.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Serve the page under /app/, and the packages beside it, as any server of static files does. */
async function servePage(port: number, page: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/app/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    const file = /^\/node_modules(\/[\w/-]+\.js)$/.exec(pathname)?.[1]
    if (file === undefined) return response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(await readFile(modules + file))
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${port}`
}

test('the page of the documentation connects Parley from the browser, with what Alice leaves of it', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const [port = 0] = await freePorts(1)
  const redirectUri = `http://localhost:${port}/app/`
  const planner = await approvedApp(app, bob, {
    clientType: 'single_page',
    callbackUrls: [redirectUri],
    scopes: ['user:read', 'meeting:create', 'meeting:delete'],
  })
  const [program = ''] = docBlocks('quick-starts', 'Quick start: Single-page app with oauth4webapi', 'html')
  const page = program
    .replaceAll('http://localhost:3000', app.config.baseUrl)
    .replaceAll('http://localhost:8080/app/', redirectUri)
    .replaceAll('your-client-id', planner.clientId)
  await servePage(port, page)

  const { page: browser } = await openPage({ person: alice, expected: /favicon/ })
  await browser.goto(redirectUri)
  await browser.getByRole('button', { name: 'Connect Parley' }).click()
  await browser.getByRole('heading', { name: 'Allow Planner to use your account?' }).waitFor()
  await checkPage(browser, 'consent-optional')
  const create = browser.getByRole('checkbox', { name: 'Create meetings on your behalf' })
  assert.equal(await create.isChecked(), true)
  await create.uncheck()
  await browser.getByRole('button', { name: 'Allow' }).click()
  await browser.getByText(`You are ${alice.email}, and allowed: user:read`, { exact: true }).waitFor()
  assert.equal(browser.url(), redirectUri)

  // Asked again, she sees only what is new.
  await browser.getByRole('button', { name: 'Connect Parley' }).click()
  await browser.getByRole('heading', { name: 'New: Planner will also be able to:' }).waitFor()
  assert.equal(await browser.getByText('Read your profile information').isVisible(), false)
  await browser.getByText('You have already allowed it to:').click()
  await browser.getByText('Read your profile information').waitFor()
  await checkPage(browser, 'consent-new')
  await create.uncheck()
  await browser.getByRole('button', { name: 'Allow' }).click()
  await browser.getByText('allowed: user:read', { exact: false }).waitFor()
  const kept = await browser.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  assert.doesNotMatch(kept, /oat_|ort_/)
})

test('with nothing selected, Alice sees the page again in her language', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const planner = await approvedApp(app, bob, { clientType: 'native', scopes: ['meeting:create', 'meeting:delete'] })
  for (const [language, title] of [
    ['en', 'Nothing is selected'],
    ['ar', 'لم تختر شيئًا'],
  ] as const) {
    await alice.send('PUT', '/api/my_profile', { language })
    const { page } = await openPage({ person: alice, expected: /status of 422/ })
    const query = new URLSearchParams({
      client_id: planner.clientId,
      redirect_uri: 'https://planner.example/callback',
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    await page.goto(`/oauth2/authorize?${query}`)
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await page.locator('button[value=allow]').click()
    await page.getByRole('alert').getByRole('heading', { name: title }).waitFor()
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
    await checkPage(page, `consent-nothing-${language}`)
  }
})
