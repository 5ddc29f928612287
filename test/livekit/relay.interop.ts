import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { launchBrowser } from '../../e2e/browser.ts'
import { freePorts } from '../helpers/free-port.ts'
import { startCoturn } from '../turn/coturn.ts'
import { holdRelayedCall } from '../turn/relayed-call.ts'
import { startLivekit } from './livekit.ts'

test('a call works through LiveKit when all packets pass coturn', async () => {
  const coturn = await startCoturn()
  after(() => coturn[Symbol.asyncDispose]())
  const [port = 0] = await freePorts(1)
  const livekit = await startLivekit({ webhookUrl: `http://127.0.0.1:${port}/media/events` })
  after(() => livekit[Symbol.asyncDispose]())
  const browser = await launchBrowser({ fakeDevices: true })
  after(() => browser.close())
  const environment = { ...coturn.environment, ...livekit.environment }
  const app = await startApp({ port, media: 'engine', emails: 'dropped', environment })
  const ways = await holdRelayedCall(app, browser, await signUp(app, 'Alice'))
  assert.ok(ways.length >= 2)
  for (const way of ways) assert.deepEqual(way, { candidateType: 'relay', relayProtocol: 'udp', state: 'succeeded' })
})
