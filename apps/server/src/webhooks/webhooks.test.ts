import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type EventType, eventTypeNames, eventTypes } from '@parley/contract'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { schedule, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import {
  createWebhook,
  listedBy,
  receiverUrl,
  type Sender,
  scriptOf,
  webhookPath,
  webhooksPath,
  withToken,
} from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'
import { decryptSecret } from './webhook-secret.ts'

// Signatures are verified with the machine's time.
const { app, clock, olga, meet } = await useApp({
  emails: 'dropped',
  environment: loopbackReceivers,
  start: new Date().toISOString(),
})
const planner = await approvedApp(app, olga, { name: 'Planner' })
const { appId } = planner

afterEach(() => app.database.deleteFrom('webhook').execute())

const create = (sender: Sender, changes: object = {}) =>
  sender.send('POST', webhooksPath, { url: receiverUrl, ...changes })
const expectViolations = (sender: Sender, changes: object, violations: readonly string[]) =>
  expectProblem(create(sender, changes), 'invalid_request', violations)

/** @returns the answer that refuses for too many requests */
async function refusedForLater(sender: Sender, ...request: Parameters<Sender['send']>) {
  const reply = await sender.send(...request)
  await expectProblem(reply, 'too_many_requests')
  assert.ok(Number(reply.headers.get('retry-after')) > 3_000)
}

async function createAndDelete(sender: Sender, count: number) {
  for (let made = 0; made < count; made += 1) {
    await expectOk(sender.send('DELETE', webhookPath(await createWebhook(sender))))
  }
}

const sendTest = (sender: Sender, webhook: { _id: string }, body?: object) =>
  sender.send('POST', webhookPath(webhook, '/test'), body)

test('a person creates a webhook; its secret is in this reply only', async () => {
  const [alice] = await meet('Alice')
  const answer = await create(alice, { description: 'My script', types: ['meeting.created', 'meeting.created'] })
  await expectOk(answer, 201)
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
  const [bob] = await meet('Bob')
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
  await expectProblem(create(reading, { types: ['meeting.created', 'app.approved'] }), 'insufficient_scope')
  await expectProblem(create(reading, { types: ['grant.created'] }), 'session_required')
  const profileOnly = await scriptOf(app, bob, ['user:read'])
  await expectProblem(create(profileOnly), 'insufficient_scope')
  await expectProblem(create(profileOnly, { types: ['meeting.created'] }), 'insufficient_scope')
  assert.deepEqual((await createWebhook(bob)).types, [], 'a session has all types')
})

test('a token of an app makes webhooks of its grant', async () => {
  const [carol] = await meet('Carol')
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
  await expectProblem(create(narrow, { types: ['meeting.created'] }), 'insufficient_scope')
  await expectProblem(create(narrow, { types: ['app.approved'] }), 'app_token_refused')
  await expectProblem(create(narrow, { appId }), 'app_token_refused')
  await expectProblem(create(narrow, { everyone: true }), 'app_token_refused')
})

test('the owner of an app makes webhooks of it with a session, because the reply has their secret', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  for (const sandbox of [false, true]) {
    const webhook = await createWebhook(olga, { appId, sandbox, types: ['meeting.created', 'app.suspended'] })
    assert.deepEqual([webhook.owner, webhook.appId, webhook.sandbox], ['app', appId, sandbox])
  }
  for (const scope of ['apps:manage', 'meeting:read']) {
    await expectProblem(create(await scriptOf(app, olga, [scope]), { appId }), 'session_required')
  }
  await expectProblem(create(mallory, { appId }), 'oauth_not_enabled')
  await approvedApp(app, mallory, { name: 'Mallory’s own' })
  for (const id of [appId, 'x', alice.profile._id]) await expectProblem(create(mallory, { appId: id }), 'app_not_found')
})

test('an administrator with a session makes webhooks of the organisation', async () => {
  const [mallory] = await meet('Mallory')
  const webhook = await createWebhook(olga, { everyone: true })
  assert.deepEqual([webhook.owner, webhook.appId], ['organisation', null])
  await expectProblem(create(mallory, { everyone: true }), 'administrator_required')
  await expectProblem(create(await scriptOf(app, olga, ['meeting:read']), { everyone: true }), 'session_required')
  assert.equal((await createWebhook(olga, { everyone: false })).owner, 'person')
})

