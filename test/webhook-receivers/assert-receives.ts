import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookDelivery } from '@parley/contract'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { newWebhookSecret, signatureOf } from '../../apps/server/src/webhooks/webhook-secret.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { createClock, startApp } from '../../apps/server/test/start-app.ts'
import { createWebhook, webhookPath } from '../../apps/server/test/webhooks/manage-webhooks.ts'
import { deliverDue } from '../../apps/server/test/webhooks/webhooks.ts'
import { freePorts } from '../helpers/free-port.ts'
import { type PageProgram, type RunningProgram, startProgram } from './receiver-program.ts'

/** Receivers accept a timestamp that is at most five minutes away from their clock. */
const [withinTolerance, beyondTolerance] = [270, 330]

/**
 * Alice runs a receiver of the page for the events of a service on her own machine. It takes each genuine event once,
 * and refuses everything else.
 */
export async function assertReceives(program: PageProgram): Promise<void> {
  const clock = createClock(new Date().toISOString())
  // Receivers on this machine need no setting, because the service is at localhost too.
  const app = await startApp({ clock, emails: 'dropped', environment: { BASE_URL: 'http://localhost:3000' } })
  const alice = await signUp(app, 'Alice')
  const [port = 0] = await freePorts(1)
  const webhook = await createWebhook(alice, { url: `http://localhost:${port}/parley` })
  const { secret } = webhook
  const receiver = await startProgram(program, { port, secret })
  const readDelivery = (eventId: string) => expectOk(alice.send('GET', webhookPath(webhook, `/deliveries/${eventId}`)))
  const deliver = async (): Promise<WebhookDelivery> => {
    await deliverDue(app)
    const { deliveries } = await expectOk(alice.send('GET', webhookPath(webhook, '/deliveries?limit=1')))
    return deliveries[0]
  }

  const { meetingDetails: meeting } = await expectOk(
    alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] })),
  )
  const created = await deliver()
  assert.deepEqual([created.type, created.state, created.lastStatus], ['meeting.created', 'delivered', 204])

  // The same event again, as after an answer that was lost.
  await expectOk(alice.send('POST', webhookPath(webhook, '/resend'), { eventId: created.eventId }), 202)
  await deliverDue(app)
  const { attemptLog, ...repeated } = await readDelivery(created.eventId)
  assert.deepEqual([repeated.state, repeated.attempts, repeated.lastStatus], ['delivered', 2, 204])
  const { requestHeaders, requestBody } = attemptLog[1]

  await assertRefusesForgeries(receiver, requestHeaders, requestBody)
  assert.equal(await post(receiver, requestHeaders, requestBody), 204, 'the recorded request is a repetition')
  assert.equal(await postHeadersAlone(receiver, { ...requestHeaders, 'content-length': '5000001' }), 413)

  // Parley repeats an event that was refused for its old timestamp with a new one.
  clock.advance(-beyondTolerance * 1_000)
  const { eventId } = await expectOk(alice.send('POST', webhookPath(webhook, '/test'), {}), 202)
  const refused = await deliver()
  assert.deepEqual([refused.eventId, refused.state, refused.lastStatus], [eventId, 'waiting', 401])
  clock.set(new Date())
  const taken = await deliver()
  assert.deepEqual([taken.eventId, taken.state, taken.attempts], [eventId, 'delivered', 2])

  for (const [seconds, status] of [
    [-beyondTolerance, 401],
    [-withinTolerance, 204],
    [withinTolerance, 204],
    [beyondTolerance, 401],
  ] as const) {
    assert.equal(await postSigned(receiver, secret, seconds), status, `${seconds} seconds`)
  }

  // After a rotation, the receiver with the secret from before takes events, because both sign.
  const rotated = await expectOk(alice.send('POST', webhookPath(webhook, '/secret')))
  const renamed = standUp({ topic: 'Planning', participants: [] })
  await expectOk(alice.send('PUT', `/api/meeting/meetingDetails/${meeting._id}?sendUpdates=none`, renamed))
  const updated = await deliver()
  assert.deepEqual([updated.type, updated.state, updated.attempts], ['meeting.updated', 'delivered', 1])
  // So does one that has the new secret already, and both refuse another body.
  const [newPort = 0] = await freePorts(1)
  const newReceiver = await startProgram(program, { port: newPort, secret: rotated.secret })
  const [{ requestHeaders: signedTwice, requestBody: renamedBody }] = (await readDelivery(updated.eventId)).attemptLog
  assert.equal(signedTwice['webhook-signature'].split(' ').length, 2)
  for (const one of [receiver, newReceiver]) {
    assert.equal(await post(one, signedTwice, renamedBody.replace('Planning', 'Nothing')), 401)
    assert.equal(await post(one, signedTwice, renamedBody), 204)
  }
  assert.equal(await postSigned(newReceiver, secret, 0), 401, 'the secret from before alone')

  const expected = [
    `meeting.created ${meeting._id} 1`,
    `webhook.test ${webhook._id} null`,
    'signed -270 7',
    'signed 270 7',
    `meeting.updated ${meeting._id} 2`,
  ]
  while (receiver.printed.length < expected.length) await sleep(10)
  assert.deepEqual(receiver.printed.map(withoutNone), expected)
  while (newReceiver.printed.length === 0) await sleep(10)
  assert.deepEqual(newReceiver.printed, expected.slice(-1))
}

