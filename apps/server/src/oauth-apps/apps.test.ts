import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames, useCases } from '@parley/contract'
import { sql } from 'kysely'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  meetDevelopers,
  misleading,
  permit,
  submit,
} from '../../test/oauth/apps.ts'
import { insertGrant, revocationCauseOf } from '../../test/oauth/grants.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { type Person, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { findClient } from './client-store.ts'
import { defaultPageChecks } from './page-checks.ts'

const { app, clock, olga, developers, meet } = await useDevelopers({
  emails: 'dropped',
  checkPages: async ({ homepageUrl }) => ({
    checks: homepageUrl.includes('gone')
      ? [{ check: 'page_answers', field: 'homepageUrl', result: 'failed', message: 'The page answers 404.' }]
      : [],
  }),
})

const findLive = (client: string) => findClient(app.database, client)

test('puts a submitted app under review, without a client id, with a working sandbox', async () => {
  const [dan] = await developers('Dan')
  const body = await submit(dan)
  const { _id, sandboxClientId, createdOn, modifiedOn, checks, ...rest } = body
  assert.match(_id, /^[0-9a-f-]{36}$/)
  assert.match(sandboxClientId, /^test_[A-Za-z0-9]{24}$/)
  assert.equal(createdOn, modifiedOn)
  assert.deepEqual(rest, {
    ...calendarApp(),
    embedOrigins: [],
    clientType: 'confidential',
    requirePkce: false,
    sendIss: true,
    status: 'under_review',
    reasons: [],
    scopeReasons: {},
    reviewNotes: '',
    liveRevision: null,
    draftRevision: 1,
    shownOwner: { name: 'Dan Test', organisation: null },
  })
  assert.deepEqual(
    checks.map(({ check, result }: { check: string; result: string }) => `${check} ${result}`),
    ['format passed', 'look_alike_name passed'],
  )
  assert.deepEqual(await expectOk(dan.send('GET', appPath(body))), body)
  const { checks: _, ...listed } = body
  assert.deepEqual(await expectOk(dan.send('GET', '/api/oauth2/apps')), { apps: [listed] })
})

test('keeps a saved app a draft until it is submitted', async () => {
  const [dan] = await developers('Dan')
  const saved = await submit(dan, { name: 'Draft of Dan', draft: true })
  assert.deepEqual([saved.status, saved.checks, saved.draftRevision], ['draft', [], 1])
  const submitted = await expectOk(dan.send('POST', appPath(saved, '/submit')))
  assert.deepEqual([submitted.status, submitted.checks.length, submitted.draftRevision], ['under_review', 2, 1])
  const again = await expectOk(dan.send('POST', appPath(saved, '/submit')))
  assert.deepEqual(again, submitted)
})

test('reports the result of page checks to the developer, and refuses nothing because of it', async () => {
  const [dan] = await developers('Dan')
  const { status, checks } = await submit(dan, { name: 'Gone Fishing', homepageUrl: 'https://gone.example/' })
  assert.equal(status, 'under_review')
  assert.deepEqual(checks.at(-1), {
    check: 'page_answers',
    field: 'homepageUrl',
    result: 'failed',
    message: 'The page answers 404.',
  })
})

test('fetches no page with APP_CHECKS=off, and still reports known facts about its host', async () => {
  const quiet = await startApp({ checkPages: defaultPageChecks({ appChecks: 'off', baseUrl: 'http://parley.test' }) })
  const people = await meetDevelopers(quiet)
  const { status, checks } = await submit(people.dan)
  assert.equal(status, 'under_review')
  const fetched = checks.filter(({ check }: { check: string }) => check === 'page_answers')
  assert.deepEqual(
    fetched.map(({ field, result }: { field: string; result: string }) => `${field} ${result}`),
    ['homepageUrl noted', 'policyUrl noted', 'logoUrl noted'],
  )
  assert.ok(checks.some(({ check }: { check: string }) => check === 'denied_host'))
})