test('every violation is reported at its field', async () => {
  const [alice] = await meet('Alice')
  await expectProblem(alice.send('POST', webhooksPath, {}), 'invalid_request', ['/url required'])
  const sent = { url: 'http://planner.example.com/', types: ['meeting.created', 'x'], description: 'a'.repeat(201) }
  await expectViolations(alice, sent, ['/description too_long', '/types/1 unknown_type', '/url not_https'])
  await expectViolations(olga, { appId, everyone: true }, ['/everyone not_together'])
  await expectViolations(olga, { sandbox: true }, ['/sandbox not_together'])
  const many = (count: number) => ({ types: Array.from({ length: count }, () => 'meeting.created') })
  await expectViolations(alice, many(51), ['/types too_many'])
  await expectViolations(alice, { payload: 'fat' }, ['/payload not_allowed'])
  const url = (length: number) => `https://a.example/${'a'.repeat(length - 'https://a.example/'.length)}`
  await expectViolations(alice, { url: url(2_001) }, ['/url too_long'])
  const dora = await signUp(app, 'Dora')
  const longest = await createWebhook(dora, { url: url(2_000), ...many(50), description: 'a'.repeat(200) })
  assert.deepEqual([longest.url.length, longest.types.length], [2_000, 1])
  assert.deepEqual((await createWebhook(dora, { types: eventTypeNames })).types, eventTypeNames)
})

test('private addresses are refused, and http is for this machine and the sandbox of an app', async () => {
  const eve = await signUp(app, 'Eve')
  for (const url of ['https://10.0.0.5/', 'https://[fd00::1]/', 'https://169.254.169.254/']) {
    await expectViolations(eve, { url }, ['/url private_address'])
  }
  // As where BASE_URL is on this machine.
  const local = 'http://127.0.0.1:4000/'
  await createWebhook(eve, { url: local })
  await createWebhook(eve, { url: 'http://localhost:4000/' })
  await expectViolations(eve, { url: 'http://127.0.0.2:4000/' }, ['/url not_https'])
  await expectViolations(olga, { url: local, appId }, ['/url not_https'])
  await createWebhook(olga, { url: local, appId, sandbox: true })
  const tokens = {
    real: await tokensFor(app, planner, eve),
    test: await tokensFor(app, planner, eve, { sandbox: true }),
  }
  await expectViolations(withToken(app, tokens.real.access_token), { url: local }, ['/url not_https'])
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
    await expectProblem(create(sender, changes), 'too_many_webhooks')
    const freed = answers.find(({ status }) => status === 201)?.body
    await expectOk(sender.send('DELETE', webhookPath(freed)))
    await createWebhook(sender, changes)
  }
  const otto = await signUp(app, 'Otto')
  await permit(olga, otto, { admin: true })
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(otto, { everyone: true })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
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
  await expectProblem(create(ofSecond, {}), 'too_many_webhooks')
  // Those of the person are counted apart.
  await createWebhook(hanne, {})
})

test('a webhook is not created with a session that has ended', async () => {
  await expectProblem(create(withToken(app, 'x')), 'unauthorized')
})

test('an account makes 30 webhooks an hour, deleted ones and those of its apps included', async () => {
  const [hedda, ivo] = [await signUp(app, 'Hedda'), await signUp(app, 'Ivo')]
  const ofHedda = withToken(app, (await tokensFor(app, planner, hedda)).access_token)
  await createAndDelete(hedda, 20)
  await createAndDelete(ofHedda, 10)
  await refusedForLater(ofHedda, 'POST', webhooksPath, { url: receiverUrl })
  await refusedForLater(hedda, 'POST', webhooksPath, { url: receiverUrl })
  // The app is not limited, so its other users are not either.
  const ofIvo = withToken(app, (await tokensFor(app, planner, ivo)).access_token)
  await createWebhook(ofIvo)
})

