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
  misleading,
  permit,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { type Person, sendRequest, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { secureRandom } from '../platform/random.ts'
import { findClient } from './credentials/client-store.ts'
import { recordAppEvent } from './events/app-event-store.ts'
import { deleteOldAppEvents } from './events/delete-old-app-events.ts'

const app = await startApp({ letters: 'dropped' })
const { olga, rita, dan, eve, carol } = await meetDevelopers(app)
const findLive = (client: string) => findClient(app.database, client)

test('another developer’s app is 404 for everything', async () => {
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

test('without signing in nothing of it answers', async () => {
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

test('what a personal token did stands in the audit log with its id', async () => {
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

test('a stolen token that reads meetings reaches nothing of its owner’s apps', async () => {
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

test('a token for the portal does what its owner may do there, but no secrets, no deletion and no reviews', async () => {
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

test('a deleted app is gone, its grants and secrets with it', async () => {
  const mine = await approvedApp(dan, rita, { name: 'To be deleted' })
  const { secret: _, _id: secretId } = await done(dan.send('POST', appPath(mine, '/secrets'), { name: 'one' }), 201)
  const grantId = await grant(carol, mine, false)
  await done(dan.send('DELETE', appPath(mine)))
  for (const rest of ['', '/secrets', '/events']) {
    await refused(dan.send('GET', appPath(mine, rest)), 404, 'app_not_found')
  }
  await refused(dan.send('DELETE', appPath(mine)), 404, 'app_not_found')
  await refused(rita.send('GET', `/api/oauth2/reviews/${mine._id}`), 404, 'review_not_found')
  await refused(olga.send('POST', appPath(mine, '/suspend'), {}), 404, 'app_not_found')
  assert.equal(await findLive(mine.clientId), undefined)
  assert.equal(await findLive(mine.sandboxClientId), undefined)
  assert.equal(await revokedBecause(grantId), 'app_deleted')
  const row = await app.database
    .selectFrom('appSecret')
    .select('retiredAt')
    .where('id', '=', secretId)
    .executeTakeFirst()
  assert.notEqual(row?.retiredAt, null)
})

test('suspending stops an app in any state but a draft, and resuming lets it go on from there', async () => {
  const saved = await submit(dan, { name: 'Only saved', draft: true })
  await refused(olga.send('POST', appPath(saved, '/suspend'), {}), 409, 'wrong_app_state')

  const waiting = await submit(dan, { name: 'Suspended waiting' })
  const rejected = await submit(dan, { name: 'Suspended rejected' })
  await done(decide(rita, rejected, 'rejected', misleading))
  const held = await submit(dan, { name: 'Suspended held' })
  await done(decide(rita, held, 'on_hold', misleading))
  const live = await approvedApp(dan, rita, { name: 'Suspended live' })
  const changed = await approvedApp(dan, rita, { name: 'Suspended changed' })
  await done(dan.send('PUT', appPath(changed), { ...changed, description: 'New', draft: true }))

  for (const mine of [waiting, rejected, held, live, changed]) {
    const before = await done(dan.send('GET', appPath(mine)))
    const reasons = [{ code: 'malicious_url', field: 'homepageUrl' }]
    const suspended = await done(olga.send('POST', appPath(mine, '/suspend'), { reasons }))
    assert.equal(suspended.status, 'suspended')
    await refused(olga.send('POST', appPath(mine, '/suspend'), {}), 409, 'wrong_app_state')
    await refused(decide(rita, mine, 'approved'), 409, 'nothing_to_decide')
    const told = await done(dan.send('GET', appPath(mine)))
    assert.deepEqual([told.status, told.reasons], ['suspended', reasons])
    assert.equal((await findLive(mine.sandboxClientId))?.status, 'suspended')

    const resumed = await done(olga.send('POST', appPath(mine, '/resume')))
    assert.notEqual(resumed.status, 'suspended')
    const { modifiedOn, ...after } = await done(dan.send('GET', appPath(mine)))
    assert.deepEqual({ ...after, modifiedOn: before.modifiedOn }, before)
    await refused(olga.send('POST', appPath(mine, '/resume')), 409, 'wrong_app_state')
  }
})

test('only administrators suspend and resume', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Unstoppable' })
  for (const person of [dan, rita, eve, carol]) {
    await refused(person.send('POST', appPath(mine, '/suspend'), {}), 403, 'administrator_required')
    await refused(person.send('POST', appPath(mine, '/resume')), 403, 'administrator_required')
  }
})

test('a suspended app keeps its name to itself', async () => {
  const mine = await submit(dan, { name: 'Kept name' })
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  await refused(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Kept name' })), 409, 'app_name_taken')
})

test('while OAuth is taken away from its owner an app behaves as suspended', async () => {
  const mine = await approvedApp(dan, rita, { name: 'Of somebody disabled' })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
  await permit(olga, dan, { oauthEnabled: false })
  assert.equal((await findLive(mine.clientId))?.ownerActive, false)
  await refused(dan.send('GET', appPath(mine)), 403, 'oauth_not_enabled')
  await permit(olga, dan, { oauthEnabled: true })
  assert.equal((await findLive(mine.clientId))?.ownerActive, true)
})

test('the sandbox is found from the first submission on, the live side from the approval on', async () => {
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

const testerAddresses = (testers: { email: string; state: string }[]) =>
  testers.map(({ email, state }) => `${email} ${state}`)

test('testers are replaced as a whole, and who was removed loses the sandbox', async () => {
  const mine = await submit(dan, { name: 'Tried out' })
  const replace = (testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const read = async () => testerAddresses((await done(dan.send('GET', appPath(mine, '/testers')))).testers)
  assert.deepEqual(await read(), [])
  const { testers } = await done(replace(['carol@example.org', 'Carol@Example.org', 'nobody@example.org']))
  assert.deepEqual(testerAddresses(testers), ['Carol@Example.org pending', 'nobody@example.org pending'])
  await done(carol.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: 'accepted' }))
  assert.deepEqual(await read(), ['Carol@Example.org accepted', 'nobody@example.org pending'])

  const [ofCarol, ofDan, ofEve] = [
    await grant(carol, mine, true),
    await grant(dan, mine, true),
    await grant(eve, mine, false),
  ]
  await done(replace(['carol@example.org']))
  assert.equal(await revokedBecause(ofCarol), null)
  assert.deepEqual(await read(), ['Carol@Example.org accepted'])
  await done(replace([]))
  assert.equal(await revokedBecause(ofCarol), 'tester_removed')
  assert.equal(await revokedBecause(ofDan), null)
  assert.equal(await revokedBecause(ofEve), null)
  // Named again, she is asked again.
  await done(replace(['carol@example.org']))
  assert.deepEqual(await read(), ['carol@example.org pending'])
})

test('there are 100 testers at most, each with an address', async () => {
  const mine = await submit(dan, { name: 'Crowd tested' })
  const replace = (testers: unknown[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const people = (count: number) => Array.from({ length: count }, (_, index) => `tester${index}@example.org`)
  assert.equal((await done(replace(people(100)))).testers.length, 100)
  assert.deepEqual(violationsOf(await replace(people(101))), ['/testers too_many'])
  assert.deepEqual(violationsOf(await replace(['a@example.org', 'nobody'])), ['/testers/1 bad_format'])
  assert.deepEqual(violationsOf(await replace([7])), ['/testers/0 wrong_type'])
})

test('events come the newest first, in pages', async () => {
  const mine = await submit(dan, { name: 'Eventful' })
  const { database } = app
  const event = { appId: mine._id, kind: 'token_refused', sandbox: true, requestId: 'r', random: secureRandom }
  for (let count = 1; count <= 5; count++) {
    await recordAppEvent(database, { ...event, cause: `Refusal ${count}`, now: new Date() })
  }
  const page = async (query: string) => {
    const body = await done(dan.send('GET', appPath(mine, `/events?${query}`)))
    return { ...body, causes: body.events.map(({ cause }: { cause: string }) => cause) }
  }
  const first = await page('limit=2')
  assert.deepEqual([first.causes, first.moreAvailable], [['Refusal 5', 'Refusal 4'], true])
  const { _id, createdOn, ...told } = first.events[0]
  assert.deepEqual(told, { kind: 'token_refused', cause: 'Refusal 5', sandbox: true, requestId: 'r' })
  const rest = await page(`limit=200&after=${first.nextCursor}`)
  const submitted = 'Revision 1 was submitted for review.'
  assert.deepEqual(rest.causes, ['Refusal 3', 'Refusal 2', 'Refusal 1', submitted])
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  await refused(dan.send('GET', appPath(mine, '/events?after=x')), 400, 'invalid_request')
})

test('events are kept for 90 days, and of each app and kind the newest 2,000', async () => {
  const [mine, other] = [await submit(dan, { name: 'Flooded' }), await submit(dan, { name: 'Quiet one' })]
  const now = new Date()
  const row = (appId: string, at: Date, cause: string, kind = 'token_refused') => ({
    id: secureRandom.uuid(at),
    appId,
    kind,
    cause,
    sandbox: false,
    requestId: '',
    createdAt: at,
  })
  const days = (count: number) => new Date(now.getTime() - count * 24 * 60 * 60 * 1000)
  const insert = (rows: ReturnType<typeof row>[]) => app.database.insertInto('appEvent').values(rows).execute()
  await insert([row(other._id, days(90), 'too old'), row(other._id, days(89), 'not yet')])
  await insert([row(mine._id, days(2), 'what really went wrong')])
  for (let batch = 0; batch < 2; batch++) {
    const flood = Array.from({ length: 1_000 }, (_, index) => `${batch} ${index}`)
    await insert(flood.map((cause) => row(mine._id, now, cause, 'client_refused')))
  }
  assert.equal(await deleteOldAppEvents(app.database, now), 1)
  await insert([row(mine._id, now, 'one too many', 'client_refused')])
  assert.equal(await deleteOldAppEvents(app.database, now), 1)
  const causes = async (appId: string) => {
    const rows = await app.database
      .selectFrom('appEvent')
      .select('cause')
      .where('appId', '=', appId)
      .orderBy('id')
      .execute()
    return rows.map(({ cause }) => cause)
  }
  const submitted = 'Revision 1 was submitted for review.'
  assert.deepEqual(await causes(other._id), ['not yet', submitted])
  const left = await causes(mine._id)
  assert.deepEqual([left.length, ...left.slice(0, 3)], [2_002, 'what really went wrong', submitted, '0 1'])
  assert.deepEqual(left.at(-1), 'one too many')
})

test('who asks for OAuth is shown to administrators until they enable it', async () => {
  const summaryOf = async (person: Person) => {
    const { accounts } = await done(olga.send('GET', '/api/admin/accounts'))
    return accounts.find(({ _id }: { _id: string }) => _id === person.profile._id)
  }
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  await done(carol.send('POST', '/api/oauth2/access', { reason: 'A first reason' }), 202)
  await done(carol.send('POST', '/api/oauth2/access', { reason: 'I build a calendar.' }), 202)
  const { oauthRequest } = await summaryOf(carol)
  assert.equal(oauthRequest.reason, 'I build a calendar.')
  assert.match(oauthRequest.requestedOn, /^\d{4}-\d\d-\d\dT.*Z$/)
  const named = await done(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { reviewer: false }))
  assert.deepEqual(named.oauthRequest, oauthRequest)

  const enabled = await done(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { oauthEnabled: true }))
  assert.deepEqual([enabled.oauthEnabled, enabled.oauthRequest], [true, null])
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  const { status } = await done(carol.send('POST', '/api/oauth2/access', { reason: 'Again' }), 202)
  assert.equal(status, 'OAuth is enabled for your account already.')
  assert.equal((await summaryOf(carol)).oauthRequest, null)
})

test('a reason for OAuth has 1 to 1,000 characters', async () => {
  const violationsWith = async (reason: string) =>
    violationsOf(await carol.send('POST', '/api/oauth2/access', { reason }))
  assert.deepEqual(await violationsWith(''), ['/reason too_short'])
  assert.deepEqual(await violationsWith('a'.repeat(1_000)), [])
  assert.deepEqual(await violationsWith('a'.repeat(1_001)), ['/reason too_long'])
})

async function grant(person: Person, to: { _id: string }, sandbox: boolean): Promise<string> {
  const now = new Date()
  const id = secureRandom.uuid(now)
  const times = { createdAt: now, modifiedAt: now, lastUsedAt: null, expiresAt: new Date(now.getTime() + 60_000) }
  await app.database
    .insertInto('appGrant')
    .values({
      id,
      accountId: person.profile._id,
      appId: to._id,
      sandbox,
      scopes: ['user:read'],
      ...times,
      revokedAt: null,
      revokedBecause: null,
    })
    .execute()
  return id
}

async function revokedBecause(grantId: string) {
  const row = await app.database.selectFrom('appGrant').selectAll().where('id', '=', grantId).executeTakeFirstOrThrow()
  assert.equal(row.revokedAt === null, row.revokedBecause === null)
  return row.revokedBecause
}
