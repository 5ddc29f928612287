import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../test/webhooks/receiver.ts'
import { createWebhookFetch, sendEvent } from './send-event.ts'

const receiver = await startReceiver()
const local = receiver.url.replace('127.0.0.1', 'localhost')

/** The status that a service receives from the receiver on its own machine, or why it did not send. */
async function post(url: string, baseUrl: string, webhookAllowedNetworks: readonly string[] = []) {
  const fetch = createWebhookFetch({ baseUrl, webhookAllowedNetworks })
  const sent = await sendEvent(url, { headers: {}, body: '{}' }, { fetch, now: () => performance.now() })
  return sent.kind === 'response' ? sent.status : sent.error
}

test('localhost is this machine, without a name server, where the service is at localhost or the operator allows it', async () => {
  assert.equal(await post(local, 'http://localhost:3000'), 204)
  assert.equal(await post(local.replace('localhost', 'app.localhost'), 'http://localhost:3000'), 204)
  assert.equal(await post(local, 'https://meet.example.org', ['127.0.0.0/8']), 204)
  assert.equal(receiver.requests.length, 3)
  for (const url of [local, receiver.url, local.replace('localhost', 'localhost.')]) {
    assert.equal(await post(url, 'https://meet.example.org'), 'private_address', url)
    assert.equal(await post(url, 'https://meet.example.org', ['10.0.0.0/8']), 'private_address', url)
  }
  assert.equal(receiver.requests.length, 3)
})
