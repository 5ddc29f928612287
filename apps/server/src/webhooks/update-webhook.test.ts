import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, permit, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, schedule, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2029-12-01T09:00:00Z')
const app = await startApp({ emails: 'dropped', environment: loopbackReceivers, clock })
const { olga, alice, carol, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })

test('named fields change, and absent ones stay', async () => {
  const { secret, ...webhook } = await createWebhook(alice, { description: 'My script', types: ['meeting.created'] })
  clock.advance(1_000)
  const changed = await done(alice.send('PUT', webhookPath(webhook), { payload: 'full' }))
  assert.deepEqual(changed, { ...webhook, payload: 'full', modifiedOn: '2029-12-01T09:00:01.000Z' })
  clock.advance(1_000)
  assert.deepEqual(await done(alice.send('PUT', webhookPath(webhook), {})), changed, 'nothing is no change')
  const all = { url: 'https://other.example/', types: [], payload: 'thin', description: '' }
  const { modifiedOn, ...again } = await done(alice.send('PUT', webhookPath(webhook), all))
  assert.deepEqual({ ...again, modifiedOn: changed.modifiedOn }, { ...changed, ...all })
  const audited = await app.database
    .selectFrom('auditEntry')
    .select('detail')
    .where('action', '=', 'webhook.changed')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audited.map(({ detail }) => Object(detail).changed),
    [['payload'], ['url', 'types', 'payload', 'description']],
  )
  assert.ok(!JSON.stringify(audited).includes(secret))
})

test('every violation is reported at its field', async () => {
  const webhook = await createWebhook(alice)
  const sent = { url: 'https://10.0.0.5/', types: ['x'], description: 'a'.repeat(201), payload: 'fat', active: 'no' }
  const answer = await alice.send('PUT', webhookPath(webhook), sent)
  assert.equal(answer.status, 400)
  assert.deepEqual(violationsOf(answer), [
    '/active wrong_type',
    '/description too_long',
    '/payload not_allowed',
    '/types/0 unknown_type',
    '/url private_address',
  ])
  const { appId } = planner
  const [real, sandbox] = [await createWebhook(olga, { appId }), await createWebhook(olga, { appId, sandbox: true })]
  const local = { url: 'http://127.0.0.1:4000/' }
  assert.deepEqual(violationsOf(await olga.send('PUT', webhookPath(real), local)), ['/url not_https'])
  await done(olga.send('PUT', webhookPath(sandbox), local))
  await done(alice.send('PUT', webhookPath(webhook), local))
})

test('a token neither gains types that it may not read, nor leads events of them elsewhere', async () => {
  const reading = await scriptOf(app, carol, ['meeting:read'])
  const webhook = await createWebhook(reading)
  await refused(reading.send('PUT', webhookPath(webhook), { types: ['app.approved'] }), 403, 'insufficient_scope')
  await refused(reading.send('PUT', webhookPath(webhook), { types: ['grant.created'] }), 403, 'session_required')
  const { types } = await done(reading.send('PUT', webhookPath(webhook), { types: [] }))
  assert.deepEqual(types, webhook.types, 'those that the token may read')
  await done(carol.send('PUT', webhookPath(webhook), { types: [] }))
  const elsewhere = { url: 'https://other.example/' }
  await refused(reading.send('PUT', webhookPath(webhook), elsewhere), 404, 'webhook_not_found')
  await refused(mallory.send('PUT', webhookPath(webhook), elsewhere), 404, 'webhook_not_found')

  const whole = withToken(app, (await tokensFor(app, planner, carol, { clock })).access_token)
  const ofGrant = await createWebhook(whole)
  const narrow = withToken(app, (await tokensFor(app, planner, carol, { scopes: ['user:read'], clock })).access_token)
  await refused(narrow.send('PUT', webhookPath(ofGrant), elsewhere), 403, 'insufficient_scope')
  await refused(whole.send('PUT', webhookPath(ofGrant), { types: ['secret.expiring'] }), 403, 'app_token_refused')
  await done(whole.send('PUT', webhookPath(ofGrant), elsewhere))
})

test('a personal token changes only webhooks that it made, and a session all', async () => {
  const [maker, other] = [await scriptOf(app, carol, ['meeting:read']), await scriptOf(app, carol, ['meeting:read'])]
  const types = ['meeting.created']
  const [mine, ofSession] = [await createWebhook(maker, { types }), await createWebhook(carol, { types })]
  assert.deepEqual([typeof mine.personalTokenId, ofSession.personalTokenId], ['string', null])
  const { tokens } = await done(carol.send('GET', '/api/auth/tokens'))
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
    assert.equal((await done(other.send('GET', webhookPath(webhook)))).url, webhook.url)
    for (const [method, path, body] of requests) {
      await refused(other.send(method, webhookPath(webhook, path), body), 403, 'session_required')
    }
  }
  await done(maker.send('PUT', webhookPath(mine), { description: 'x' }))
  for (const webhook of [mine, ofSession]) await done(carol.send('PUT', webhookPath(webhook), { description: 'y' }))
  await done(maker.send('DELETE', webhookPath(mine)))
})

test('a webhook that is off receives nothing, and hears what it has missed when it is on again', async () => {
  const receiver = await startReceiver()
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  const put = (body: object) => done(alice.send('PUT', webhookPath(webhook), body))
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
  const { events } = await done(alice.send('GET', '/api/events?type=meeting.created'))
  const missed = events.filter(({ timestamp }: { timestamp: string }) => timestamp >= String(gap.from))
  assert.equal(missed.length, 2, 'GET /api/events has what was missed')
  await schedule(alice)
  await deliverDue(app)
  assert.deepEqual(taken(), ['meeting.created', 'webhook.gap', 'meeting.created'])
})

test('a webhook that the service has switched off is not probed once its owner switches it off', async () => {
  const webhook = await createWebhook(alice)
  const now = clock.now()
  await app.database
    .updateTable('webhook')
    .set({ disabledAt: now, disabledBecause: 'no_success', nextProbeAt: now, failingSince: now, warnedAt: now })
    .where('id', '=', webhook._id)
    .execute()
  const off = await done(alice.send('PUT', webhookPath(webhook), { active: false }))
  assert.deepEqual([off.state, off.disabledBecause], ['disabled', 'owner'])
  const row = () =>
    app.database.selectFrom('webhook').selectAll().where('id', '=', webhook._id).executeTakeFirstOrThrow()
  assert.equal((await row()).nextProbeAt, null)
  await done(alice.send('PUT', webhookPath(webhook), { active: true }))
  const { disabledAt, failingSince, warnedAt } = await row()
  assert.deepEqual({ disabledAt, failingSince, warnedAt }, { disabledAt: null, failingSince: null, warnedAt: null })
})

test('another administrator manages the webhooks of the organisation', async () => {
  const webhook = await createWebhook(olga, { everyone: true })
  await permit(olga, carol, { admin: true })
  await done(carol.send('PUT', webhookPath(webhook), { description: 'Archive' }))
  const entry = await app.database
    .selectFrom('auditEntry')
    .selectAll()
    .where('action', '=', 'webhook.changed')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual([entry.actorId, entry.subjectId], [carol.profile._id, olga.profile._id])
})