test('an account switches webhooks on 30 times an hour; switching off and other changes are not limited', async () => {
  const jana = await signUp(app, 'Jana')
  const [first, second] = [await createWebhook(jana), await createWebhook(jana)]
  const change = (webhook: { _id: string }, body: object) => jana.send('PUT', webhookPath(webhook), body)
  for (let count = 1; count <= 30; count += 1) await expectOk(change(first, { active: true }))
  await refusedForLater(jana, 'PUT', webhookPath(second), { active: true })
  await expectOk(change(second, { active: false }))
  await expectOk(change(second, { description: 'Off' }))
})

test('each webhook is found by those who manage it, and by no one else', async () => {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  await approvedApp(app, mallory, { name: 'Mallory’s' })
  await permit(olga, carol, { admin: true })
  const appToken = async (person: typeof alice, sandbox = false) =>
    withToken(app, (await tokensFor(app, planner, person, { sandbox })).access_token)
  const senders: Record<string, Sender> = {
    olga,
    alice,
    carol,
    mallory,
    'token of alice': await scriptOf(app, alice, ['meeting:read']),
    'narrow token of alice': await scriptOf(app, alice, ['user:read']),
    'managing token of olga': await scriptOf(app, olga, ['apps:manage']),
    'app of alice': await appToken(alice),
    'sandbox of alice': await appToken(alice, true),
    'app of bob': await appToken(bob),
  }
  const webhooks = {
    person: [await createWebhook(alice), 'alice'],
    'person, of meetings': [await createWebhook(alice, { types: ['meeting.created'] }), 'alice', 'token of alice'],
    app: [await createWebhook(olga, { appId }), 'olga', 'managing token of olga'],
    grant: [await createWebhook(senders['app of alice'] as Sender), 'app of alice'],
    organisation: [await createWebhook(olga, { everyone: true }), 'olga', 'carol'],
  } as const
  for (const [webhook, ...finders] of Object.values(webhooks)) {
    for (const [name, sender] of Object.entries(senders)) {
      const reading = sender.send('GET', webhookPath(webhook))
      if (finders.some((finder) => finder === name)) assert.equal((await expectOk(reading)).secret, undefined)
      else await expectProblem(reading, 'webhook_not_found')
    }
  }
  for (const id of ['x', alice.profile._id]) {
    await expectProblem(alice.send('GET', webhookPath({ _id: id })), 'webhook_not_found')
  }
  await permit(olga, carol, { admin: false })
  await expectProblem(carol.send('GET', webhookPath(webhooks.organisation[0])), 'webhook_not_found')
  await permit(olga, olga, { oauthEnabled: false })
  await expectProblem(olga.send('GET', webhookPath(webhooks.app[0])), 'webhook_not_found')
  await permit(olga, olga, { oauthEnabled: true })
})

test('each caller lists its own webhooks, oldest first', async () => {
  const [alice, bob, mallory] = await meet('Alice', 'Bob', 'Mallory')
  const grantOf = async (person: typeof alice, sandbox = false) => {
    const { access_token } = await tokensFor(app, planner, person, { sandbox })
    return withToken(app, access_token)
  }
  const [ofAlice, ofBob, sandboxOfAlice] = [await grantOf(alice), await grantOf(bob), await grantOf(alice, true)]
  const ids = async (made: Promise<{ _id: string }>[]) => (await Promise.all(made)).map(({ _id }) => _id)
  const first = await createWebhook(alice)
  const second = await createWebhook(alice, { types: ['meeting.created'] })
  const [grantsOfAlice, grantsOfBob, grantsOfSandbox] = [
    await ids([createWebhook(ofAlice)]),
    await ids([createWebhook(ofBob)]),
    await ids([createWebhook(sandboxOfAlice)]),
  ]
  const ofApp = [(await createWebhook(olga, { appId }))._id, (await createWebhook(olga, { appId, sandbox: true }))._id]
  const ofOrganisation = await ids([createWebhook(olga, { everyone: true })])

  assert.deepEqual(await listedBy(alice), [first._id, second._id], 'those of her grants are the apps’')
  assert.deepEqual(await listedBy(ofAlice), grantsOfAlice)
  assert.deepEqual(await listedBy(ofBob), grantsOfBob)
  assert.deepEqual(await listedBy(sandboxOfAlice), grantsOfSandbox)
  assert.deepEqual(await listedBy(olga), [])
  assert.deepEqual(await listedBy(olga, `?appId=${appId}`), ofApp)
  assert.deepEqual(await listedBy(await scriptOf(app, olga, ['apps:manage']), `?appId=${appId}`), ofApp)
  assert.deepEqual(await listedBy(olga, '?everyone=true'), ofOrganisation)
  assert.deepEqual(await listedBy(mallory), [])

  await permit(olga, bob, { admin: true })
  assert.deepEqual(await listedBy(bob, '?everyone=true'), ofOrganisation, 'another administrator')
  await permit(olga, bob, { admin: false })
  await expectProblem(bob.send('GET', `${webhooksPath}?everyone=true`), 'administrator_required')
})

