import type { BrowserContext, Page } from 'playwright-core'
import { until } from './start-media-story.ts'

/** What a page has received of one track. */
type Received = { id: string; kind: 'audio' | 'video'; amount: number; packets: number }

/** Consecutive decoded frames that prove moving video. */
const movingFrames = 5

/** Record every page's peer connections and the tracks of its devices, so that a test can read their state. */
export const watchPeers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const peers: RTCPeerConnection[] = []
    const opened: MediaStreamTrack[] = []
    Object.assign(globalThis, { peers, opened })
    const { getUserMedia } = MediaDevices.prototype
    MediaDevices.prototype.getUserMedia = async function (this: MediaDevices, ...parameters) {
      const stream = await getUserMedia.apply(this, parameters)
      opened.push(...stream.getTracks())
      return stream
    }
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...parameters: ConstructorParameters<typeof RTCPeerConnection>) {
        super(...parameters)
        peers.push(this)
      }
    }
  })

/** Every track of which the page has received frames or audible energy. */
export const receivedBy = (page: Page): Promise<Received[]> =>
  page.evaluate(async () => {
    const peers: RTCPeerConnection[] = Object(globalThis).peers
    const open = peers.filter(({ connectionState }) => connectionState !== 'closed')
    const reports = await Promise.all(open.map((peer) => peer.getStats()))
    return reports
      .flatMap((report) => [...report.values()])
      .filter(({ type }) => type === 'inbound-rtp')
      .map(({ trackIdentifier: id, kind, framesDecoded, totalAudioEnergy, packetsReceived: packets }) => ({
        id,
        kind,
        packets,
        amount: (kind === 'video' ? framesDecoded : totalAudioEnergy) ?? 0,
      }))
  })

/** The devices that the page has opened, and how many of them are still running. */
export const openedBy = (page: Page) =>
  page.evaluate(() => {
    const opened: MediaStreamTrack[] = Object(globalThis).opened
    const countLive = (kind: string) =>
      opened.filter((track) => track.kind === kind && track.readyState === 'live').length
    return {
      cameras: opened.filter(({ kind }) => kind === 'video').length,
      microphones: opened.filter(({ kind }) => kind === 'audio').length,
      live: countLive('video') + countLive('audio'),
    }
  })

/** The width with which the page captures its camera, the number of layers it sends, and their bits in all. */
export const cameraSentBy = (page: Page) =>
  page.evaluate(() => {
    const peers: RTCPeerConnection[] = Object(globalThis).peers
    const sender = peers
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((peer) => peer.getSenders())
      .find(({ track }) => track?.kind === 'video')
    const encodings = sender?.getParameters().encodings ?? []
    return {
      captured: sender?.track?.getSettings().width ?? 0,
      layers: encodings.length,
      maxBitrate: encodings.reduce((sum, { maxBitrate = 0 }) => sum + maxBitrate, 0),
    }
  })

/** The width of the video that the page shows of a person. */
export const widthShown = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (label) => document.querySelector<HTMLVideoElement>(`video[aria-label="${label}"]`)?.videoWidth ?? 0,
    `${name}’s camera`,
  )

export type Perceived = { pictures?: number; voices?: number }

/** Wait until this many videos move and this many voices are audible at the same time. */
export async function perceives(page: Page, { pictures = 0, voices = 0 }: Perceived): Promise<void> {
  const before = new Map((await receivedBy(page)).map(({ id, amount }) => [id, amount]))
  const received = async (kind: Received['kind'], least: number) =>
    (await receivedBy(page)).filter((one) => one.kind === kind && one.amount - (before.get(one.id) ?? 0) > least).length
  await until(async () => (await received('video', movingFrames)) >= pictures, `${pictures} pictures move`)
  await until(async () => (await received('audio', 0)) >= voices, `${voices} voices sound`)
}

/** Wait until no more of this kind arrives for a while. */
export async function perceivesNothing(page: Page, kind: Received['kind']): Promise<void> {
  const packetsOf = async () =>
    (await receivedBy(page)).filter((one) => one.kind === kind).reduce((sum, { packets }) => sum + packets, 0)
  let before = await packetsOf()
  await until(async () => {
    await page.waitForTimeout(silenceMs)
    const now = await packetsOf()
    const isQuiet = now === before
    before = now
    return isQuiet
  }, `nothing comes in of ${kind}`)
}

/** Longer than the gap between two packets of a still image or of silence. */
const silenceMs = 1000
