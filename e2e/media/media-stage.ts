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
  /** The sender's time of what is played now, in milliseconds; 0 as long as it is not known. */
  estimatedPlayoutTimestamp: number
}

/** Somebody's page in a room. */
export type Guest = {
  identity: string
  page: Page
  /** What this page has received of somebody's track. */
  received(identity: string, source: Source): Promise<Received>
  /** Waits until more frames of the video, or more sound of the voice, come in than there were. */
  perceives(identity: string, source: Source): Promise<void>
  /** Waits a while, in which nothing more of it may come in. */
  perceivesNothingOf(identity: string, source: Source): Promise<void>
  /** Shows or hides the camera, the microphone, the screen. */
  set(source: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void>
  events(): Promise<string[]>
  leave(): Promise<void>
}

export type MediaStage = {
  server: MediaServer
  /** A room that nobody else uses. */
  room: string
  /** `prepare` is done with the page before it joins. */
  enter(identity: string, grant?: VideoGrant, prepare?: (page: Page) => Promise<void>): Promise<Guest>
}

/** A test that waits longer has failed. */
const waitLimitMs = 20_000
const silenceMs = 1500

let rooms = 0

/** A media server, and a browser with a camera that draws and a microphone that beeps. All is closed after the file. */
export async function setMediaStage(): Promise<() => MediaStage> {
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
      // What is on its way, or waits to be played, still arrives.
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

/** Waits for what must come; for what takes its time, with `patience` times as much. */
export async function until(isSo: () => Promise<boolean> | boolean, what: string, patience = 1): Promise<void> {
  const tries = (patience * waitLimitMs) / 100
  for (let tried = 0; tried < tries; tried++) {
    if (await isSo()) return
    await pause(100)
  }
  throw new Error(`It did not come to pass: ${what}`)
}

/** Serves the page. Cameras are for pages of localhost only, or over TLS. */
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