test('accepts and flags http, except for localhost', async () => {
  const [dan] = await developers('Dan')
  const callbackUrls = ['http://localhost:3000/cb', 'http://plain.example/cb']
  const { checks } = await submit(dan, { name: 'Plain Planner', policyUrl: 'http://plain.example/p', callbackUrls })
  const flagged = checks.filter(({ check }: { check: string }) => check === 'plain_http')
  assert.deepEqual(
    flagged.map(({ field, result }: { field: string; result: string }) => `${field} ${result}`),
    ['policyUrl noted', 'callbackUrls/1 noted'],
  )
})

for (const [policy, localhost, elsewhere] of [
  ['require', ['/callbackUrls/0 plain_http'], ['/callbackUrls/0 plain_http']],
  ['allow-localhost', [], ['/callbackUrls/0 plain_http']],
] as const) {
  test(`OAUTH_HTTPS_CALLBACKS=${policy}`, async () => {
    const strict = await startApp({ environment: { OAUTH_HTTPS_CALLBACKS: policy } })
    const people = await meetDevelopers(strict)
    for (const [url, violations] of [
      ['http://localhost:3000/cb', localhost],
      ['http://acme.example/cb', elsewhere],
    ] as const) {
      const saving = people.dan.send('POST', '/api/oauth2/apps', calendarApp({ callbackUrls: [url], draft: true }))
      if (violations.length > 0) await expectProblem(saving, 'invalid_app', violations)
      else await expectOk(saving, 201)
    }
  })
}

test('answers broken rules with 422, all at once, with the field and a code', async () => {
  const [dan] = await developers('Dan')
  const callbackUrls = ['https://a.example/', 'https://a.example/#', 'https://*.example/', 'https://127.0.0.1/']
  const fields = calendarApp({ name: 'ab', homepageUrl: 'javascript:alert(1)', callbackUrls, scopes: ['openid'] })
  await expectProblem(dan.send('POST', '/api/oauth2/apps', fields), 'invalid_app', [
    '/callbackUrls/1 fragment',
    '/callbackUrls/2 wildcard',
    '/callbackUrls/3 ip_host',
    '/homepageUrl not_http',
    '/name too_short',
    '/scopes/0 not_allowed',
  ])
})

test('applies the rules to a saved draft as well', async () => {
  const [dan] = await developers('Dan')
  const answer = dan.send('POST', '/api/oauth2/apps', calendarApp({ draft: true, callbackUrls: [] }))
  const { errors } = await expectProblem(answer, 'invalid_app')
  assert.deepEqual(errors[0].path, '/callbackUrls')
})

test('answers 0 and 11 callbacks with 422, and accepts 1 and 10', async () => {
  const [dan] = await developers('Dan')
  const withCallbacks = (count: number) =>
    dan.send('POST', '/api/oauth2/apps', {
      ...calendarApp({ name: `Callbacks ${count} of ten` }),
      callbackUrls: Array.from({ length: count }, (_, index) => `https://acme.example/${index}`),
    })
  for (const [count, status] of [
    [0, 422],
    [1, 201],
    [10, 201],
    [11, 422],
  ] as const) {
    assert.equal((await withCallbacks(count)).status, status, `${count}`)
  }
})

test('keeps addresses exactly as sent', async () => {
  const [dan] = await developers('Dan')
  const callbackUrls = ['HTTPS://Acme.Example:443/a/../b?x=%7e&y', 'https://acme.example']
  const { callbackUrls: kept } = await submit(dan, { name: 'Exactly so', callbackUrls })
  assert.deepEqual(kept, callbackUrls)
})

test('refuses a name similar to a waiting one, and accepts one similar to a saved one', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  await submit(dan, { name: 'Globex Rooms' })
  for (const name of ['Globex Rooms', 'GLOBEX-ROOMS', 'Gl0bex ʀᴏᴏᴍs']) {
    await expectProblem(eve.send('POST', '/api/oauth2/apps', calendarApp({ name })), 'app_name_taken')
    await expectProblem(eve.send('POST', '/api/oauth2/apps', calendarApp({ name, draft: true })), 'app_name_taken')
  }
  await expectProblem(dan.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Globex Rooms' })), 'app_name_taken')

  const saved = await submit(dan, { name: 'Umbrella Rooms', draft: true })
  await submit(eve, { name: 'Umbrella Rooms' })
  await expectProblem(dan.send('POST', appPath(saved, '/submit')), 'app_name_taken')
})

