import assert from 'node:assert/strict'
import type { RoomMedia } from '@parley/contract'
import type { Browser, Page } from 'playwright-core'
import { type Person, sendRequest, standUp } from '../../apps/server/test/people.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { startSite, until } from '../../e2e/media/start-media-story.ts'
import { between, minuteMs, scheduleQuietly } from '../../e2e/meetings/meetings.ts'

type Way = { candidateType: string; relayProtocol: string | undefined; state: string }

/**
 * Let a host and a guest join through the API, in browsers that may send to relays only, and wait until they see each
 * other.
 * @returns the routes of their packets
 */
export async function holdRelayedCall(app: TestApp, browser: Browser, host: Person): Promise<Way[]> {
  const meeting = await scheduleQuietly(host, standUp(between(5 * minuteMs, 35 * minuteMs)))
  const site = await startSite()
  try {
    const asHost = { authorization: host.token }
    const alice = await joinRoom(browser, site.url, await enter(app, meeting, asHost))
    const gus = await joinRoom(browser, site.url, await enter(app, meeting, {}, { name: 'Gus' }))
    await alice.evaluate(() => media.room.localParticipant.setCameraEnabled(true))
    await until(() => gus.evaluate(() => seesOtherPerson()), 'Gus sees Alice')
    const ways = [...(await alice.evaluate(() => waysTaken())), ...(await gus.evaluate(() => waysTaken()))]
    await alice.evaluate(() => media.room.disconnect())
    await gus.evaluate(() => media.room.disconnect())
    return ways
  } finally {
    site.close()
  }
}

async function enter(
  app: TestApp,
  meeting: { svcMeetId: string; pin: string },
  headers: Record<string, string>,
  body = {},
) {
  const path = `/api/rooms/${meeting.svcMeetId}/enter`
  const answer = await sendRequest(app, 'POST', path, { pin: meeting.pin, ...body }, headers)
  assert.equal(answer.body.state, 'admitted', JSON.stringify(answer.body))
  return answer.body.media as RoomMedia
}

async function joinRoom(browser: Browser, site: string, { url, token, iceServers }: RoomMedia): Promise<Page> {
  assert.equal(iceServers.length, 1)
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(watchConnections)
  await page.goto(site)
  await page.evaluate(
    ([to, by, servers]) =>
      media.room.connect(to, by, { rtcConfig: { iceServers: servers, iceTransportPolicy: 'relay' } }),
    [url, token, iceServers] as const,
  )
  return page
}

declare global {
  function waysTaken(): Promise<Way[]>
  function seesOtherPerson(): Promise<boolean>
}

/** Runs before the page's scripts, because livekit-client does not expose its connections. */
function watchConnections() {
  const connections: RTCPeerConnection[] = []
  const Original = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  const statsOf = async (connection: RTCPeerConnection) => [...(await connection.getStats()).values()]
  globalThis.waysTaken = async () => {
    const ways: Way[] = []
    for (const connection of connections) {
      const stats = await statsOf(connection)
      const byId = (id: string) => stats.find((one) => one.id === id)
      for (const transport of stats.filter(({ type }) => type === 'transport')) {
        const pair = byId(transport.selectedCandidatePairId)
        if (pair === undefined) continue
        const { candidateType, relayProtocol } = byId(pair.localCandidateId)
        ways.push({ candidateType, relayProtocol, state: pair.state })
      }
    }
    return ways
  }
  globalThis.seesOtherPerson = async () => {
    const stats = (await Promise.all(connections.map(statsOf))).flat()
    return stats.some(({ type, framesDecoded }) => type === 'inbound-rtp' && framesDecoded > 10)
  }
}
