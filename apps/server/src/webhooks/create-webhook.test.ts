import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypeNames } from '@parley/contract'
import { sql } from 'kysely'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, signUp, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import {
  createWebhook,
  receiverUrl,
  type Sender,
  scriptOf,
  webhookPath,
  webhooksPath,
  withToken,
} from '../../test/webhooks/manage-webhooks.ts'
import { loopbackReceivers } from '../../test/webhooks/webhooks.ts'
import { decryptSecret } from './webhook-secret.ts'

const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })
const { appId } = planner

const create = (sender: Sender, changes: object = {}) =>
  sender.send('POST', webhooksPath, { url: receiverUrl, ...changes })
const violations = async (sender: Sender, changes: object) => {
  const answer = await create(sender, changes)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  return violationsOf(answer)
}

test('a person creates a webhook; its secret is in this reply only', async () => {
  const answer = await create(alice, { description: 'My script', types: ['meeting.created', 'meeting.created'] })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const { secret, ...webhook } = answer.body
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { _id, createdOn, modifiedOn, ...shown } = webhook
  assert.equal(createdOn, modifiedOn)
  assert.deepEqual(shown, {
    owner: 'person',
    appId: null,
    sandbox: false,
    personalTokenId: null,
    url: receiverUrl,
    types: ['meeting.created'],
    payload: 'thin',
    description: 'My script',
    state: 'active',
    disabledBecause: null,
    failingSince: null,
    lastSuccessOn: null,
    previousSecretUntil: null,
  })
  assert.deepEqual((await alice.send('GET', webhookPath(webhook))).body, webhook)

  const row = await app.database.selectFrom('webhook').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()
  assert.equal(decryptSecret(app.encryption, row.encryptedSecret, _id), secret)
  const audited = await app.database.selectFrom('auditEntry').selectAll().where('action', 'like', 'webhook%').execute()
  const entry = audited.find(({ detail }) => Object(detail).webhookId === _id)
  assert.deepEqual(
    [entry?.action, entry?.actorId, entry?.subjectId, Object(entry?.detail).name],
    ['webhook.created', alice.profile._id, alice.profile._id, 'planner.example.com'],
  )
  const plain = secret.slice('whsec_'.length)
  for (const text of [JSON.stringify(row), JSON.stringify(audited), ...app.logged]) {
    assert.ok(!text.includes(plain), text)
    assert.ok(!text.includes(Buffer.from(plain, 'base64').toString('hex')), text)
  }
})

test('a personal token makes webhooks of types that it may read', async () => {
  const reading = await scriptOf(app, bob, ['meeting:read'])
  const { types } = await createWebhook(reading)
  assert.ok(types.includes('meeting.created') && types.includes('participant.joined'))
  assert.deepEqual(
    types.filter((type: string) => /^(grant|app|secret|webhook)\./.test(type)),
    [],
    'without types, a token gets those that it may read, and not all',
  )
  const both = await createWebhook(await scriptOf(app, bob, ['meeting:read', 'apps:manage']))
  assert.ok(both.types.includes('app.approved') && both.types.includes('meeting.created'))
  await refused(create(reading, { types: ['meeting.created', 'app.approved'] }), 403, 'insufficient_scope')
  await refused(create(reading, { types: ['grant.created'] }), 403, 'session_required')
  const profileOnly = await scriptOf(app, bob, ['user:read'])
  await refused(create(profileOnly), 403, 'insufficient_scope')
  await refused(create(profileOnly, { types: ['meeting.created'] }), 403, 'insufficient_scope')
  assert.deepEqual((await createWebhook(bob)).types, [], 'a session has all types')
})

test('a token of an app makes webhooks of its grant', async () => {
  const { access_token } = await tokensFor(app, planner, carol, { scopes: ['user:read', 'meeting:read'] })
  const webhook = await createWebhook(withToken(app, access_token))
  assert.deepEqual([webhook.owner, webhook.appId, webhook.sandbox], ['grant', appId, false])
  assert.ok(webhook.types.includes('meeting.created') && webhook.types.includes('grant.revoked'))
  assert.ok(!webhook.types.includes('app.approved'))
  const sandbox = await tokensFor(app, planner, carol, { scopes: ['user:read'], sandbox: true })
  const inSandbox = await createWebhook(withToken(app, sandbox.access_token))
  assert.deepEqual(
    [inSandbox.sandbox, inSandbox.types],
    [true, ['grant.created', 'grant.changed', 'grant.revoked']],
    'a token without meeting:read has no events of meetings',
  )
  const narrow = withToken(app, sandbox.access_token)
  await refused(create(narrow, { types: ['meeting.created'] }), 403, 'insufficient_scope')
  await refused(create(narrow, { types: ['app.approved'] }), 403, 'app_token_refused')
  await refused(create(narrow, { appId }), 403, 'app_token_refused')
  await refused(create(narrow, { everyone: true }), 403, 'app_token_refused')
})

test('the owner of an app makes webhooks of it with a session, because the reply has their secret', async () => {
  for (const sandbox of [false, true]) {
    const webhook = await createWebhook(olga, { appId, sandbox, types: ['meeting.created', 'app.suspended'] })
    assert.deepEqual([webhook.owner, webhook.appId, webhook.sandbox], ['app', appId, sandbox])
  }
  for (const scope of ['apps:manage', 'meeting:read']) {
    await refused(create(await scriptOf(app, olga, [scope]), { appId }), 403, 'session_required')
  }
  await refused(create(mallory, { appId }), 403, 'oauth_not_enabled')
  await approvedApp(app, mallory, { name: 'Mallory’s own' })
  for (const id of [appId, 'x', alice.profile._id]) await refused(create(mallory, { appId: id }), 404, 'app_not_found')
})

