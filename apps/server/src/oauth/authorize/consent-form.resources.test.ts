import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Resource, resourceIdentifier, resources } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { authorizeUrl, consent } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { backendOf } from '../../../test/oauth/token-client.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { grantedFor, scopeColumns } from '../../access/credentials/live-grant.ts'

const { app, meet } = await useApp({ emails: 'dropped' })
const callbackUrl = 'https://planner.example/callback'

type Registered = Awaited<ReturnType<typeof approvedApp>>

/** Undefined: the request names no resource, and is for the API. */
const ask = ({ clientId }: Registered, resource: Resource | undefined, more = {}) =>
  authorizeUrl(app, {
    client_id: clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    ...(resource !== undefined && { resource: resourceIdentifier(resource, publicAddress) }),
    ...more,
  })

const named: readonly (Resource | undefined)[] = [...resources, undefined]
const target = (resource: Resource | undefined) => resource ?? 'api'

/** Meet Alice, who uses the apps of Dana. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  let registered = 0
  return { alice, newApp: () => approvedApp(app, dana, { name: `Planner ${++registered}` }) }
}

for (const first of named) {
  for (const second of named.filter((other) => target(other) !== target(first))) {
    test(`a consent for ${first ?? 'no resource'} is none for ${second ?? 'no resource'}`, async () => {
      const { alice, newApp } = await scene()
      const planner = await newApp()
      const browser = createPlainBrowser(app)
      await consent(app, alice, ask(planner, first), 'allow', browser)
      const again = await browser.follow(await browser.get(ask(planner, first, { prompt: 'none' })))
      assert.match(again.location ?? '', /\?code=/)

      const silent = await browser.follow(await browser.get(ask(planner, second, { prompt: 'none' })))
      assert.equal(new URL(silent.location ?? '').searchParams.get('error'), 'consent_required')
      const page = await browser.follow(await browser.get(ask(planner, second, { scope: 'meeting:read' })))
      assert.equal(page.location, undefined, 'The consent page is shown.')
      assert.match(readingOf(page), /New: Planner \d+ also asks for the (programming interface|tools for assistants)/)

      // What is allowed then is for that resource, and only what the page said.
      await browser.submit(page, { decision: 'allow', scope: 'meeting:read' })
      const allowed = await browser.follow(
        await browser.get(ask(planner, second, { prompt: 'none', scope: 'meeting:read' })),
      )
      assert.match(allowed.location ?? '', /\?code=/)
      const more = await browser.follow(await browser.get(ask(planner, second, { prompt: 'none' })))
      assert.equal(new URL(more.location ?? '').searchParams.get('error'), 'consent_required')
      const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
      const grant = grants.find((one: { app: { _id: string } }) => one.app._id === planner.appId)
      const scopesOf = (resource: Resource) =>
        grant.resources.find(
          (one: { resource: string }) => one.resource === resourceIdentifier(resource, publicAddress),
        ).scopes
      assert.deepEqual(scopesOf(target(second)), ['meeting:read'])
      assert.ok(scopesOf(target(first)).length > 1)
    })
  }
}

test('a page that did not ask for another resource says nothing of one', async () => {
  const { alice, newApp } = await scene()
  const planner = await newApp()
  const browser = createPlainBrowser(app)
  await consent(app, alice, ask(planner, 'mcp', { scope: 'meeting:read' }), 'allow', browser)
  const page = await browser.follow(await browser.get(ask(planner, 'mcp')))
  assert.match(readingOf(page), /will also be able to/)
  assert.doesNotMatch(readingOf(page), /also asks for the/)
})

test('a scope that an app has lost returns for the resource alone for which it is consented to again', async () => {
  const { alice, newApp } = await scene()
  const planner = await newApp()
  const { searchParams } = await consent(app, alice, ask(planner, 'mcp'))
  const backend = backendOf(app, planner)
  const { body } = await backend.exchange(searchParams.get('code') ?? '')
  // As trimGrantsOfApp leaves it, and a later consent for the API.
  await app.database
    .updateTable('appGrant')
    .set({ mcpScopes: ['user:read'], apiScopes: ['user:read', 'meeting:read'] })
    .where('appId', '=', planner.appId)
    .execute()
  const { body: found } = await backend.introspect(body.access_token)
  assert.equal(found.scope, 'user:read')
  const refreshed = await backend.refresh(body.refresh_token)
  assert.equal(refreshed.body.scope, 'user:read')
})

test('each resource has a column of its own, and an unknown one has no scopes', async () => {
  const { alice, newApp } = await scene()
  assert.deepEqual(Object.keys(scopeColumns), [...resources])
  assert.equal(new Set(Object.values(scopeColumns)).size, resources.length)
  const planner = await newApp()
  await consent(app, alice, ask(planner, 'api'))
  const { rows } = await sql`select ${grantedFor(sql`'later'`)} as scopes, ${grantedFor(sql`'api'`)} as api
    from app_grant g where g.app_id = ${planner.appId}`.execute(app.database)
  assert.deepEqual(rows, [{ scopes: null, api: ['user:read', 'meeting:create', 'meeting:read'] }])
})
