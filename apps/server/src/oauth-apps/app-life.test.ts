import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { sql } from 'kysely'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  permit,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { type Person, sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { findClient } from './client-store.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, rita, dan, eve } = await meetDevelopers(app)
const findLive = (client: string) => findClient(app.database, client)

test('answers every request for another developer’s app with 404', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Mine alone' })
  const { _id } = await done(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
  const calls = [
    ...['', '?revision=live', '/secrets', '/events', '/testers'].map((rest) => ['GET', appPath(mine, rest)]),
    ['PUT', appPath(mine), calendarApp({ name: 'Not yours' })],
    ['PUT', appPath(mine, '/testers'), { testers: [] }],
    ['POST', appPath(mine, '/submit')],
    ['POST', appPath(mine, '/secrets'), { name: 'two' }],
    ['DELETE', appPath(mine, `/secrets/${_id}`)],
    ['DELETE', appPath(mine)],
  ] as [string, string, object?][]
  for (const person of [eve, olga]) {
    for (const [method, path, body] of calls) await refused(person.send(method, path, body), 404, 'app_not_found')
  }
  assert.deepEqual((await done(eve.send('GET', '/api/oauth2/apps'))).apps, [])
  for (const id of ['no-such-app', '00000000-0000-7000-8000-000000000000']) {
    await refused(dan.send('GET', `/api/oauth2/apps/${id}`), 404, 'app_not_found')
  }
})

test('refuses every request of callers who are not signed in', async () => {
  const paths = ['/api/oauth2/apps', '/api/oauth2/reviews', '/api/oauth2/apps/x', '/api/oauth2/apps/x/secrets']
  for (const path of paths) await refused(sendRequest(app, 'GET', path), 401, 'unauthorized')
})

async function scriptOf(person: Person, scopes: readonly string[]) {
  const made = await done(person.send('POST', '/api/auth/tokens', { name: 'script', scopes }), 201)
  const headers = { authorization: `Bearer ${made.token}` }
  return {
    tokenId: made._id,
    send: (method: string, path: string, body?: unknown) => sendRequest(app, method, path, body, headers),
  }
}

test('audits actions of a personal token with its id', async () => {
  const script = await scriptOf(dan, ['apps:manage'])
  const mine = await done(script.send('POST', '/api/oauth2/apps', calendarApp({ name: 'By a script' })), 201)
  await done(script.send('PUT', appPath(mine, '/testers'), { testers: [] }))
  await done(dan.send('DELETE', appPath(mine)))
  const entries = await app.database
    .selectFrom('auditEntry')
    .select(['action', 'detail'])
    .where(sql<boolean>`detail->>'appId' = ${mine._id}`)
    .orderBy('id')
    .execute()
  const by = entries.map(({ action, detail }) => [action, (detail as { personalTokenId?: string }).personalTokenId])
  assert.deepEqual(by, [
    ['app.created', script.tokenId],
    ['app.submitted', script.tokenId],
    ['app.testers-replaced', script.tokenId],
    ['app.deleted', undefined],
  ])
})

test('a stolen token that reads meetings reaches none of its owner’s apps', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Worth stealing' })
  const mallory = await scriptOf(dan, scopeNames)
  for (const [method, path, body] of [
    ['GET', '/api/oauth2/apps', undefined],
    ['POST', '/api/oauth2/apps', calendarApp({ name: 'Smuggled in' })],
    ['GET', appPath(mine), undefined],
    ['PUT', appPath(mine), calendarApp({ name: 'Taken over' })],
    ['POST', appPath(mine, '/submit'), undefined],
    ['GET', appPath(mine, '/events'), undefined],
    ['GET', appPath(mine, '/testers'), undefined],
    ['PUT', appPath(mine, '/testers'), { testers: ['mallory@example.org'] }],
    ['POST', '/api/oauth2/access', { reason: 'Again' }],
  ] as const) {
    await refused(mallory.send(method, path, body), 403, 'insufficient_scope')
  }
  for (const [method, path, body] of [
    ['GET', appPath(mine, '/secrets'), undefined],
    ['POST', appPath(mine, '/secrets'), { name: 'for mallory' }],
    ['DELETE', appPath(mine), undefined],
  ] as const) {
    await refused(mallory.send(method, path, body), 403, 'session_required')
  }
  assert.equal((await done(dan.send('GET', appPath(mine)))).status, 'approved')
})

test('a token for the portal has its owner’s rights there, except for secrets, deletion and reviews', async () => {
  const mine = await submit(rita, { name: 'Ritas own' })
  const { secret: _, _id } = await done(
    rita.send('POST', appPath(mine, '/secrets'), { name: 'one', sandbox: true }),
    201,
  )
  const script = await scriptOf(rita, ['apps:manage'])
  assert.equal((await done(script.send('GET', '/api/oauth2/apps'))).apps.length, 1)
  await done(script.send('PUT', appPath(mine), calendarApp({ name: 'Ritas own', description: 'Changed by a script' })))
  await done(script.send('GET', appPath(mine, '/events')))
  for (const [method, path, body] of [
    ['GET', appPath(mine, '/secrets'), undefined],
    ['POST', appPath(mine, '/secrets'), { name: 'two', sandbox: true }],
    ['DELETE', appPath(mine, `/secrets/${_id}`), undefined],
    ['DELETE', appPath(mine), undefined],
    ['GET', '/api/oauth2/reviews', undefined],
  ] as const) {
    await refused(script.send(method, path, body), 403, 'session_required')
  }
  // It opens the portal and nothing else.
  await refused(script.send('GET', '/api/my_profile'), 403, 'insufficient_scope')
  assert.equal((await done(rita.send('GET', appPath(mine, '/secrets')))).secrets.length, 1)
  await done(rita.send('DELETE', appPath(mine)))
})

test('an app behaves as suspended while its owner has no OAuth', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Of somebody disabled' })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
  await permit(olga, dan, { oauthEnabled: false })
  assert.equal((await findLive(mine.clientId))?.ownerActive, false)
  await refused(dan.send('GET', appPath(mine)), 403, 'oauth_not_enabled')
  await permit(olga, dan, { oauthEnabled: true })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
})

test('the sandbox exists from the first submission on, the live client from the approval on', async () => {
  const mine = await submit(dan, { name: 'Both sides', draft: true })
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  await done(dan.send('POST', appPath(mine, '/submit')))
  assert.equal((await findLive(mine.sandboxClientId))?.sandbox, true)
  const { clientId } = await done(decide(rita, mine, 'approved'))
  assert.equal((await findLive(clientId))?.sandbox, false)
})

test('a removed callback, scope or switch is gone from the client at once', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Shrinking' })
  const callbackUrls = ['https://acme.example/other']
  await done(dan.send('PUT', appPath(mine), { ...mine, callbackUrls, scopes: ['user:read'], requirePkce: true }))
  const { revision } = (await findLive(mine.clientId)) ?? assert.fail()
  assert.deepEqual([revision.callbackUrls, revision.scopes, revision.requirePkce], [callbackUrls, ['user:read'], true])
})
