import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { deleteDeliveries } from './delete-webhooks.ts'

const clock = createClock('2029-12-01T09:00:00Z')
const app = await startApp({ emails: 'dropped', clock })
const { olga, alice, bob, carol } = await meetPeople(app)

const existing = async (webhooks: readonly { _id: string }[]) => {
  const rows = await app.database.selectFrom('webhook').select('id').execute()
  return webhooks.map(({ _id }) => rows.some(({ id }) => id === _id))
}
const cleanUp = () => app.taskList['forget-expired']?.({}, { job: { id: 1 } })

test('webhooks of ended grants and of deleted apps are deleted by the hour', async () => {
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
  const { grants } = await done(alice.send('GET', '/api/oauth2/grants'))
  await done(alice.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  await done(olga.send('DELETE', `/api/oauth2/apps/${other.appId}`))
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

test('a long log is deleted in batches, and that of another webhook stays', async () => {
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
