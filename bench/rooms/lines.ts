/// <reference path="../../e2e/media/media-page.d.ts" />
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/browser.ts'
import { impairLine, type Line, type LineCondition } from '../../e2e/media/impair-line.ts'
import { startSite } from '../../e2e/media/start-media-story.ts'
import { printTable } from '../figures.ts'
import { type RoomEngine, startEmbedded } from './room-engines.ts'

/** Whose line is impaired: that of the viewer, who receives, or that of the sender. */
type Impaired = { who: 'viewer' | 'sender'; condition: Partial<LineCondition>; both?: boolean; limitedMs?: number }

const kilobits = (count: number) => ({ bitsPerSecond: count * 1000 })
const scenarios: Record<string, Impaired> = {
  'down 100 kbit/s': { who: 'viewer', condition: kilobits(100) },
  'down 300 kbit/s': { who: 'viewer', condition: kilobits(300) },
  'down 1,000 kbit/s': { who: 'viewer', condition: kilobits(1000) },
  'up 100 kbit/s': { who: 'sender', condition: kilobits(100) },
  'up 300 kbit/s': { who: 'sender', condition: kilobits(300) },
  'up 1,000 kbit/s': { who: 'sender', condition: kilobits(1000) },
  '10 % loss, both ways': { who: 'viewer', condition: { loss: 0.1 }, both: true },
  'cut for 5 s': { who: 'viewer', condition: { cut: true }, both: true, limitedMs: 5_000 },
  'cut for 30 s': { who: 'viewer', condition: { cut: true }, both: true, limitedMs: 30_000 },
}

const defaultLimitedMs = 15_000
/** After the impairment. */
const freedMs = 15_000
const sampleMs = 200
const steadyLimitMs = 30_000
/** Until then the picture moves: the fake camera sends a frame each 100 ms. */
const minGapMs = 500
const samplesPerMs = 48

/** What the viewer's page has received. The counters begin anew where the page has joined again. */
type Sample = {
  atMs: number
  width: number
  height: number
  frames: number
  freezes: number
  frozenSeconds: number
  isPaused: boolean
  lost: number
  received: number
  /** Samples of sound that were missing while there was something to hear. */
  concealed: number
}

type Outcome = {
  scenario: string
  engine: string
  freezes: number
  frozenSeconds: number
  /** The time without a new frame, in all and while the page was told that video is paused. */
  stillMs: number
  pausedMs: number
  lost: number
  packets: number
  concealedMs: number
  sizes: string
}

/**
 * Play bad lines to a viewer in Chromium, with this version's engine and, where `other` names its program, with another
 * one's in the same run.
 */
export async function benchLines(other: string | undefined, named: string | undefined) {
  const chosen = Object.entries(scenarios).filter(([name]) => named === undefined || name.includes(named))
  const site = await startSite()
  const outcomes: Outcome[] = []
  try {
    for (const [scenario, impaired] of chosen) {
      for (const [name, program] of [
        ['before', other],
        ['after', undefined],
      ] as const) {
        if (name === 'before' && program === undefined) continue
        await using engine = await startEmbedded(program)
        const outcome = await play(engine, site.url, scenario, impaired)
        outcomes.push({ ...outcome, engine: other === undefined ? 'this version' : name })
        console.log(`  ${scenario}, ${name}: ${outcome.sizes}`)
      }
    }
  } finally {
    site.close()
  }
  printTable('A viewer on a bad line', [
    ['line', 'engine', 'freezes', 'video stands', 'and is shown as paused', 'audio packets lost', 'sound concealed'],
    ...outcomes.map((outcome) => [
      outcome.scenario,
      outcome.engine,
      `${outcome.freezes} (${outcome.frozenSeconds.toFixed(1)} s)`,
      `${(outcome.stillMs / 1000).toFixed(1)} s`,
      `${(outcome.pausedMs / 1000).toFixed(1)} s`,
      `${outcome.lost} of ${outcome.packets}`,
      `${Math.round(outcome.concealedMs)} ms`,
    ]),
  ])
}

