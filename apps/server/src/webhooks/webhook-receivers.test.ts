import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { WebhookOwner } from '@parley/contract'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { sendEvent } from './deliver.ts'
import { createReceiverPolicy, createWebhookFetch } from './webhook-receivers.ts'

const receiver = await startReceiver()
const others = ['person', 'app', 'grant'] as const
/** A port on which the service listens itself. */
const ownPort = 3000
const local = receiver.url.replace('127.0.0.1', 'localhost')

/** The status that a service receives from the receiver on its own machine, or why it did not send. */
async function post(
  url: string,
  baseUrl: string,
  webhookAllowedNetworks: readonly string[] = [],
  owner: WebhookOwner = 'organisation',
) {
  const localReceivers = baseUrl.includes('localhost')
  const fetch = createWebhookFetch({ baseUrl, webhookAllowedNetworks, localReceivers, port: ownPort })
  const sent = await sendEvent(url, { headers: {}, body: '{}' }, { owner, fetch, now: () => performance.now() })
  return sent.kind === 'response' ? sent.status : sent.error
}

test('localhost is this machine, without a name server, where the service is at localhost or the operator allows it', async () => {
  const before = receiver.requests.length
  assert.equal(await post(local, 'http://localhost:3000'), 204)
  assert.equal(await post(local.replace('localhost', 'app.localhost'), 'http://localhost:3000'), 204)
  assert.equal(await post(local, 'https://meet.example.org', ['127.0.0.0/8']), 204)
  assert.equal(receiver.requests.length, before + 3)
  for (const url of [local, receiver.url, local.replace('localhost', 'localhost.')]) {
    assert.equal(await post(url, 'https://meet.example.org'), 'private_address', url)
    assert.equal(await post(url, 'https://meet.example.org', ['10.0.0.0/8']), 'private_address', url)
  }
  assert.equal(receiver.requests.length, before + 3)
})

test('networks that the operator allows are for webhooks of the organisation alone', async () => {
  const before = receiver.requests.length
  for (const owner of others) {
    for (const networks of [['127.0.0.0/8'], ['0.0.0.0/0']]) {
      assert.equal(await post(local, 'https://meet.example.org', networks, owner), 'private_address', owner)
      assert.equal(await post(receiver.url, 'https://meet.example.org', networks, owner), 'private_address', owner)
    }
  }
  assert.equal(receiver.requests.length, before)
})

test('on a developer’s machine others reach programs on it, but not the service and what it uses', async () => {
  for (const owner of others) {
    assert.equal(await post(local, 'http://localhost:3000', [], owner), 204)
    for (const port of [ownPort, 5432, 80]) {
      assert.equal(
        await post(`http://localhost:${port}/`, 'http://localhost:3000', [], owner),
        'port',
        `${owner} ${port}`,
      )
    }
    const listening = {
      port: 3001,
      metrics: { host: '127.0.0.1', port: 9090 },
      inboundMail: { host: '127.0.0.1', port: 2525 },
      databaseUrl: 'postgres://parley@127.0.0.1:6543/parley',
      smtpUrl: 'smtp://127.0.0.1:1587',
    }
    const { isAllowedPort } = createReceiverPolicy(
      { baseUrl: 'http://localhost:3001', webhookAllowedNetworks: [], localReceivers: true, ...listening },
      owner,
    )
    for (const port of [3001, 9090, 2525, 6543, 1587]) assert.equal(isAllowedPort(port), false, `${owner} ${port}`)
    assert.equal(isAllowedPort(8080), true)
  }
})

test('what a server of the network answers is for the organisation alone', async () => {
  for (const owner of [...others, 'organisation'] as const) {
    const fetch = createWebhookFetch({
      baseUrl: 'http://localhost:3000',
      webhookAllowedNetworks: [],
      localReceivers: true,
      port: ownPort,
    })
    const sent = await sendEvent(local, { headers: {}, body: '{}' }, { owner, fetch, now: () => performance.now() })
    assert.equal(sent.kind === 'response' && sent.isLoggable, owner === 'organisation', owner)
  }
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
  const local = { webhookAllowedNetworks: [], localReceivers: true, port: ownPort }
  const fetch = createWebhookFetch({ baseUrl: 'http://localhost:3000', ...local })
  const composed = { headers: {}, body: '{}' }
  const sent = await sendEvent(`http://localhost:${port}/`, composed, {
    owner: 'organisation',
    fetch,
    now: () => performance.now(),
  })
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