test('frees the name of a deleted app', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const gone = await submit(dan, { name: 'Short lived' })
  await expectOk(dan.send('DELETE', appPath(gone)))
  await submit(eve, { name: 'Short lived' })
})

test('notes a name near to another one, and one that claims to be ours', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  await submit(dan, { name: 'Initech Planner' })
  for (const name of ['Initech Planer', 'Parley Assistant', 'Official Notes']) {
    const { checks } = await submit(eve, { name })
    const [found] = checks.filter(({ check }: { check: string }) => check === 'look_alike_name')
    assert.equal(found.result, 'noted', name)
  }
})

test('accepts one of two requests for a name at the same time', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const both = await Promise.all(
    [dan, eve].map((one) => one.send('POST', '/api/oauth2/apps', calendarApp({ name: 'First come' }))),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
})

test('limits an account to 100 apps', async () => {
  const [dan] = await developers('Dan')
  for (let made = 0; made < 100; made++) {
    await submit(dan, { name: `Number ${made} of Dan’s`, draft: true })
  }
  const oneMore = calendarApp({ name: 'One too many', draft: true })
  await expectProblem(dan.send('POST', '/api/oauth2/apps', oneMore), 'too_many_apps')
  const [first] = (await expectOk(dan.send('GET', '/api/oauth2/apps'))).apps
  await expectOk(dan.send('DELETE', appPath(first)))
  await submit(dan, { name: 'One again', draft: true })
})

test('limits an account to 200 submissions a day', async () => {
  const [eve] = await developers('Eve')
  const mine = await submit(eve, { name: 'Restless' })
  const { body } = await eve.send('GET', '/api/my_profile')
  const lines = Array.from({ length: 199 }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    appId: mine._id,
    revision: 1,
    decision: 'submitted',
    reasons: '[]',
    decidedBy: body._id,
    createdAt: clock.now(),
  }))
  await app.database.insertInto('appReview').values(lines).execute()
  const { status, headers } = await eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Too restless' }))
  assert.deepEqual([status, headers.get('retry-after')], [429, '3600'])
  await submit(eve, { name: 'Restful', draft: true })
})

test('answers 403 without OAuth, until an administrator enables it', async () => {
  const [dan] = await developers('Dan')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Of somebody enabled' })
  const calls = [
    ['GET', '/api/oauth2/apps'],
    ['POST', '/api/oauth2/apps', calendarApp()],
    ...['', '/secrets', '/events', '/testers'].map((rest) => ['GET', appPath(mine, rest)]),
    ['PUT', appPath(mine), calendarApp()],
    ['PUT', appPath(mine, '/testers'), { testers: [] }],
    ['POST', appPath(mine, '/submit')],
    ['POST', appPath(mine, '/secrets'), { name: 'one' }],
    ['DELETE', appPath(mine, `/secrets/${mine._id}`)],
    ['DELETE', appPath(mine)],
  ] as [string, string, object?][]
  for (const [method, path, body] of calls) {
    await expectProblem(carol.send(method, path, body), 'oauth_not_enabled')
  }
  await expectOk(carol.send('POST', '/api/oauth2/access', { reason: 'I build a calendar.' }), 202)
  await permit(olga, carol, { oauthEnabled: true })
  assert.deepEqual(await expectOk(carol.send('GET', '/api/oauth2/apps')), { apps: [] })
})

test('shows no live revision before the first approval, and no draft after it', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, { name: 'One face' })
  await expectProblem(dan.send('GET', `${appPath(before)}?revision=live`), 'app_not_found')
  await expectOk(decide(rita, before, 'approved'))
  await expectProblem(dan.send('GET', `${appPath(before)}?revision=draft`), 'app_not_found')
})

