import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, calendarApp, done, meetDevelopers, permit, refused, submit } from '../../test/oauth/apps.ts'
import { violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { defaultPageChecks } from './page-checks.ts'

const app = await startApp({
  emails: 'dropped',
  checkPages: async ({ homepageUrl }) => ({
    checks: homepageUrl.includes('gone')
      ? [{ check: 'page_answers', field: 'homepageUrl', result: 'failed', message: 'The page answers 404.' }]
      : [],
  }),
})

const { olga, dan, eve, carol } = await meetDevelopers(app)

test('puts a submitted app under review, without a client id, with a working sandbox', async () => {
  const body = await submit(dan)
  const { _id, sandboxClientId, createdOn, modifiedOn, checks, ...rest } = body
  assert.match(_id, /^[0-9a-f-]{36}$/)
  assert.match(sandboxClientId, /^test_[A-Za-z0-9]{24}$/)
  assert.equal(createdOn, modifiedOn)
  assert.deepEqual(rest, {
    ...calendarApp(),
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
  assert.deepEqual(await done(dan.send('GET', appPath(body))), body)
  const { checks: _, ...listed } = body
  assert.deepEqual(await done(dan.send('GET', '/api/oauth2/apps')), { apps: [listed] })
})

test('keeps a saved app a draft until it is submitted', async () => {
  const saved = await submit(dan, { name: 'Draft of Dan', draft: true })
  assert.deepEqual([saved.status, saved.checks, saved.draftRevision], ['draft', [], 1])
  const submitted = await done(dan.send('POST', appPath(saved, '/submit')))
  assert.deepEqual([submitted.status, submitted.checks.length, submitted.draftRevision], ['under_review', 2, 1])
  const again = await done(dan.send('POST', appPath(saved, '/submit')))
  assert.deepEqual(again, submitted)
})

test('reports the result of page checks to the developer, and refuses nothing because of it', async () => {
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
    const violationsWith = async (url: string) =>
      violationsOf(await people.dan.send('POST', '/api/oauth2/apps', calendarApp({ callbackUrls: [url], draft: true })))
    assert.deepEqual(await violationsWith('http://localhost:3000/cb'), localhost)
    assert.deepEqual(await violationsWith('http://acme.example/cb'), elsewhere)
  })
}

test('answers broken rules with 422, all at once, with the field and a code', async () => {
  const callbackUrls = ['https://a.example/', 'https://a.example/#', 'https://*.example/', 'https://127.0.0.1/']
  const answer = await dan.send(
    'POST',
    '/api/oauth2/apps',
    calendarApp({ name: 'ab', homepageUrl: 'javascript:alert(1)', callbackUrls, scopes: ['openid'] }),
  )
  assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_app'])
  assert.deepEqual(violationsOf(answer), [
    '/callbackUrls/1 fragment',
    '/callbackUrls/2 wildcard',
    '/callbackUrls/3 ip_host',
    '/homepageUrl not_http',
    '/name too_short',
    '/scopes/0 not_allowed',
  ])
})

test('applies the rules to a saved draft as well', async () => {
  const answer = dan.send('POST', '/api/oauth2/apps', calendarApp({ draft: true, callbackUrls: [] }))
  const { errors } = await refused(answer, 422, 'invalid_app')
  assert.deepEqual(errors[0].path, '/callbackUrls')
})

test('answers 0 and 11 callbacks with 422, and accepts 1 and 10', async () => {
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

test('answers wrong types with 400', async () => {
  await refused(dan.send('POST', '/api/oauth2/apps', calendarApp({ callbackUrls: 'x' })), 400, 'invalid_request')
  await refused(dan.send('POST', '/api/oauth2/apps', { name: 'Half an app' }), 400, 'invalid_request')
})

test('keeps addresses exactly as sent', async () => {
  const callbackUrls = ['HTTPS://Acme.Example:443/a/../b?x=%7e&y', 'https://acme.example']
  const { callbackUrls: kept } = await submit(dan, { name: 'Exactly so', callbackUrls })
  assert.deepEqual(kept, callbackUrls)
})

test('refuses a name similar to a waiting one, and accepts one similar to a saved one', async () => {
  await submit(dan, { name: 'Globex Rooms' })
  for (const name of ['Globex Rooms', 'GLOBEX-ROOMS', 'Gl0bex ʀᴏᴏᴍs']) {
    await refused(eve.send('POST', '/api/oauth2/apps', calendarApp({ name })), 409, 'app_name_taken')
    await refused(eve.send('POST', '/api/oauth2/apps', calendarApp({ name, draft: true })), 409, 'app_name_taken')
  }
  await refused(dan.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Globex Rooms' })), 409, 'app_name_taken')

  const saved = await submit(dan, { name: 'Umbrella Rooms', draft: true })
  await submit(eve, { name: 'Umbrella Rooms' })
  await refused(dan.send('POST', appPath(saved, '/submit')), 409, 'app_name_taken')
})

test('frees the name of a deleted app', async () => {
  const gone = await submit(dan, { name: 'Short lived' })
  await done(dan.send('DELETE', appPath(gone)))
  await submit(eve, { name: 'Short lived' })
})

test('notes a name near to another one, and one that claims to be ours', async () => {
  await submit(dan, { name: 'Initech Planner' })
  for (const name of ['Initech Planer', 'Parley Assistant', 'Official Notes']) {
    const { checks } = await submit(eve, { name })
    const [found] = checks.filter(({ check }: { check: string }) => check === 'look_alike_name')
    assert.equal(found.result, 'noted', name)
  }
})

test('accepts one of two requests for a name at the same time', async () => {
  const both = await Promise.all(
    [dan, eve].map((one) => one.send('POST', '/api/oauth2/apps', calendarApp({ name: 'First come' }))),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
})

test('limits an account to 100 apps', async () => {
  const crowded = await startApp()
  const people = await meetDevelopers(crowded)
  for (let made = 0; made < 100; made++) {
    await submit(people.dan, { name: `Number ${made} of Dan’s`, draft: true })
  }
  const oneMore = calendarApp({ name: 'One too many', draft: true })
  await refused(people.dan.send('POST', '/api/oauth2/apps', oneMore), 409, 'too_many_apps')
  const [first] = (await done(people.dan.send('GET', '/api/oauth2/apps'))).apps
  await done(people.dan.send('DELETE', appPath(first)))
  await submit(people.dan, { name: 'One again', draft: true })
})

test('limits an account to 200 submissions a day', async () => {
  const mine = await submit(eve, { name: 'Restless' })
  const { body } = await eve.send('GET', '/api/my_profile')
  const lines = Array.from({ length: 199 }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    appId: mine._id,
    revision: 1,
    decision: 'submitted',
    reasons: '[]',
    decidedBy: body._id,
    createdAt: new Date(),
  }))
  await app.database.insertInto('appReview').values(lines).execute()
  const { status, headers } = await eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Too restless' }))
  assert.deepEqual([status, headers.get('retry-after')], [429, '3600'])
  await submit(eve, { name: 'Restful', draft: true })
})

test('answers 403 without OAuth, until an administrator enables it', async () => {
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
    await refused(carol.send(method, path, body), 403, 'oauth_not_enabled')
  }
  const asked = await carol.send('POST', '/api/oauth2/access', { reason: 'I build a calendar.' })
  assert.equal(asked.status, 202)
  await permit(olga, carol, { oauthEnabled: true })
  assert.deepEqual(await done(carol.send('GET', '/api/oauth2/apps')), { apps: [] })
})