async function play(engine: RoomEngine, site: string, scenario: string, impaired: Impaired): Promise<Outcome> {
  const browser = await launchBrowser({ fakeDevices: true })
  const lines: Line[] = []
  try {
    const enter = async (identity: string) => {
      const page = await browser.newPage()
      const line = await impairLine(page)
      lines.push(line)
      await page.goto(site)
      const token = engine.token(scenario, identity)
      await page.evaluate(([url, text]) => media.room.connect(url, text), [engine.url, token] as const)
      return { page, line }
    }
    const sender = await enter('sender')
    const viewer = await enter('viewer')
    await sender.page.evaluate(async () => {
      const { localParticipant } = media.room
      await localParticipant.setMicrophoneEnabled(true)
      await localParticipant.setCameraEnabled(true, { resolution: { width: 1280, height: 720 } })
    })
    await untilSteady(viewer.page)
    const { line } = impaired.who === 'viewer' ? viewer : sender
    const samples: Sample[] = []
    const watch = async (forMs: number) => {
      const endMs = performance.now() + forMs
      while (performance.now() < endMs) {
        samples.push({ ...(await readSample(viewer.page)), atMs: performance.now() })
        await sleep(sampleMs)
      }
    }
    await watch(1000)
    const isDown = impaired.who === 'viewer'
    if (isDown || impaired.both) line.setDown(impaired.condition)
    if (!isDown || impaired.both) line.setUp(impaired.condition)
    const impairedMs = performance.now()
    await watch(impaired.limitedMs ?? defaultLimitedMs)
    const clear = { bitsPerSecond: Number.POSITIVE_INFINITY, loss: 0, cut: false }
    line.setDown(clear)
    line.setUp(clear)
    await watch(freedMs)
    return { scenario, engine: '', ...summarize(samples, impairedMs) }
  } finally {
    for (const line of lines) line.close()
    await browser.close()
  }
}

/** Until the viewer has the largest picture; a busy machine may not encode it. */
async function untilSteady(page: Page): Promise<void> {
  const endMs = performance.now() + steadyLimitMs
  while (performance.now() < endMs && (await readSample(page)).width < 1280) await sleep(sampleMs)
  await sleep(4000)
}

const readSample = (page: Page): Promise<Sample> =>
  page.evaluate(async () => {
    const { room } = media
    const publications = [...(room.remoteParticipants.get('sender')?.trackPublications.values() ?? [])]
    const reports = await Promise.all(
      publications.map(async (publication) => {
        const report = await publication.track?.receiver?.getStats()
        return {
          paused: Object(publication.track).streamState === 'paused',
          inbound: [...(report?.values() ?? [])].find(({ type }) => type === 'inbound-rtp'),
        }
      }),
    )
    const video = reports.find(({ inbound }) => inbound?.kind === 'video')
    const audio = reports.find(({ inbound }) => inbound?.kind === 'audio')?.inbound
    const {
      frameWidth = 0,
      frameHeight = 0,
      framesDecoded = 0,
      freezeCount = 0,
      totalFreezesDuration = 0,
    } = video?.inbound ?? {}
    const { packetsLost = 0, packetsReceived = 0, concealedSamples = 0, silentConcealedSamples = 0 } = audio ?? {}
    return {
      atMs: 0,
      width: frameWidth,
      height: frameHeight,
      frames: framesDecoded,
      freezes: freezeCount,
      frozenSeconds: totalFreezesDuration,
      isPaused: video?.paused ?? false,
      lost: packetsLost,
      received: packetsReceived,
      concealed: concealedSamples - silentConcealedSamples,
    }
  })

function summarize(samples: readonly Sample[], impairedMs: number): Omit<Outcome, 'scenario' | 'engine'> {
  const grown = (name: 'freezes' | 'frozenSeconds' | 'lost' | 'received' | 'concealed') =>
    samples.reduce((sum, sample, at) => {
      const more = sample[name] - (samples[at - 1]?.[name] ?? sample[name])
      return sum + (name === 'lost' ? more : Math.max(0, more))
    }, 0)
  const still = { stillMs: 0, pausedMs: 0 }
  let lastFrameMs = samples[0]?.atMs ?? 0
  let pausedMs = 0
  for (const [at, sample] of samples.entries()) {
    const before = samples[at - 1] ?? sample
    if (sample.isPaused) pausedMs += sample.atMs - before.atMs
    const isLast = at === samples.length - 1
    if (sample.frames === before.frames && !isLast) continue
    const gapMs = sample.atMs - lastFrameMs
    if (gapMs >= minGapMs) {
      still.stillMs += gapMs
      still.pausedMs += Math.min(pausedMs, gapMs)
    }
    lastFrameMs = sample.atMs
    pausedMs = 0
  }
  const sizes = samples.flatMap(({ width, height, atMs }, at) =>
    at > 0 && width === samples[at - 1]?.width
      ? []
      : [`${width}×${height} at ${((atMs - impairedMs) / 1000).toFixed(1)} s`],
  )
  return {
    freezes: grown('freezes'),
    frozenSeconds: grown('frozenSeconds'),
    ...still,
    lost: grown('lost'),
    packets: grown('lost') + grown('received'),
    concealedMs: grown('concealed') / samplesPerMs,
    sizes: sizes.join(', '),
  }
}