test('an administrator with a session makes webhooks of the organisation', async () => {
  const webhook = await createWebhook(olga, { everyone: true })
  assert.deepEqual([webhook.owner, webhook.appId], ['organisation', null])
  await refused(create(mallory, { everyone: true }), 403, 'administrator_required')
  await refused(create(await scriptOf(app, olga, ['meeting:read']), { everyone: true }), 403, 'session_required')
  assert.equal((await createWebhook(olga, { everyone: false })).owner, 'person')
})

test('every violation is reported at its field', async () => {
  const none = await alice.send('POST', webhooksPath, {})
  assert.deepEqual(violationsOf(none), ['/url required'])
  const sent = { url: 'http://planner.example.com/', types: ['meeting.created', 'x'], description: 'a'.repeat(201) }
  assert.deepEqual(await violations(alice, sent), ['/description too_long', '/types/1 unknown_type', '/url not_https'])
  assert.deepEqual(await violations(olga, { appId, everyone: true }), ['/everyone not_together'])
  assert.deepEqual(await violations(olga, { sandbox: true }), ['/sandbox not_together'])
  const many = (count: number) => ({ types: Array.from({ length: count }, () => 'meeting.created') })
  assert.deepEqual(await violations(alice, many(51)), ['/types too_many'])
  assert.deepEqual(await violations(alice, { payload: 'fat' }), ['/payload not_allowed'])
  const url = (length: number) => `https://a.example/${'a'.repeat(length - 'https://a.example/'.length)}`
  assert.deepEqual(await violations(alice, { url: url(2_001) }), ['/url too_long'])
  const dora = await signUp(app, 'Dora')
  const longest = await createWebhook(dora, { url: url(2_000), ...many(50), description: 'a'.repeat(200) })
  assert.deepEqual([longest.url.length, longest.types.length], [2_000, 1])
  assert.deepEqual((await createWebhook(dora, { types: eventTypeNames })).types, eventTypeNames)
})

test('private addresses are refused, and http is for this machine and the sandbox of an app', async () => {
  const eve = await signUp(app, 'Eve')
  for (const url of ['https://10.0.0.5/', 'https://[fd00::1]/', 'https://169.254.169.254/']) {
    assert.deepEqual(await violations(eve, { url }), ['/url private_address'], url)
  }
  // As where BASE_URL is on this machine.
  const local = 'http://127.0.0.1:4000/'
  await createWebhook(eve, { url: local })
  await createWebhook(eve, { url: 'http://localhost:4000/' })
  assert.deepEqual(await violations(eve, { url: 'http://127.0.0.2:4000/' }), ['/url not_https'])
  assert.deepEqual(await violations(olga, { url: local, appId }), ['/url not_https'])
  await createWebhook(olga, { url: local, appId, sandbox: true })
  const tokens = {
    real: await tokensFor(app, planner, eve),
    test: await tokensFor(app, planner, eve, { sandbox: true }),
  }
  assert.deepEqual(await violations(withToken(app, tokens.real.access_token), { url: local }), ['/url not_https'])
  await createWebhook(withToken(app, tokens.test.access_token), { url: local })
})

test('a person has 10 webhooks, an app 10 and as many in its sandbox, a grant 5, an organisation 10', async () => {
  // Three people, because each makes at most 30 an hour.
  const [ada, devi, gita] = [await signUp(app, 'Ada'), await signUp(app, 'Devi'), await signUp(app, 'Gita')]
  const own = await approvedApp(app, devi, { name: 'Calendar' })
  const { access_token } = await tokensFor(app, own, gita)
  const limits: [Sender, object, number][] = [
    [ada, {}, 10],
    [devi, { appId: own.appId }, 10],
    [devi, { appId: own.appId, sandbox: true }, 10],
    [withToken(app, access_token), {}, 5],
  ]
  for (const [sender, changes, limit] of limits) {
    // All at once: each creation counts those before it.
    const answers = await Promise.all(Array.from({ length: limit + 2 }, () => create(sender, changes)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array(limit).fill(201), 409, 409], JSON.stringify(changes))
    await refused(create(sender, changes), 409, 'too_many_webhooks')
    const freed = answers.find(({ status }) => status === 201)?.body
    assert.equal((await sender.send('DELETE', webhookPath(freed))).status, 200)
    await createWebhook(sender, changes)
  }
  const before = (await olga.send('GET', `${webhooksPath}?everyone=true`)).body.webhooks.length
  const answers = await Promise.all(Array.from({ length: 12 - before }, () => create(olga, { everyone: true })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 10 - before)
})

test('all apps of a person together have 30 webhooks, also where they are created at the same time', async () => {
  const [ottilie, hanne] = [await signUp(app, 'Ottilie'), await signUp(app, 'Hanne')]
  const [first, second] = [
    await approvedApp(app, ottilie, { name: 'First' }),
    await approvedApp(app, ottilie, { name: 'Second' }),
  ]
  const of = async (client: typeof first) => withToken(app, (await tokensFor(app, client, hanne)).access_token)
  const [ofFirst, ofSecond] = [await of(first), await of(second)]
  const { _id: webhookId } = await createWebhook(ofFirst, {})
  // As if further apps had made them.
  await sql`insert into webhook select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
    from webhook w, generate_series(1, 27) where w.id = ${webhookId}`.execute(app.database)
  const replies = await Promise.all(Array.from({ length: 4 }, () => create(ofSecond, {})))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 201, 409, 409])
  await refused(create(ofSecond, {}), 409, 'too_many_webhooks')
  // Those of the person are counted apart.
  await createWebhook(hanne, {})
})

test('a webhook is not created with a session that has ended', async () => {
  await refused(create(withToken(app, 'x')), 401, 'unauthorized')
})