test('a personal token lists webhooks whose types it may read', async () => {
  const [alice] = await meet('Alice')
  await createWebhook(alice)
  const { _id } = await createWebhook(alice, { types: ['meeting.created'] })
  assert.deepEqual(await listedBy(await scriptOf(app, alice, ['meeting:read'])), [_id])
  assert.deepEqual(await listedBy(await scriptOf(app, alice, ['user:read'])), [])
})

test('webhooks of an app and of the organisation need its rights', async () => {
  const nils = await signUp(app, 'Nils')
  await expectProblem(nils.send('GET', `${webhooksPath}?appId=${appId}`), 'oauth_not_enabled')
  await approvedApp(app, nils, { name: 'Nils’s' })
  await expectProblem(nils.send('GET', `${webhooksPath}?appId=${appId}`), 'app_not_found')
  await expectProblem(nils.send('GET', `${webhooksPath}?everyone=true`), 'administrator_required')
  const { access_token } = await tokensFor(app, planner, olga)
  for (const query of [`?appId=${appId}`, '?everyone=true']) {
    await expectProblem(withToken(app, access_token).send('GET', webhooksPath + query), 'app_token_refused')
  }
  const reading = await scriptOf(app, olga, ['meeting:read'])
  await expectProblem(reading.send('GET', `${webhooksPath}?appId=${appId}`), 'insufficient_scope')
  await expectProblem(reading.send('GET', `${webhooksPath}?everyone=true`), 'session_required')
})

test('a request names the webhooks of an app or of the organisation, and not both', async () => {
  await expectProblem(olga.send('GET', `${webhooksPath}?appId=${appId}&everyone=true`), 'invalid_request', [
    '/everyone not_together',
  ])
})

test('named fields change, and absent ones stay', async () => {
  const [alice] = await meet('Alice')
  const { secret, ...webhook } = await createWebhook(alice, { description: 'My script', types: ['meeting.created'] })
  clock.advance(1_000)
  const changed = await expectOk(alice.send('PUT', webhookPath(webhook), { payload: 'full' }))
  assert.deepEqual(changed, { ...webhook, payload: 'full', modifiedOn: clock.now().toISOString() })
  clock.advance(1_000)
  assert.deepEqual(await expectOk(alice.send('PUT', webhookPath(webhook), {})), changed, 'nothing is no change')
  const all = { url: 'https://other.example/', types: [], payload: 'thin', description: '' }
  const { modifiedOn, ...again } = await expectOk(alice.send('PUT', webhookPath(webhook), all))
  assert.deepEqual({ ...again, modifiedOn: changed.modifiedOn }, { ...changed, ...all })
  const audited = await app.database
    .selectFrom('auditEntry')
    .select('detail')
    .where('action', '=', 'webhook.changed')
    .where('actorId', '=', alice.profile._id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audited.map(({ detail }) => Object(detail).changed),
    [['payload'], ['url', 'types', 'payload', 'description']],
  )
  assert.ok(!JSON.stringify(audited).includes(secret))
})

