import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import { detailsPath, meetPeople, schedule, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { createClock, startApp } from '../../apps/server/test/start-app.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../apps/server/test/webhooks/webhooks.ts'
import { startKilledReceiver } from './killed-receiver.ts'

const minuteMs = 60_000

test('an approved app misses nothing while its program is down for an hour, and hears nothing after a revocation', async () => {
  const clock = createClock(new Date().toISOString())
  const app = await startApp({ clock, emails: 'dropped', environment: loopbackReceivers })
  const { olga, alice } = await meetPeople(app)
  const planner = await approvedApp(app, olga, { name: 'Planner' })
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'] })
  const { grants } = await expectOk(alice.send('GET', '/api/oauth2/grants'))
  const grantId = grants[0]._id
  const program = await startKilledReceiver()
  const webhookId = await insertWebhook(app, alice, await startReceiver(), {
    owner: 'grant',
    app: planner,
    grantId,
    url: program.url,
  })

  const meeting = await schedule(alice, standUp({ participants: [] }))
  const rename = (topic: string) =>
    expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic, participants: [] })))
  await deliverDue(app)
  await program.killed
  for (let minute = 10; minute <= 60; minute += 10) {
    clock.advance(10 * minuteMs)
    await rename(`After ${minute} minutes`)
    await deliverDue(app)
  }
  assert.deepEqual(program.taken, [])

  await program.startAgain()
  // Beyond the longest wait between two attempts of the first day.
  for (let hour = 0; hour < 12; hour++) {
    clock.advance(60 * minuteMs)
    await deliverDue(app)
  }
  const sequences = program.taken.filter(({ subject }) => subject === meeting._id).map(({ sequence }) => sequence)
  assert.deepEqual([...new Set(sequences)].toSorted(), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(new Set(await statesOf(app, webhookId)), new Set(['delivered']))

  const takenBefore = program.taken.length
  await rename('Queued before the revocation')
  await app.publishEvents()
  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${grantId}`))
  await rename('After the revocation')
  for (let hour = 0; hour < 12; hour++) {
    clock.advance(60 * minuteMs)
    await deliverDue(app)
  }
  assert.equal(program.taken.length, takenBefore)
})
