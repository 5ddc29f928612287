import type { BrowserContext, Page } from 'playwright-core'
import { median, ms, printTable } from './figures.ts'

/** What a person does, by the name that the table gives it. */
export type Step = readonly [name: string, act: (page: Page) => Promise<unknown>]

/** A page with what a person does on it; each repetition has a new browser context, in which nothing is cached. */
export type Visit = {
  title: string
  openContext(): Promise<BrowserContext>
  open(context: BrowserContext): Promise<Page>
  steps: readonly Step[]
}

const turnCount = 3
/** Until the browser has reported the step's last interaction. */
const reportedMs = 500
/** https://web.dev/articles/inp: of so many interactions, the slowest is left out. */
const interactionsPerOutlier = 50

/** The longest time from an input to the next paint; undefined for a step shorter than the browser reports (16 ms). */
type Turn = { slowestMs: (number | undefined)[]; inpMs: number }

/**
 * Measure the time from each input to the next paint by the Event Timing API, and the Interaction to Next Paint of the
 * whole visit as web.dev defines it.
 */
export async function benchInteractions(visit: Visit): Promise<void> {
  const turns: Turn[] = []
  for (let turn = 0; turn < turnCount; turn++) turns.push(await makeVisit(visit))
  const rows = visit.steps.map(([name], step) => {
    const each = turns.map(({ slowestMs }) => slowestMs[step] ?? 0)
    return { name, medianMs: median(each), each }
  })
  const slowest = rows.toSorted((a, b) => b.medianMs - a.medianMs)[0]
  const inp = turns.map(({ inpMs }) => inpMs)
  const cells = (name: string, medianMs: number, each: readonly number[]) => [
    name,
    write(medianMs),
    `(${each.map(write).join(', ')})`,
  ]
  printTable(`${visit.title}: from input to paint, the slowest of each step; medians of ${turnCount}`, [
    ['Step', 'Median', 'Each'],
    ...rows.map(({ name, medianMs, each }) => cells(name, medianMs, each)),
    cells(`interaction to next paint (slowest: ${slowest?.name})`, median(inp), inp),
  ])
}

const write = (value: number) => (value === 0 ? '< 16 ms' : ms(value))

async function makeVisit({ openContext, open, steps }: Visit): Promise<Turn> {
  const context = await openContext()
  try {
    await context.addInitScript(recordInteractions)
    const page = await open(context)
    const known = new Set((await readInteractions(page)).map(([id]) => id))
    const slowestMs: Turn['slowestMs'] = []
    for (const [, act] of steps) {
      await act(page)
      await page.waitForTimeout(reportedMs)
      const made = (await readInteractions(page)).filter(([id]) => !known.has(id))
      for (const [id] of made) known.add(id)
      slowestMs.push(made.length === 0 ? undefined : Math.max(...made.map(([, durationMs]) => durationMs)))
    }
    const all = (await readInteractions(page)).map(([, durationMs]) => durationMs).toSorted((a, b) => b - a)
    const count = await page.evaluate(() => Object(performance).interactionCount as number)
    return { slowestMs, inpMs: all[Math.min(all.length - 1, Math.floor(count / interactionsPerOutlier))] ?? 0 }
  } finally {
    await context.close()
  }
}

/** Evaluated in the page before its own scripts. An interaction has several events; the longest one counts. */
function recordInteractions(): void {
  const durations = new Map<number, number>()
  Object.assign(globalThis, { durationsOfInteractions: durations })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId > 0) durations.set(interactionId, Math.max(duration, durations.get(interactionId) ?? 0))
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

const readInteractions = (page: Page): Promise<[id: number, durationMs: number][]> =>
  page.evaluate(() => [...(Object(globalThis).durationsOfInteractions as Map<number, number>)])