test('every violation of a change is reported at its field', async () => {
  const [alice] = await meet('Alice')
  const webhook = await createWebhook(alice)
  const sent = { url: 'https://10.0.0.5/', types: ['x'], description: 'a'.repeat(201), payload: 'fat', active: 'no' }
  await expectProblem(alice.send('PUT', webhookPath(webhook), sent), 'invalid_request', [
    '/active wrong_type',
    '/description too_long',
    '/payload not_allowed',
    '/types/0 unknown_type',
    '/url private_address',
  ])
  const [real, sandbox] = [await createWebhook(olga, { appId }), await createWebhook(olga, { appId, sandbox: true })]
  const local = { url: 'http://127.0.0.1:4000/' }
  await expectProblem(olga.send('PUT', webhookPath(real), local), 'invalid_request', ['/url not_https'])
  await expectOk(olga.send('PUT', webhookPath(sandbox), local))
  await expectOk(alice.send('PUT', webhookPath(webhook), local))
})

test('a token neither gains types that it may not read, nor leads events of them elsewhere', async () => {
  const [carol, mallory] = await meet('Carol', 'Mallory')
  const reading = await scriptOf(app, carol, ['meeting:read'])
  const webhook = await createWebhook(reading)
  await expectProblem(reading.send('PUT', webhookPath(webhook), { types: ['app.approved'] }), 'insufficient_scope')
  await expectProblem(reading.send('PUT', webhookPath(webhook), { types: ['grant.created'] }), 'session_required')
  const { types } = await expectOk(reading.send('PUT', webhookPath(webhook), { types: [] }))
  assert.deepEqual(types, webhook.types, 'those that the token may read')
  await expectOk(carol.send('PUT', webhookPath(webhook), { types: [] }))
  const elsewhere = { url: 'https://other.example/' }
  await expectProblem(reading.send('PUT', webhookPath(webhook), elsewhere), 'webhook_not_found')
  await expectProblem(mallory.send('PUT', webhookPath(webhook), elsewhere), 'webhook_not_found')

  const whole = withToken(app, (await tokensFor(app, planner, carol, { clock })).access_token)
  const ofGrant = await createWebhook(whole)
  const narrow = withToken(app, (await tokensFor(app, planner, carol, { scopes: ['user:read'], clock })).access_token)
  await expectProblem(narrow.send('PUT', webhookPath(ofGrant), elsewhere), 'insufficient_scope')
  await expectProblem(whole.send('PUT', webhookPath(ofGrant), { types: ['secret.expiring'] }), 'app_token_refused')
  await expectOk(whole.send('PUT', webhookPath(ofGrant), elsewhere))
})

test('a personal token changes only webhooks that it made, and a session all', async () => {
  const [carol] = await meet('Carol')
  const [maker, other] = [await scriptOf(app, carol, ['meeting:read']), await scriptOf(app, carol, ['meeting:read'])]
  const types = ['meeting.created']
  const [mine, ofSession] = [await createWebhook(maker, { types }), await createWebhook(carol, { types })]
  assert.deepEqual([typeof mine.personalTokenId, ofSession.personalTokenId], ['string', null])
  const { tokens } = await expectOk(carol.send('GET', '/api/auth/tokens'))
  assert.ok(tokens.some(({ _id }: { _id: string }) => _id === mine.personalTokenId))
  const requests = [
    ['PUT', '', { url: 'https://mallory.example/' }],
    ['PUT', '', { active: false }],
    ['POST', '/secret', undefined],
    ['POST', '/test', {}],
    ['POST', '/resend', {}],
    ['DELETE', '', undefined],
  ] as const
  for (const webhook of [mine, ofSession]) {
    assert.equal((await expectOk(other.send('GET', webhookPath(webhook)))).url, webhook.url)
    for (const [method, path, body] of requests) {
      await expectProblem(other.send(method, webhookPath(webhook, path), body), 'session_required')
    }
  }
  await expectOk(maker.send('PUT', webhookPath(mine), { description: 'x' }))
  for (const webhook of [mine, ofSession]) await expectOk(carol.send('PUT', webhookPath(webhook), { description: 'y' }))
  await expectOk(maker.send('DELETE', webhookPath(mine)))
})

