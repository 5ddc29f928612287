import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { launchBrowser } from '../../e2e/browser.ts'
import { freePorts } from '../helpers/free-port.ts'
import { startCoturn } from './coturn.ts'
import { holdRelayedCall } from './relayed-call.ts'

test('a call works through the embedded engine when all packets pass coturn', async () => {
  const coturn = await startCoturn()
  after(() => coturn[Symbol.asyncDispose]())
  const browser = await launchBrowser({ fakeDevices: true })
  after(() => browser.close())
  const [port = 0] = await freePorts(1)
  const here = { BASE_URL: `http://localhost:${port}`, MEDIA_PUBLIC_ADDRESS: '127.0.0.1' }
  const environment = { ...coturn.environment, ...here }
  const app = await startApp({ port, media: 'engine', emails: 'dropped', environment })
  const ways = await holdRelayedCall(app, browser, await signUp(app, 'Alice'))
  assert.ok(ways.length >= 2)
  for (const way of ways) assert.deepEqual(way, { candidateType: 'relay', relayProtocol: 'udp', state: 'succeeded' })
})