test('Dan reads the newest revision of his app, and either one by name', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await submit(dan, { name: 'Two faces' })
  assert.deepEqual(await expectOk(dan.send('GET', appPath(mine))), mine)
  await expectOk(decide(rita, mine, 'approved'))
  await expectOk(dan.send('PUT', appPath(mine), calendarApp({ name: 'Other face', draft: true })))
  const nameOf = async (query = '') => (await expectOk(dan.send('GET', `${appPath(mine)}${query}`))).name
  assert.equal(await nameOf(), 'Other face')
  assert.equal(await nameOf('?revision=draft'), 'Other face')
  assert.equal(await nameOf('?revision=live'), 'Two faces')
  await expectProblem(dan.send('GET', `${appPath(mine)}?revision=newest`), 'invalid_request', ['/revision not_allowed'])
})

const path = '/api/oauth2/apps'

type Listed = { name: string; status: string; draftStatus?: string; reasons: object[] }
const listed = async (person: Person): Promise<Listed[]> => (await expectOk(person.send('GET', path))).apps

test('shows Dan his own apps, oldest first, as he last saved them, and none of Eve’s', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  assert.deepEqual(await listed(dan), [])
  const live = await approvedApp(dan, rita, { name: 'Live one' })
  await expectOk(dan.send('PUT', appPath(live), calendarApp({ name: 'Renamed one', draft: true })))
  const rejected = await submit(dan, { name: 'Rejected one' })
  await expectOk(decide(rita, rejected, 'rejected', misleading))
  const saved = await submit(dan, { name: 'Saved one', draft: true })
  const deleted = await submit(dan, { name: 'Deleted one' })
  await expectOk(dan.send('DELETE', appPath(deleted)))
  await submit(eve, { name: 'Of Eve' })
  const apps = await listed(dan)
  const shown = apps.map(({ name, status, draftStatus, reasons }) => [name, status, draftStatus, reasons])
  assert.deepEqual(shown.toSorted(), [
    ['Rejected one', 'rejected', undefined, misleading],
    ['Renamed one', 'approved', 'draft', []],
    ['Saved one', 'draft', undefined, []],
  ])
  assert.deepEqual(
    (await listed(eve)).map(({ name }) => name),
    ['Of Eve'],
  )
  assert.equal(saved.status, 'draft')
})

test('deletes an app with its grants and secrets', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const [carol] = await meet('Carol')
  const mine = await approvedApp(dan, rita, { name: 'To be deleted' })
  const { secret: _, _id: secretId } = await expectOk(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
  const grantId = await insertGrant(app, carol, mine, { sandbox: false })
  await expectOk(dan.send('DELETE', appPath(mine)))
  for (const rest of ['', '/secrets', '/events']) {
    await expectProblem(dan.send('GET', appPath(mine, rest)), 'app_not_found')
  }
  await expectProblem(dan.send('DELETE', appPath(mine)), 'app_not_found')
  await expectProblem(rita.send('GET', `/api/oauth2/reviews/${mine._id}`), 'review_not_found')
  await expectProblem(olga.send('POST', appPath(mine, '/suspend'), {}), 'app_not_found')
  assert.equal(await findLive(mine.clientId), undefined)
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  assert.equal(await revocationCauseOf(app, grantId), 'app_deleted')
  const row = await app.database
    .selectFrom('appSecret')
    .select('retiredAt')
    .where('id', '=', secretId)
    .executeTakeFirst()
  assert.notEqual(row?.retiredAt, null)
})

test('lists the use cases to everyone, each with the code for submissions', async () => {
  const body = await expectOk(sendRequest(app, 'GET', '/api/oauth2/use-cases'))
  assert.deepEqual(body.useCases[0], { code: 'scheduling', name: 'Scheduling and calendars' })
  assert.deepEqual(
    body.useCases.map(({ code }: { code: string }) => code),
    Object.keys(useCases),
  )
})

test('answers every request for another developer’s app with 404', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  const mine = await approvedApp(dan, rita, { name: 'Mine alone' })
  const { _id } = await expectOk(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
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
    for (const [method, path, body] of calls) await expectProblem(person.send(method, path, body), 'app_not_found')
  }
  assert.deepEqual((await expectOk(eve.send('GET', '/api/oauth2/apps'))).apps, [])
  for (const id of ['no-such-app', '%00', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(dan.send('GET', `/api/oauth2/apps/${id}`), 'app_not_found')
  }
})

