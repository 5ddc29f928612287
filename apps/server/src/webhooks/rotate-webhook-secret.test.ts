import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, schedule } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers } from '../../test/webhooks/webhooks.ts'

// The library of the receiver refuses signatures of another time.
const clock = createClock(new Date().toISOString())
const app = await startApp({ emails: 'dropped', environment: loopbackReceivers, clock })
const { olga, alice, bob, mallory } = await meetPeople(app)
const receiver = await startReceiver()

test('the secret and the one before sign for a day, and never a third', async () => {
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
  assert.equal((await done(alice.send('GET', webhookPath(webhook)))).secret, undefined)

  const { secret: third } = await done(alice.send('POST', path))
  assert.equal(new Set([first, second, third]).size, 3)
  assert.deepEqual(await signing([first, second, third]), { count: 2, valid: [false, true, true] })
  const rows = JSON.stringify(await app.database.selectFrom('auditEntry').selectAll().execute()) + app.logged.join('')
  for (const secret of [first, second, third]) assert.ok(!rows.includes(secret.slice('whsec_'.length)))

  clock.advance(day - 1)
  assert.notEqual((await done(alice.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  clock.advance(1)
  assert.equal((await done(alice.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  await schedule(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.at(-1)?.headers['webhook-signature']?.split(' ').length, 1)
})

test('only those who may read what is signed get a new secret', async () => {
  const webhook = await createWebhook(alice)
  await refused(mallory.send('POST', webhookPath(webhook, '/secret')), 404, 'webhook_not_found')
  const reading = await scriptOf(app, alice, ['meeting:read'])
  await refused(reading.send('POST', webhookPath(webhook, '/secret')), 404, 'webhook_not_found')
  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, bob, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  const ofGrant = await createWebhook(whole)
  const narrow = await tokenWith('user:read')
  await refused(narrow.send('POST', webhookPath(ofGrant, '/secret')), 403, 'insufficient_scope')
  assert.match((await done(whole.send('POST', webhookPath(ofGrant, '/secret')))).secret, /^whsec_/)
  assert.match(
    (await done(reading.send('POST', webhookPath(await createWebhook(reading), '/secret')))).secret,
    /^whsec_/,
  )
})

test('the secret of an app’s webhook is replaced with a session, and by no token', async () => {
  const planner = await approvedApp(app, olga, { name: 'Planner' })
  const webhook = await createWebhook(olga, { appId: planner.appId })
  const managing = await scriptOf(app, olga, ['apps:manage'])
  assert.equal((await done(managing.send('GET', webhookPath(webhook)))).secret, undefined)
  await refused(managing.send('POST', webhookPath(webhook, '/secret')), 403, 'session_required')
  assert.equal((await done(managing.send('GET', webhookPath(webhook)))).previousSecretUntil, null)
  assert.match((await done(olga.send('POST', webhookPath(webhook, '/secret')))).secret, /^whsec_/)
})
