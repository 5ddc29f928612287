import type { BrowserContext, Page } from 'playwright-core'
import { until } from './start-media-story.ts'

/** What a page has received of one track. */
type Received = { id: string; kind: 'audio' | 'video'; amount: number; packets: number }

/** Consecutive decoded frames that prove moving video. */
const movingFrames = 5

/** Record every page's peer connections, so that a test can read their statistics. */
export const watchPeers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const peers: RTCPeerConnection[] = []
    Object.assign(globalThis, { peers })
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