test('a webhook that is off receives nothing, and hears what it has missed when it is on again', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  const put = (body: object) => expectOk(alice.send('PUT', webhookPath(webhook), body))
  const taken = () => receiver.taken.map(({ type }) => type)
  await put({ active: true })
  await schedule(alice)
  await deliverDue(app)
  assert.deepEqual(taken(), ['meeting.created'], 'it was on already: nothing was missed')

  clock.advance(60_000)
  const from = clock.now()
  await schedule(alice)
  await app.publishEvents()
  clock.advance(60_000)
  const off = await put({ active: false })
  assert.deepEqual([off.state, off.disabledBecause], ['disabled', 'owner'])
  assert.deepEqual(await statesOf(app, webhook._id), ['delivered', 'failed'], 'what waits is given up')
  await schedule(alice)
  await deliverDue(app)
  assert.deepEqual(taken(), ['meeting.created'])

  clock.advance(60_000)
  // From the oldest event that was given up, which happened before the webhook was switched off.
  const on = await put({ active: true })
  assert.deepEqual([on.state, on.disabledBecause, on.failingSince], ['active', null, null])
  await deliverDue(app)
  assert.deepEqual(taken(), ['meeting.created', 'webhook.gap'])
  const { userId, ...gap } = receiver.taken[1]?.data ?? {}
  const to = clock.now()
  assert.deepEqual(gap, { webhookId: webhook._id, from: from.toISOString(), to: to.toISOString() })
  const { events } = await expectOk(alice.send('GET', '/api/events?type=meeting.created'))
  const missed = events.filter(({ timestamp }: { timestamp: string }) => timestamp >= String(gap.from))
  assert.equal(missed.length, 2, 'GET /api/events has what was missed')
  await schedule(alice)
  await deliverDue(app)
  assert.deepEqual(taken(), ['meeting.created', 'webhook.gap', 'meeting.created'])
})

test('a webhook that the service has switched off is not probed once its owner switches it off', async () => {
  const [alice] = await meet('Alice')
  const webhook = await createWebhook(alice)
  const now = clock.now()
  await app.database
    .updateTable('webhook')
    .set({ disabledAt: now, disabledBecause: 'no_success', nextProbeAt: now, failingSince: now, warnedAt: now })
    .where('id', '=', webhook._id)
    .execute()
  const off = await expectOk(alice.send('PUT', webhookPath(webhook), { active: false }))
  assert.deepEqual([off.state, off.disabledBecause], ['disabled', 'owner'])
  const row = () =>
    app.database.selectFrom('webhook').selectAll().where('id', '=', webhook._id).executeTakeFirstOrThrow()
  assert.equal((await row()).nextProbeAt, null)
  await expectOk(alice.send('PUT', webhookPath(webhook), { active: true }))
  const { disabledAt, failingSince, warnedAt } = await row()
  assert.deepEqual({ disabledAt, failingSince, warnedAt }, { disabledAt: null, failingSince: null, warnedAt: null })
})

test('another administrator manages the webhooks of the organisation', async () => {
  const [carol] = await meet('Carol')
  const webhook = await createWebhook(olga, { everyone: true })
  await permit(olga, carol, { admin: true })
  await expectOk(carol.send('PUT', webhookPath(webhook), { description: 'Archive' }))
  const audited = await app.database
    .selectFrom('auditEntry')
    .selectAll()
    .where('action', '=', 'webhook.changed')
    .execute()
  const entry = audited.find(({ detail }) => Object(detail).webhookId === webhook._id)
  assert.deepEqual([entry?.actorId, entry?.subjectId], [carol.profile._id, olga.profile._id])
  await permit(olga, carol, { admin: false })
})

