/// <reference path="./media-page.d.ts" />
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { VideoGrant } from 'livekit-server-sdk'
import type { Browser, Page } from 'playwright-core'
import { closePagesOf, launchBrowser } from '../browser.ts'
import { type MediaServer, startMediaServer } from './media-server.ts'

export type Source = 'camera' | 'microphone' | 'screen_share' | 'screen_share_audio'
export type Received = {
  framesDecoded: number
  totalAudioEnergy: number
  packetsReceived: number
  frameWidth: number
  codec: string
  /** The sender's time of the frame that is playing, in milliseconds; 0 while unknown. */
  estimatedPlayoutTimestamp: number
}

/** A participant's page in a room. */
export type Guest = {
  identity: string
  page: Page
  /** What this page has received of a participant's track. */
  received(identity: string, source: Source): Promise<Received>
  /** Wait until more video frames or more audio of the track arrive. */
  perceives(identity: string, source: Source): Promise<void>
  /** Wait, and fail if more of the track arrives. */
  perceivesNothingOf(identity: string, source: Source): Promise<void>
  /** Switch the camera, the microphone, the screen. */
  set(source: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void>
  events(): Promise<string[]>
  leave(): Promise<void>
}

export type MediaRoom = {
  server: MediaServer
  /** A room for this test only. */
  room: string
  /** `prepare` runs before the page joins. */
  enter(identity: string, grant?: VideoGrant, prepare?: (page: Page) => Promise<void>): Promise<Guest>
}

/** A test that waits longer has failed. */
const waitLimitMs = 20_000
const silenceMs = 1500

let rooms = 0

/** Start a media server, and a browser with a fake camera and microphone. Both are closed after the file. */
export async function startMediaStory(): Promise<() => MediaRoom> {
  const server = await startMediaServer()
  const browser = await launchBrowser({ fakeDevices: true })
  const site = await startSite()
  afterEach(() => closePagesOf(browser))
  after(async () => {
    await browser.close()
    await server.close()
    site.close()
  })
  return () => {
    rooms += 1
    const room = `room-${process.pid}-${rooms}`
    return { server, room, enter: (...who) => enter(browser, site.url, server, room, ...who) }
  }
}

async function enter(
  browser: Browser,
  site: string,
  server: MediaServer,
  room: string,
  identity: string,
  grant: VideoGrant = {},
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Guest> {
  const page = await browser.newPage()
  await prepare(page)
  await page.goto(site)
  const token = await server.token(identity, { roomJoin: true, room, ...grant })
  await page.evaluate(([url, text]) => media.room.connect(url, text), [server.url, token] as const)
  const received: Guest['received'] = (whom, source) =>
    page.evaluate(([one, other]) => media.received(one, other), [whom, source] as const)
  const amount = async (whom: string, source: Source) => {
    const { framesDecoded, totalAudioEnergy } = await received(whom, source)
    return source === 'camera' || source === 'screen_share' ? framesDecoded : totalAudioEnergy
  }
  return {
    identity,
    page,
    received,
    async perceives(whom, source) {
      const before = await amount(whom, source)
      await until(async () => (await amount(whom, source)) > before, `${identity} perceives ${source} of ${whom}`)
    },
    async perceivesNothingOf(whom, source) {
      // Packets that are on their way, or in the jitter buffer, still arrive.
      await pause(silenceMs)
      const before = await received(whom, source)
      await pause(silenceMs)
      const { packetsReceived } = await received(whom, source)
      if (packetsReceived > before.packetsReceived) throw new Error(`${identity} receives ${source} of ${whom}`)
    },
    set: (source, on) =>
      page.evaluate(
        async ([what, isOn]) => {
          const { localParticipant } = media.room
          if (what === 'camera')
            await localParticipant.setCameraEnabled(isOn, { resolution: { width: 640, height: 360 } })
          if (what === 'microphone') await localParticipant.setMicrophoneEnabled(isOn)
          if (what === 'screen') await localParticipant.setScreenShareEnabled(isOn, { audio: true })
        },
        [source, on] as const,
      ),
    events: () => page.evaluate(() => media.events),
    async leave() {
      await page.evaluate(() => media.room.disconnect())
      await page.close()
    },
  }
}

/** Wait until a condition holds; `patience` multiplies the time limit. */
export async function until(isSo: () => Promise<boolean> | boolean, what: string, patience = 1): Promise<void> {
  const tries = (patience * waitLimitMs) / 100
  for (let tried = 0; tried < tries; tried++) {
    if (await isSo()) return
    await pause(100)
  }
  throw new Error(`It did not come to pass: ${what}`)
}

/** Serve the page. Browsers allow cameras only on localhost or over TLS. */
export async function startSite(): Promise<{ url: string; close(): void }> {
  const read = (path: string) => readFile(new URL(path, import.meta.url))
  const scripts: Record<string, Buffer> = {
    '/livekit-client.js': await read('../../node_modules/livekit-client/dist/livekit-client.umd.js'),
    '/media-page.js': await read('media-page.js'),
  }
  const server = createServer(({ url = '' }, response) => {
    const script = scripts[url]
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(
      script ??
        '<title>media</title><body><script src="/livekit-client.js"></script><script src="/media-page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