async function scriptOf(person: Person, scopes: readonly string[]) {
  const made = await expectOk(person.send('POST', '/api/auth/tokens', { name: 'script', scopes }), 201)
  const headers = { authorization: `Bearer ${made.token}` }
  return {
    tokenId: made._id,
    send: (method: string, path: string, body?: unknown) => sendRequest(app, method, path, body, headers),
  }
}

test('audits actions of a personal token with its id', async () => {
  const [dan] = await developers('Dan')
  const script = await scriptOf(dan, ['apps:manage'])
  const mine = await expectOk(script.send('POST', '/api/oauth2/apps', calendarApp({ name: 'By a script' })), 201)
  await expectOk(script.send('PUT', appPath(mine, '/testers'), { testers: [] }))
  await expectOk(dan.send('DELETE', appPath(mine)))
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
  const [rita, dan] = await developers('Rita', 'Dan')
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
    await expectProblem(mallory.send(method, path, body), 'insufficient_scope')
  }
  for (const [method, path, body] of [
    ['GET', appPath(mine, '/secrets'), undefined],
    ['POST', appPath(mine, '/secrets'), { name: 'for mallory' }],
    ['DELETE', appPath(mine), undefined],
  ] as const) {
    await expectProblem(mallory.send(method, path, body), 'session_required')
  }
  assert.equal((await expectOk(dan.send('GET', appPath(mine)))).status, 'approved')
})

test('a token for the portal has its owner’s rights there, except for secrets, deletion and reviews', async () => {
  const [rita] = await developers('Rita')
  const mine = await submit(rita, { name: 'Ritas own' })
  const { secret: _, _id } = await expectOk(
    rita.send('POST', appPath(mine, '/secrets'), { name: 'one', sandbox: true }),
    201,
  )
  const script = await scriptOf(rita, ['apps:manage'])
  assert.equal((await expectOk(script.send('GET', '/api/oauth2/apps'))).apps.length, 1)
  await expectOk(
    script.send('PUT', appPath(mine), calendarApp({ name: 'Ritas own', description: 'Changed by a script' })),
  )
  await expectOk(script.send('GET', appPath(mine, '/events')))
  for (const [method, path, body] of [
    ['GET', appPath(mine, '/secrets'), undefined],
    ['POST', appPath(mine, '/secrets'), { name: 'two', sandbox: true }],
    ['DELETE', appPath(mine, `/secrets/${_id}`), undefined],
    ['DELETE', appPath(mine), undefined],
    ['GET', '/api/oauth2/reviews', undefined],
  ] as const) {
    await expectProblem(script.send(method, path, body), 'session_required')
  }
  // It opens the portal and nothing else.
  await expectProblem(script.send('GET', '/api/my_profile'), 'insufficient_scope')
  assert.equal((await expectOk(rita.send('GET', appPath(mine, '/secrets')))).secrets.length, 1)
  await expectOk(rita.send('DELETE', appPath(mine)))
})

test('an app behaves as suspended while its owner has no OAuth', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Of somebody disabled' })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
  await permit(olga, dan, { oauthEnabled: false })
  assert.equal((await findLive(mine.clientId))?.ownerActive, false)
  await expectProblem(dan.send('GET', appPath(mine)), 'oauth_not_enabled')
  await permit(olga, dan, { oauthEnabled: true })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
})

test('the sandbox exists from the first submission on, the live client from the approval on', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await submit(dan, { name: 'Both sides', draft: true })
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  await expectOk(dan.send('POST', appPath(mine, '/submit')))
  assert.equal((await findLive(mine.sandboxClientId))?.sandbox, true)
  const { clientId } = await expectOk(decide(rita, mine, 'approved'))
  assert.equal((await findLive(clientId))?.sandbox, false)
})

test('a removed callback, scope or switch is gone from the client at once', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const mine = await approvedApp(dan, rita, { name: 'Shrinking' })
  const callbackUrls = ['https://acme.example/other']
  await expectOk(dan.send('PUT', appPath(mine), { ...mine, callbackUrls, scopes: ['user:read'], requirePkce: true }))
  const { revision } = (await findLive(mine.clientId)) ?? assert.fail()
  assert.deepEqual([revision.callbackUrls, revision.scopes, revision.requirePkce], [callbackUrls, ['user:read'], true])
})