test('a deleted webhook receives nothing more, and its log is gone', async () => {
  const [mallory] = await meet('Mallory')
  const gesa = await signUp(app, 'Gesa')
  const receiver = await startReceiver()
  const webhook = await createWebhook(gesa, { url: receiver.url, types: ['meeting.created'] })
  await schedule(gesa)
  await deliverDue(app)
  assert.equal(receiver.taken.length, 1)
  await schedule(gesa)
  await app.publishEvents()

  await expectProblem(mallory.send('DELETE', webhookPath(webhook)), 'webhook_not_found')
  await expectOk(gesa.send('DELETE', webhookPath(webhook)))
  await deliverDue(app)
  assert.equal(receiver.requests.length, 1)
  for (const table of ['webhook', 'webhookDelivery', 'webhookAttempt', 'webhookLane'] as const) {
    assert.deepEqual(await app.database.selectFrom(table).selectAll().execute(), [], table)
  }
  await expectProblem(gesa.send('DELETE', webhookPath(webhook)), 'webhook_not_found')
  const [entry] = (await gesa.send('GET', '/api/auth/security-log')).body.entries
  assert.deepEqual([entry.action, entry.about], ['webhook.deleted', new URL(receiver.url).host])
})

test('an app deletes webhooks of its grant also after it has lost their scope', async () => {
  const greta = await signUp(app, 'Greta')
  const tokens = await tokensFor(app, planner, greta, { scopes: ['user:read', 'meeting:read'] })
  const mine = withToken(app, tokens.access_token)
  const webhook = await createWebhook(mine, { types: ['meeting.created'] })
  await app.database
    .updateTable('appGrant')
    .set({ apiScopes: ['user:read'] })
    .where('accountId', '=', greta.profile._id)
    .execute()
  await expectProblem(mine.send('PUT', webhookPath(webhook), { description: 'x' }), 'insufficient_scope')
  assert.deepEqual(await listedBy(mine), [webhook._id])
  await expectOk(mine.send('DELETE', webhookPath(webhook)))
  assert.deepEqual(await listedBy(mine), [])
})