/** Python prints its own word where the JSON has null. */
const withoutNone = (line: string) => line.replace(/ None$/, ' null')

type Headers = Record<string, string>

async function assertRefusesForgeries(receiver: RunningProgram, headers: Headers, body: string): Promise<void> {
  const id = headers['webhook-id'] ?? ''
  const timestamp = Number(headers['webhook-timestamp'])
  const genuine = headers['webhook-signature'] ?? ''
  const ofStranger = signatureOf({ id, timestamp, body }, [newWebhookSecret(secureRandom)])
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
  const forgeries: Record<string, [Headers, string]> = {
    'another secret': [{ ...headers, 'webhook-signature': ofStranger }, body],
    'another body': [headers, body.replace('meeting.created', 'meeting.updated')],
    'another id': [{ ...headers, 'webhook-id': secureRandom.uuid(new Date()) }, body],
    'another time': [{ ...headers, 'webhook-timestamp': String(timestamp + 1) }, body],
    'another version': [{ ...headers, 'webhook-signature': genuine.replace('v1,', 'v1a,') }, body],
    'an empty signature': [{ ...headers, 'webhook-signature': 'v1,' }, body],
    'half of the signature': [{ ...headers, 'webhook-signature': genuine.slice(0, 20) }, body],
    'no signature': [without('webhook-signature'), body],
    'no id': [without('webhook-id'), body],
    'no time': [without('webhook-timestamp'), body],
    'no number as time': [{ ...headers, 'webhook-timestamp': 'now' }, body],
    'no body': [headers, ''],
  }
  for (const [name, [sent, text]] of Object.entries(forgeries)) {
    assert.equal(await post(receiver, sent, text), 401, name)
  }
}

async function post({ url }: RunningProgram, headers: Headers, body: string): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status
}

/** Post an event that is signed with the secret, at a time that is some seconds away from now. */
function postSigned(receiver: RunningProgram, secret: string, seconds: number): Promise<number> {
  const now = new Date()
  const id = secureRandom.uuid(now)
  const timestamp = Math.floor(now.getTime() / 1_000) + seconds
  const body = JSON.stringify({ id, type: 'signed', subject: String(seconds), sequence: 7 })
  const signature = signatureOf({ id, timestamp, body }, [secret])
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
  return post(receiver, headers, body)
}

/** Announce a body without sending it: a receiver refuses one that is too long before it reads it. */
const postHeadersAlone = ({ url }: RunningProgram, headers: Headers): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers })
    sent.on('error', reject).on('response', ({ statusCode = 0 }) => {
      resolve(statusCode)
      sent.destroy()
    })
    sent.flushHeaders()
  })
