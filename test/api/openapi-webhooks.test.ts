import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type EventType, eventTypeNames, eventTypes } from '@parley/contract'
import { retryForMs } from '@parley/rules/webhooks/retry-schedule'
import { Format } from 'typebox/format'
import { deliveryLimits } from '../../apps/server/src/webhooks/webhook-receivers.ts'
import { schedule, signUp, standUp, weekdays } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { webhookPath } from '../../apps/server/test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers } from '../../apps/server/test/webhooks/webhooks.ts'
import { at, document, violationsOf } from './openapi-document.ts'

// The service removes TypeBox's formats for the whole process.
before(() => Format.Reset())
after(() => Format.Clear())

type Operation = {
  operationId: string
  description: string
  requestBody: {
    content: { 'application/json': { schema: { $ref: string }; examples: Record<string, { value: SampleEvent }> } }
  }
  responses: Record<string, { description: string }>
}
type SampleEvent = { type: string; subject: string; data: Record<string, unknown> }

const { callbacks } = Object(document.paths['/api/webhooks']?.post)
const callback: Operation = callbacks.event['{$request.body#/url}'].post

const operationOf = (type: EventType) => document.webhooks[type]?.post as unknown as Operation
const bodyOf = (type: EventType) => operationOf(type).requestBody.content['application/json']

const everyOperation = [...eventTypeNames.map(operationOf), callback]

test('the webhooks contain each type of event, in the order of the catalogue', () => {
  assert.deepEqual(Object.keys(document.webhooks), eventTypeNames)
  assert.ok(eventTypeNames.includes('webhook.test'))
})

for (const type of eventTypeNames) {
  test(`${type}: the sample is valid, and its schema requires the fields that the type has`, () => {
    const { schema, examples } = bodyOf(type)
    const event = examples[type]?.value ?? assert.fail('no sample')
    const { data, sample } = eventTypes[type]
    assert.deepEqual(violationsOf(schema, event), [])
    assert.equal(event.type, type)
    assert.deepEqual(Object.keys(event.data), Object.keys(sample))
    assert.ok(Object.values<unknown>(sample).includes(event.subject), 'the subject is one of the ids')

    const { properties, required } = data as { properties: object; required: string[] }
    const written = Object(at(schema.$ref)).properties.data
    assert.deepEqual(new Set(written.required), new Set(required))
    for (const name of Object.keys(properties)) assert.ok(Object.hasOwn(written.properties, name), name)
    for (const name of required) {
      const { [name]: _, ...partial } = event.data
      assert.notDeepEqual(violationsOf(schema, { ...event, data: partial }), [], `without ${name}`)
    }
  })
}

test('what a service sends is valid: a test event of each type, and the events of a meeting with the meeting', async () => {
  const app = await startApp({ emails: 'dropped', environment: { ...loopbackReceivers, RATE_LIMITS: 'off' } })
  const alice = await signUp(app, 'Alice')
  const receiver = await startReceiver()
  const _id = await insertWebhook(app, alice, receiver, { payload: 'full' })
  for (const type of eventTypeNames) await expectOk(alice.send('POST', webhookPath({ _id }, '/test'), { type }), 202)
  await deliverDue(app)
  assert.deepEqual(receiver.taken.map(({ type }) => type).toSorted(), eventTypeNames.toSorted())

  const meeting = await schedule(alice, weekdays({ participants: ['bob@example.org'] }))
  const path = `/api/meeting/meetingDetails/${meeting._id}?sendUpdates=none`
  await expectOk(alice.send('PUT', path, weekdays({ topic: 'Planning', participants: ['bob@example.org'] })))
  await expectOk(alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'current' }))
  await schedule(alice, standUp())
  await deliverDue(app)
  const ofMeetings = receiver.taken.slice(eventTypeNames.length)
  assert.deepEqual(ofMeetings.map(({ type }) => type).toSorted(), [
    'meeting.created',
    'meeting.created',
    'meeting.occurrence.cancelled',
    'meeting.updated',
  ])
  for (const { meeting: shown } of ofMeetings) assert.equal(typeof shown?.topic, 'string')
  for (const event of receiver.taken) {
    for (const { schema } of [bodyOf(event.type), callback.requestBody.content['application/json']]) {
      assert.deepEqual(violationsOf(schema, event), [], event.type)
    }
  }

  const names = Object.keys(receiver.requests[0]?.headers ?? {}).filter((name) => name.startsWith('webhook-'))
  assert.deepEqual(names.toSorted(), ['webhook-id', 'webhook-signature', 'webhook-timestamp'])
  for (const { description, operationId } of everyOperation) {
    for (const name of names) assert.ok(description.includes(`- \`${name}\`: `), `${operationId} ${name}`)
  }
})

test('the replies of a receiver are described, with the limits that the service has', () => {
  for (const { responses } of everyOperation) {
    assert.deepEqual(Object.keys(responses), ['410', '2XX', 'default'])
    const refused = responses.default?.description ?? ''
    assert.ok(refused.includes('sent again, for three days'))
    assert.equal(retryForMs, 3 * 24 * 60 * 60 * 1_000)
    assert.ok(refused.includes(`without a response within ${deliveryLimits.timeMs / 1_000} seconds`))
  }
})
