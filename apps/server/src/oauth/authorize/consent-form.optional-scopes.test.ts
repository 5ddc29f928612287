import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Scope } from '@parley/contract'
import sentences from '@parley/texts/en/scopes.json' with { type: 'json' }
import { type ApprovedApp, approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { arrive, authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import {
  createPlainBrowser,
  hiddenFields,
  type PlainBrowser,
  readingOf,
  type Visit,
} from '../../../test/oauth/plain-browser.ts'
import { backendOf } from '../../../test/oauth/token-client.ts'
import { expectOk } from '../../../test/replies.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, meet } = await useApp({ emails: 'dropped' })
const verifier = 'a'.repeat(43)
const pkce = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' }
const scopes: Scope[] = ['user:read', 'meeting:read', 'meeting:create', 'meeting:delete']

/** Meet Alice, who uses the apps of Bob. */
async function scene() {
  const [alice, bob] = await meet('Alice', 'Bob')
  const registered = (name: string, clientType: 'confidential' | 'native' | 'single_page' = 'single_page') =>
    approvedApp(app, bob, { name, clientType, scopes })
  return { alice, registered }
}
const ask = ({ clientId }: { clientId: string }, more: Record<string, string> = {}) =>
  authorizeUrl(app, { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code', ...pkce, ...more })

/** The scopes with a checkbox, and whether each is selected. */
const checkboxes = ({ text }: Visit) =>
  [...text.matchAll(/<input type="checkbox" name="scope" value="([^"]+)" form="consent"( checked)?>/g)].map(
    ([, scope, checked]) => `${scope}${checked === undefined ? '' : ' selected'}`,
  )

/** Send the form of a page with these checkboxes selected. */
const allow = (browser: PlainBrowser, page: Visit, selected: readonly string[]) =>
  browser.post('/oauth2/consent', [
    ...Object.entries(hiddenFields(page)),
    ...selected.map((scope) => ['scope', scope] as const),
    ['decision', 'allow'],
  ])

async function scopeAnswered(client: ApprovedApp, { location = '' }: Visit) {
  const code = new URL(location).searchParams.get('code') ?? ''
  const body = await expectOk(backendOf(app, client).exchange(code, { code_verifier: verifier }))
  return body.scope
}

test('what changes something can be left out, and the app learns what it got', async () => {
  const { alice, registered } = await scene()
  const page = await registered('Careful')
  const browser = createPlainBrowser(app)
  const shown = await arrive(browser, alice, ask(page))
  assert.deepEqual(checkboxes(shown), ['meeting:create selected', 'meeting:delete selected'])
  for (const scope of scopes) assert.ok(readingOf(shown).includes(sentences[scope]), scope)

  const answer = await allow(browser, shown, ['meeting:create'])
  assert.equal(await scopeAnswered(page, answer), 'user:read meeting:read meeting:create')
  const { cause } = await app.database
    .selectFrom('appEvent')
    .select('cause')
    .where('appId', '=', page.appId)
    .where('kind', '=', 'consent_given')
    .executeTakeFirstOrThrow()
  assert.equal(cause, 'A user allowed user:read, meeting:read, meeting:create, and left out meeting:delete.')
})

test('an app that asks again for what was left out sees the page again, with that alone as new', async () => {
  const { alice, registered } = await scene()
  const page = await registered('Again')
  const browser = createPlainBrowser(app)
  await allow(browser, await arrive(browser, alice, ask(page)), ['meeting:create'])
  const silent = await arrive(browser, alice, ask(page, { scope: 'meeting:read meeting:create' }))
  assert.equal(await scopeAnswered(page, silent), 'meeting:read meeting:create')

  const shown = await arrive(browser, alice, ask(page))
  assert.deepEqual(checkboxes(shown), ['meeting:delete selected'])
  const [news = '', known = ''] = shown.text.split('<details>')
  assert.ok(news.includes(sentences['meeting:delete']) && !news.includes(sentences['meeting:create']))
  assert.ok(known.includes(sentences['meeting:create']))
  const answer = await allow(browser, shown, ['meeting:delete'])
  assert.equal(await scopeAnswered(page, answer), scopes.join(' '))
})

test('what was allowed before stays, though it has no checkbox on the later page', async () => {
  const { alice, registered } = await scene()
  const page = await registered('Stays')
  const browser = createPlainBrowser(app)
  await allow(browser, await arrive(browser, alice, ask(page)), ['meeting:create', 'meeting:delete'])
  const shown = await arrive(browser, alice, ask(page, { prompt: 'consent' }))
  assert.deepEqual(checkboxes(shown), [])
  assert.equal(await scopeAnswered(page, await allow(browser, shown, [])), scopes.join(' '))
})

test('with nothing selected the page comes back, and nothing is granted', async () => {
  const { alice, registered } = await scene()
  const page = await registered('Nothing')
  const browser = createPlainBrowser(app)
  const shown = await arrive(browser, alice, ask(page, { scope: 'meeting:create meeting:delete' }))
  const again = await allow(browser, shown, [])
  assert.deepEqual([again.status, again.location], [422, undefined])
  assert.match(readingOf(again), /Nothing is selected/)
  assert.deepEqual(checkboxes(again), ['meeting:create', 'meeting:delete'])
  const grants = await app.database.selectFrom('appGrant').select('id').where('appId', '=', page.appId).execute()
  assert.deepEqual(grants, [])
  assert.equal(await scopeAnswered(page, await allow(browser, again, ['meeting:delete'])), 'meeting:delete')
})

test('a form cannot add scopes that were not requested', async () => {
  const { alice, registered } = await scene()
  const page = await registered('More')
  const browser = createPlainBrowser(app)
  const shown = await arrive(browser, alice, ask(page, { scope: 'meeting:read meeting:create' }))
  const answer = await allow(browser, shown, ['meeting:delete', 'meeting:join', 'x'])
  assert.equal(await scopeAnswered(page, answer), 'meeting:read')
})

test('a confidential client of the API is asked all or nothing, one of the MCP server is not', async () => {
  const { alice, registered } = await scene()
  const office = await registered('Office', 'confidential')
  const browser = createPlainBrowser(app)
  const shown = await arrive(browser, alice, ask(office))
  assert.deepEqual(checkboxes(shown), [])
  assert.equal(await scopeAnswered(office, await allow(browser, shown, [])), scopes.join(' '))

  const assistant = await registered('Assistant', 'confidential')
  const asked = await arrive(browser, alice, ask(assistant, { resource: `${publicAddress}/mcp` }))
  assert.deepEqual(checkboxes(asked), ['meeting:create selected', 'meeting:delete selected'])
  assert.equal(await scopeAnswered(assistant, await allow(browser, asked, [])), 'user:read meeting:read')
})
