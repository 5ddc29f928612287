import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { turnServersFor } from '../../apps/server/src/rooms/engine/media-access.ts'
import { launchBrowser } from '../../e2e/browser.ts'
import { type Coturn, startCoturn } from './coturn.ts'

/** Debian's coturn with the settings of compose.yaml, used by Chromium with credentials from Parley. */

let coturn: Coturn
let browser: Browser
before(async () => {
  coturn = await startCoturn()
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await coturn?.[Symbol.asyncDispose]()
})

const dayMs = 24 * 60 * 60 * 1000

function serversGiven({ secret = coturn.secret, agoMs = 0 }) {
  const handedOutAt = new Date(systemClock.now().getTime() - agoMs)
  return turnServersFor({ urls: [coturn.url], secret }, secureRandom, handedOutAt)
}

/** The result of requesting a relay: the types of the gathered candidates, and STUN error codes. */
async function gather(iceServers: RTCIceServer[]) {
  const context = await browser.newContext()
  const page = await context.newPage()
  try {
    return await page.evaluate(async (servers) => {
      const connection = new RTCPeerConnection({ iceServers: servers, iceTransportPolicy: 'relay' })
      const found: (string | null)[] = []
      const errors: number[] = []
      connection.onicecandidateerror = ({ errorCode }) => errors.push(errorCode)
      connection.createDataChannel('any')
      await new Promise<void>((resolve) => {
        connection.onicecandidate = ({ candidate }) => (candidate === null ? resolve() : found.push(candidate.type))
        connection.setLocalDescription()
      })
      connection.close()
      return { found: [...new Set(found)], errors: [...new Set(errors)] }
    }, iceServers)
  } finally {
    await context.close()
  }
}

test('a participant with credentials gets a relay', async () => {
  assert.deepEqual(await gather(serversGiven({})), { found: ['relay'], errors: [] })
})

test('credentials are valid for a day', async () => {
  assert.deepEqual(await gather(serversGiven({ agoMs: dayMs - 60_000 })), { found: ['relay'], errors: [] })
  assert.deepEqual(await gather(serversGiven({ agoMs: dayMs + 1_000 })), { found: [], errors: [401] })
})

test('credentials of another secret, or with a changed expiry, are refused', async () => {
  assert.deepEqual(await gather(serversGiven({ secret: 'another' })), { found: [], errors: [401] })
  const [server] = serversGiven({ agoMs: dayMs + 1_000 })
  assert.ok(server !== undefined)
  const [, name = ''] = server.username?.split(':') ?? []
  const later = Math.floor(systemClock.now().getTime() / 1000) + 60
  assert.deepEqual(await gather([{ ...server, username: `${later}:${name}` }]), { found: [], errors: [401] })
})

/**
 * Call a peer at this address through the relay.
 * @returns the states of the connection
 */
async function callThroughRelay(address: string, isOver: (state: string | undefined) => boolean): Promise<string[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const states: string[] = []
  await page.exposeFunction('reportState', (state: string) => void states.push(state))
  try {
    await page.evaluate(
      async ([iceServers, at]) => {
        const caller = new RTCPeerConnection({ iceServers, iceTransportPolicy: 'relay' })
        const called = new RTCPeerConnection()
        caller.oniceconnectionstatechange = () => Object(globalThis).reportState(caller.iceConnectionState)
        async function describe(connection: RTCPeerConnection) {
          const gathered = new Promise<void>((resolve) => {
            connection.onicecandidate = ({ candidate }) => candidate === null && resolve()
          })
          await connection.setLocalDescription()
          await gathered
          return connection.localDescription ?? { type: 'rollback' as const, sdp: '' }
        }
        caller.createDataChannel('any')
        await called.setRemoteDescription(await describe(caller))
        const { type, sdp } = await describe(called)
        // Chromium sends an mDNS name instead of its address, which the relay cannot resolve.
        await caller.setRemoteDescription({ type, sdp: sdp.replaceAll(/\S+ (\d+ typ host)/g, `${at} $1`) })
      },
      [serversGiven({}), address] as const,
    )
    while (!isOver(states.at(-1))) await sleep(50)
    return states
  } finally {
    await context.close()
  }
}

const isSettled = (state: string | undefined) => state === 'connected' || state === 'disconnected' || state === 'failed'

test('the relay connects to the media servers, and to no other address', async () => {
  assert.deepEqual(await callThroughRelay('127.0.0.1', isSettled), ['checking', 'connected'])
  assert.doesNotMatch(coturn.output(), /error 403/)
  assert.deepEqual(await callThroughRelay('127.0.0.2', isSettled), ['checking', 'disconnected'])
  assert.match(coturn.output(), /CREATE_PERMISSION processed, error 403: Forbidden IP/)
})
