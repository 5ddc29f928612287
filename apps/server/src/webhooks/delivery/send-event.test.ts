import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
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

/** What came back from a receiver that answers so. */
async function sentTo(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const fetch = createWebhookFetch({ baseUrl: 'http://localhost:3000', webhookAllowedNetworks: [] })
  const composed = { headers: {}, body: '{}' }
  const sent = await sendEvent(`http://localhost:${port}/`, composed, { fetch, now: () => performance.now() })
  return sent.kind === 'response' ? [sent.status, sent.body] : sent.error
}

test('the status decides, whatever becomes of the body', async () => {
  assert.deepEqual(await sentTo((response) => response.writeHead(200).write('begun')), [200, 'begun'], 'never ends')
  const compressed = await sentTo((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('taken')),
  )
  assert.deepEqual(compressed, [200, ''])
  const broken = await sentTo((response) => {
    response.writeHead(202, { 'content-length': '10' }).write('begun')
    setImmediate(() => response.destroy())
  })
  assert.equal(broken[0], 202)
  assert.deepEqual(await sentTo((response) => response.writeHead(204).end()), [204, ''])
})