test('the secret and the one before sign for a day, and never a third', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  const path = webhookPath(webhook, '/secret')
  const signing = async (secrets: readonly string[]) => {
    await schedule(alice)
    await deliverDue(app)
    const { headers, body } = receiver.requests.at(-1) ?? assert.fail('nothing was sent')
    const count = headers['webhook-signature']?.split(' ').length
    const valid = secrets.map((secret) => {
      try {
        new StandardWebhook(secret).verify(body, headers)
        return true
      } catch {
        return false
      }
    })
    return { count, valid }
  }
  const [first] = [webhook.secret]
  assert.deepEqual(await signing([first]), { count: 1, valid: [true] })

  const answer = await alice.send('POST', path)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const { secret: second, previousSecretUntil } = answer.body
  const day = 24 * 60 * 60 * 1_000
  assert.equal(previousSecretUntil, new Date(clock.now().getTime() + day).toISOString())
  assert.deepEqual(await signing([first, second]), { count: 2, valid: [true, true] })
  assert.equal((await expectOk(alice.send('GET', webhookPath(webhook)))).secret, undefined)

  const { secret: third } = await expectOk(alice.send('POST', path))
  assert.equal(new Set([first, second, third]).size, 3)
  assert.deepEqual(await signing([first, second, third]), { count: 2, valid: [false, true, true] })
  const rows = JSON.stringify(await app.database.selectFrom('auditEntry').selectAll().execute()) + app.logged.join('')
  for (const secret of [first, second, third]) assert.ok(!rows.includes(secret.slice('whsec_'.length)))

  clock.advance(day - 1)
  assert.notEqual((await expectOk(alice.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  clock.advance(1)
  assert.equal((await expectOk(alice.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  await schedule(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.at(-1)?.headers['webhook-signature']?.split(' ').length, 1)
})

test('only those who may read what is signed get a new secret', async () => {
  const [alice, bob, mallory] = await meet('Alice', 'Bob', 'Mallory')
  const webhook = await createWebhook(alice)
  await expectProblem(mallory.send('POST', webhookPath(webhook, '/secret')), 'webhook_not_found')
  const reading = await scriptOf(app, alice, ['meeting:read'])
  await expectProblem(reading.send('POST', webhookPath(webhook, '/secret')), 'webhook_not_found')
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, bob, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  const ofGrant = await createWebhook(whole)
  const narrow = await tokenWith('user:read')
  await expectProblem(narrow.send('POST', webhookPath(ofGrant, '/secret')), 'insufficient_scope')
  assert.match((await expectOk(whole.send('POST', webhookPath(ofGrant, '/secret')))).secret, /^whsec_/)
  assert.match(
    (await expectOk(reading.send('POST', webhookPath(await createWebhook(reading), '/secret')))).secret,
    /^whsec_/,
  )
})

test('the secret of an app’s webhook is replaced with a session, and by no token', async () => {
  const webhook = await createWebhook(olga, { appId: planner.appId })
  const managing = await scriptOf(app, olga, ['apps:manage'])
  assert.equal((await expectOk(managing.send('GET', webhookPath(webhook)))).secret, undefined)
  await expectProblem(managing.send('POST', webhookPath(webhook, '/secret')), 'session_required')
  assert.equal((await expectOk(managing.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  assert.match((await expectOk(olga.send('POST', webhookPath(webhook, '/secret')))).secret, /^whsec_/)
})

test('a test event reaches this webhook alone, whatever types it names', async () => {
  const [alice] = await meet('Alice')
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.cancelled'] })
  receiver.secrets.push(webhook.secret)
  await createWebhook(alice, { url: other.url })
  const answer = await expectOk(sendTest(alice, webhook), 202)
  await deliverDue(app)
  assert.deepEqual(receiver.forged, [])
  assert.deepEqual([receiver.taken.length, other.taken.length], [1, 0])
  const [{ headers, event } = assert.fail('nothing was sent')] = receiver.requests
  assert.deepEqual(
    [event.id, headers['webhook-id'], event.type, event.test, event.subject],
    [answer.eventId, answer.eventId, 'webhook.test', true, webhook._id],
  )
  const { events } = await expectOk(alice.send('GET', '/api/events?type=webhook.test'))
  assert.deepEqual([events.length, events[0].id], [1, answer.eventId])
})

test('the sample of each type is sent, as the catalogue has it', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const half = Math.ceil(eventTypeNames.length / 2)
  const kinds: [Sender, object, readonly EventType[]][] = [
    [alice, {}, eventTypeNames.slice(0, half)],
    [olga, { appId, sandbox: true }, eventTypeNames.slice(half)],
  ]
  for (const [sender, whose, types] of kinds) {
    const webhook = await createWebhook(sender, { url: receiver.url, ...whose })
    for (const type of types) {
      const { eventId } = await expectOk(sendTest(sender, webhook, { type }), 202)
      await deliverDue(app)
      const event = receiver.taken.at(-1)
      assert.deepEqual([event?.id, event?.type, event?.test], [eventId, type, true])
      if (type === 'webhook.test') continue
      for (const field of Object.keys(eventTypes[type].sample))
        assert.ok(field in Object(event?.data), `${type} ${field}`)
    }
  }
})

test('a webhook that is off, an unknown type and a stranger are refused', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const webhook = await createWebhook(alice)
  await expectProblem(sendTest(alice, webhook, { type: 'x' }), 'invalid_request', ['/type not_allowed'])
  await expectProblem(sendTest(mallory, webhook), 'webhook_not_found')
  await expectOk(alice.send('PUT', webhookPath(webhook), { active: false }))
  await expectProblem(sendTest(alice, webhook), 'webhook_disabled')
  const whole = withToken(app, (await tokensFor(app, planner, alice)).access_token)
  const ofGrant = await createWebhook(whole)
  const narrow = withToken(app, (await tokensFor(app, planner, alice, { scopes: ['user:read'] })).access_token)
  await expectProblem(sendTest(narrow, ofGrant), 'insufficient_scope')
})

test('an account sends 60 test events an hour, whichever webhooks they are for; another account has its own', async () => {
  const [dora, erik] = [await signUp(app, 'Doris'), await signUp(app, 'Erik')]
  const first = await createWebhook(dora)
  for (let count = 1; count <= 59; count++) await expectOk(sendTest(dora, first), 202)
  await expectOk(dora.send('DELETE', webhookPath(first)))
  const second = await createWebhook(dora)
  await expectOk(sendTest(dora, second), 202)
  const answer = await sendTest(dora, second)
  await expectProblem(answer, 'too_many_requests')
  assert.ok(Number(answer.headers.get('retry-after')) > 3_000)
  await expectOk(sendTest(erik, await createWebhook(erik)), 202)
})
