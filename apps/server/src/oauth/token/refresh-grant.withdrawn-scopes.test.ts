import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Scope } from '@parley/contract'
import { sql } from 'kysely'
import { type ApprovedApp, approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { appPath, permit, reviewPath } from '../../../test/oauth/apps.ts'
import { arrive, authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { backendOf, causesOf, codeFor, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest, standUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'
import { inTransaction } from '../../platform/database/database.ts'

const service = await startApp({ emails: 'dropped' })
const { olga, alice, bob } = await meetPeople(service)
const scopes: Scope[] = ['meeting:read', 'meeting:create']

/** The developer changes the registered scopes, and nothing else of the app. */
async function setScopes(app: ApprovedApp, kept: readonly string[], more = {}) {
  const path = appPath({ _id: app.appId })
  const said = await expectOk(bob.send('GET', path))
  const fields = ['name', 'homepageUrl', 'policyUrl', 'logoUrl', 'useCase', 'callbackUrls']
  const unchanged = Object.fromEntries(fields.map((field) => [field, said[field]]))
  await expectOk(bob.send('PUT', path, { ...unchanged, scopes: kept, ...more }))
}

/** The rights of a token: to read, and to schedule. */
async function opens(token: string) {
  const authorization = `Bearer ${token}`
  const read = await sendRequest(service, 'GET', '/api/meeting/me', undefined, { authorization })
  const create = await sendRequest(service, 'POST', '/api/meeting', standUp(), { authorization })
  return [read.status, create.body.code ?? create.status]
}

test('removes a withdrawn scope from every token at once, and keeps the others', async () => {
  const app = await approvedApp(service, bob, { name: 'Takes away', scopes })
  const backend = backendOf(service, app)
  const tokens = await tokensFor(service, app, alice, { scopes })
  const code = await codeFor(service, app, alice, { scopes })
  assert.deepEqual(await opens(tokens.access_token), [200, 200])

  await setScopes(app, ['meeting:read'])
  assert.deepEqual(await opens(tokens.access_token), [200, 'insufficient_scope'])
  assert.equal((await backend.introspect(tokens.access_token)).body.scope, 'meeting:read')
  assert.equal((await backend.introspect(tokens.refresh_token)).body.scope, 'meeting:read')
  assert.equal((await backend.exchange(code)).body.scope, 'meeting:read')

  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  const listed = grants.find((grant: { app: { _id: string } }) => grant.app._id === app.appId)
  assert.deepEqual(listed.scopes, ['meeting:read'])

  const wanted = await backend.refresh(tokens.refresh_token, { scope: 'meeting:read meeting:create' })
  assert.deepEqual([wanted.status, wanted.body.error], [400, 'invalid_scope'])
  const body = await expectOk(backend.refresh(tokens.refresh_token))
  assert.equal(body.scope, 'meeting:read')
  assert.deepEqual(await opens(body.access_token), [200, 'insufficient_scope'])
})

test('repeats a lost answer without the scope that was withdrawn meanwhile', async () => {
  const app = await approvedApp(service, bob, { name: 'Lost answer', scopes })
  const tokens = await tokensFor(service, app, alice, { scopes })
  const backend = backendOf(service, app)
  const { body: first } = await backend.refresh(tokens.refresh_token)
  await setScopes(app, ['meeting:read'])
  const { body: again } = await backend.refresh(tokens.refresh_token)
  assert.deepEqual([again.access_token, again.scope], [first.access_token, 'meeting:read'])
})

test('tokens without a remaining scope give no access, and neither they nor a code yield new ones', async () => {
  const app = await approvedApp(service, bob, { name: 'Nothing left', scopes })
  const only: { scopes: Scope[] } = { scopes: ['meeting:create'] }
  const tokens = await tokensFor(service, app, alice, only)
  const code = await codeFor(service, app, alice, only)
  await setScopes(app, ['meeting:read'])
  assert.deepEqual(await opens(tokens.access_token), [403, 'insufficient_scope'])
  const backend = backendOf(service, app)
  for (const { status, body } of [await backend.refresh(tokens.refresh_token), await backend.exchange(code)]) {
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  }
  const cause = 'token_refused: The app no longer registers any of the scopes that the user granted.'
  assert.deepEqual((await causesOf(service, app)).slice(-2), [cause, cause])
})

test("the draft's scopes count in the sandbox, the published ones for the live app", async () => {
  const app = await approvedApp(service, bob, { name: 'Two sides', scopes })
  const real = await tokensFor(service, app, alice, { scopes })
  const tried = await tokensFor(service, app, bob, { scopes, sandbox: true })
  await setScopes(app, ['meeting:create', 'user:read'], { draft: true })
  assert.deepEqual(await opens(real.access_token), [403, 200])
  assert.deepEqual(await opens(tried.access_token), [403, 200])
  const introspected = await backendOf(service, app, 'sandbox').introspect(tried.access_token)
  assert.equal(introspected.body.scope, 'meeting:create')
})

test('a scope that returns after a review needs a new consent: neither tokens nor a refresh regain it', async () => {
  const app = await approvedApp(service, bob, { name: 'Comes back', scopes })
  const tokens = await tokensFor(service, app, alice, { scopes })
  const request = { client_id: app.clientId, redirect_uri: callbackUrl, response_type: 'code' }
  await setScopes(app, ['meeting:read'])
  await setScopes(app, scopes)
  await permit(olga, alice, { reviewer: true })
  await expectOk(alice.send('POST', reviewPath({ _id: app.appId }), { decision: 'approved' }))

  assert.deepEqual(await opens(tokens.access_token), [200, 'insufficient_scope'])
  const { body } = await backendOf(service, app).refresh(tokens.refresh_token)
  assert.equal(body.scope, 'meeting:read')
  const page = await arrive(createPlainBrowser(service), alice, authorizeUrl(service, request))
  assert.match(readingOf(page), /New: Comes back will also be able to: Create meetings on your behalf You have already/)

  await consent(service, alice, authorizeUrl(service, request))
  assert.deepEqual(await opens(body.access_token), [200, 'insufficient_scope'])
})

test('does not grant a scope that is withdrawn while the consent page is open', async () => {
  const app = await approvedApp(service, bob, { name: 'Goes meanwhile', scopes })
  const browser = createPlainBrowser(service)
  const request = { client_id: app.clientId, redirect_uri: callbackUrl, response_type: 'code' }
  const page = await arrive(browser, alice, authorizeUrl(service, request))
  await setScopes(app, ['meeting:read'])
  const answer = await browser.submit(page, { decision: 'allow' })
  assert.match(readingOf(answer), /This request has expired/)
  const grants = await service.database.selectFrom('appGrant').select('id').where('appId', '=', app.appId).execute()
  assert.deepEqual(grants, [])
})

test('does not grant a scope that is withdrawn at the very moment of the consent', async () => {
  const app = await approvedApp(service, bob, { name: 'Goes at once', scopes })
  const browser = createPlainBrowser(service)
  const request = { client_id: app.clientId, redirect_uri: callbackUrl, response_type: 'code' }
  const page = await arrive(browser, alice, authorizeUrl(service, request))
  const { database } = service
  const edited = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const editing = inTransaction(database, async (tx) => {
    await tx.selectFrom('app').select('id').where('id', '=', app.appId).forUpdate().execute()
    await tx
      .updateTable('appRevision')
      .set({ scopes: ['meeting:read'] })
      .where('appId', '=', app.appId)
      .execute()
    locked.resolve()
    await edited.promise
  })
  await locked.promise
  const answering = browser.submit(page, { decision: 'allow' })
  const waits = sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waits.execute(database)).rows[0]?.count === 0) await setImmediate()
  edited.resolve()
  await editing
  assert.match(readingOf(await answering), /This request has expired/)
})
