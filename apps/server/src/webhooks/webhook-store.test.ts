import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { backendOf, tokensFor } from '../../test/oauth/token-client.ts'
import { signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { createWebhook, listedBy, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { deleteDeliveries } from './webhook-store.ts'

const { app, clock, olga, meet } = await useApp({ emails: 'dropped', start: '2029-12-01T09:00:00Z' })

const existing = async (webhooks: readonly { _id: string }[]) => {
  const rows = await app.database.selectFrom('webhook').select('id').execute()
  return webhooks.map(({ _id }) => rows.some(({ id }) => id === _id))
}
const cleanUp = () => app.taskList['delete-expired']?.({}, { job: { id: 1 } })

test('webhooks of ended grants and of deleted apps are deleted by the hour', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const [planner, other] = [await approvedApp(app, olga, { name: 'Planner' }), await approvedApp(app, olga)]
  const ofGrant = async (person: typeof alice, sandbox = false) => {
    const { access_token } = await tokensFor(app, planner, person, { clock, sandbox })
    return createWebhook(withToken(app, access_token))
  }
  const webhooks = [
    await ofGrant(alice),
    await ofGrant(bob),
    await ofGrant(carol, true),
    await createWebhook(olga, { appId: planner.appId }),
    await createWebhook(olga, { appId: other.appId }),
    await createWebhook(alice),
  ]
  const { grants } = await expectOk(alice.send('GET', '/api/oauth2/grants'))
  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  await expectOk(olga.send('DELETE', `/api/oauth2/apps/${other.appId}`))
  await cleanUp()
  assert.deepEqual(await existing(webhooks), [false, true, true, true, false, true])

  // A grant of the sandbox lasts seven days.
  clock.advance(7 * 24 * 60 * 60 * 1_000 - 1)
  await cleanUp()
  assert.deepEqual(await existing(webhooks), [false, true, true, true, false, true])
  clock.advance(1)
  await cleanUp()
  assert.deepEqual(await existing(webhooks), [false, true, false, true, false, true])
})

test('a webhook of a personal token ends with the token, at once for its person and by the hour in the database', async () => {
  const [carol] = await meet('Carol')
  const make = async (more: object = {}) => {
    const body = { name: 'script', scopes: ['meeting:read'], ...more }
    const { token, _id } = await expectOk(carol.send('POST', '/api/auth/tokens', body), 201)
    return { tokenId: _id, webhook: await createWebhook(withToken(app, token)) }
  }
  const [deleted, kept] = [await make(), await make()]
  assert.deepEqual([deleted.webhook.personalTokenId, kept.webhook.personalTokenId], [deleted.tokenId, kept.tokenId])
  await expectOk(carol.send('DELETE', `/api/auth/tokens/${deleted.tokenId}`))
  await expectProblem(carol.send('GET', webhookPath(deleted.webhook)), 'webhook_not_found')
  const listed = await listedBy(carol)
  assert.ok(listed.includes(kept.webhook._id) && !listed.includes(deleted.webhook._id))
  await cleanUp()
  assert.deepEqual(await existing([deleted.webhook, kept.webhook]), [false, true])
  const inADay = new Date(clock.now().getTime() + 24 * 60 * 60 * 1_000)
  await app.database.updateTable('personalToken').set({ expiresAt: inADay }).where('id', '=', kept.tokenId).execute()
  clock.set(new Date(inADay.getTime() - 1))
  await cleanUp()
  assert.deepEqual(await existing([kept.webhook]), [true])
  clock.advance(1)
  await expectProblem(carol.send('GET', webhookPath(kept.webhook)), 'webhook_not_found')
  await cleanUp()
  assert.deepEqual(await existing([kept.webhook]), [false])
})

test('webhooks of a grant end with its last refresh token, and a new consent does not bring them back', async () => {
  const dora = await signUp(app, 'Dora')
  const planner = await approvedApp(app, olga, { name: 'Diary' })
  const connect = () => tokensFor(app, planner, dora, { clock })
  const backend = backendOf(app, planner)
  const tokens = await connect()
  const webhook = await createWebhook(withToken(app, tokens.access_token))
  clock.advance(1_000)
  await backend.revoke(tokens.refresh_token)
  const next = withToken(app, (await connect()).access_token)
  assert.deepEqual(await listedBy(next), [])
  clock.advance(1_000)
  const again = await createWebhook(next)
  assert.deepEqual(await listedBy(next), [again._id])
  await cleanUp()
  assert.deepEqual(await existing([webhook, again]), [false, true])
})

test('two revocations at once end the webhooks of a grant', async () => {
  const eve = await signUp(app, 'Eve')
  const planner = await approvedApp(app, olga, { name: 'Twice' })
  const pairs = [await tokensFor(app, planner, eve, { clock }), await tokensFor(app, planner, eve, { clock })]
  const webhook = await createWebhook(withToken(app, pairs[0]?.access_token ?? ''))
  clock.advance(1_000)
  const backend = backendOf(app, planner)
  await Promise.all(pairs.map(({ refresh_token }) => backend.revoke(refresh_token)))
  await cleanUp()
  assert.deepEqual(await existing([webhook]), [false])
})

test('a long log is deleted in batches, and that of another webhook stays', async () => {
  const [alice] = await meet('Alice')
  const [webhook, other] = [await createWebhook(alice), await createWebhook(alice)]
  for (const { _id } of [webhook, other]) {
    await sql`with events as (
        insert into event (type, occurred_at, account_id, subject, data, position)
        select 'webhook.test', now(), ${alice.profile._id}::uuid, ${_id}::uuid, '{}',
          (select coalesce(max(position), 0) from event) + number
        from generate_series(1, 2500) as number returning id, position
      ), deliveries as (
        insert into webhook_delivery (webhook_id, event_id, lane, position, state)
        select ${_id}::uuid, id, id, position, 'failed' from events
      ) insert into webhook_attempt (webhook_id, event_id, number, attempted_at, duration_ms, request_headers,
          request_body)
        select ${_id}::uuid, id, number, now(), 1, '{}', '' from events, generate_series(1, 2) as number`.execute(
      app.database,
    )
  }
  await deleteDeliveries(app.database, webhook._id)
  const count = async (table: 'webhookDelivery' | 'webhookAttempt') => {
    const rows = await app.database.selectFrom(table).select('webhookId').execute()
    return [webhook, other].map(({ _id }) => rows.filter(({ webhookId }) => webhookId === _id).length)
  }
  assert.deepEqual(
    [await count('webhookDelivery'), await count('webhookAttempt')],
    [
      [0, 2_500],
      [0, 5_000],
    ],
  )
})
