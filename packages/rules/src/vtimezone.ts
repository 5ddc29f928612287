import { DAY_MS } from './calendar-day.ts'
import { offsetAt, type Transition, transitionInEffect, transitionsBetween } from './vtimezone-transitions.ts'
import { type YearlyDay, yearlyDaysOf } from './vtimezone-yearly.ts'

export type { YearlyDay } from './vtimezone-yearly.ts'

/**
 * A STANDARD or DAYLIGHT part of a VTIMEZONE (RFC 5545, 3.6.5). Onsets are what the wall clock shows just before it is
 * changed, in milliseconds from 1970-01-01T00:00 on that wall (see wall-clock.ts).
 */
export type Observance = {
  kind: 'standard' | 'daylight'
  offsetFromMs: number
  offsetToMs: number
  firstOnsetWallMs: number
  recurs:
    | { kind: 'at'; onsetsWallMs: readonly number[] }
    /** `untilMs` is the instant of the last onset; null: there is no last. */
    | { kind: 'yearly'; on: YearlyDay; untilMs: number | null }
}

type Onset = Transition & { kind: Observance['kind']; wallMs: number; year: number }

/** What still holds when it has been the same for so many years is a rule without an end. */
const YEARS_LOOKED_AHEAD = 60
/** Two years may be alike by chance. */
const SHORTEST_RUN_YEARS = 3
/** Spring and autumn are at most so far apart: a clock that goes back later was not put forward for a summer. */
const LONGEST_SUMMER_MS = 330 * DAY_MS
/** Before the span, so that every reading of its first wall clock time has an observance. */
const MARGIN_MS = 2 * DAY_MS
const EPOCH = { year: 1970, ms: 0 }

/**
 * The observances of a zone that calendars need for the dates from `from` to `until` (null: without an end), in order.
 * What the zone does every year is said as a rule, everything else as explicit dates, up to the end or for 60 years.
 *
 * @throws RangeError when the zone is none
 */
export function observancesOf(timeZone: string, from: Date, until: Date | null): Observance[] {
  const fromMs = from.getTime() - MARGIN_MS
  const untilMs = until === null ? Number.POSITIVE_INFINITY : until.getTime() + MARGIN_MS
  const horizonYear = Math.max(from.getUTCFullYear(), until?.getUTCFullYear() ?? 0) + YEARS_LOOKED_AHEAD
  const onsets = onsetsOf(timeZone, fromMs, Date.UTC(horizonYear, 0))
  if (onsets[0] === undefined || onsets[0].atMs > fromMs) onsets.unshift(sinceEver(timeZone, fromMs))

  const alike = Map.groupBy(onsets, ({ kind, offsetFromMs, offsetToMs, wallMs }) =>
    [kind, offsetFromMs, offsetToMs, wallMs % DAY_MS, new Date(wallMs).getUTCDay()].join(),
  )
  const runs = [...alike.values()].flatMap(runsOfYears)
  const single = runs.filter((run) => run.length < SHORTEST_RUN_YEARS).flat()
  const yearly = runs.filter((run) => run.length >= SHORTEST_RUN_YEARS)
  const inTime = (onset: Onset | undefined) => onset !== undefined && onset.atMs <= untilMs
  return [
    ...explicitly(single.filter(inTime)),
    ...yearly.filter(([first]) => inTime(first)).flatMap((run) => byRule(run, horizonYear)),
  ].sort((one, other) => one.firstOnsetWallMs - other.firstOnsetWallMs)
}

function onsetsOf(timeZone: string, fromMs: number, untilMs: number): Onset[] {
  const inEffect = transitionInEffect(timeZone, fromMs)
  // What comes after the last one says what it was for.
  const transitions = transitionsBetween(timeZone, inEffect?.atMs ?? fromMs, untilMs + LONGEST_SUMMER_MS)
  const onsets = transitions.map((transition, place): Onset => {
    const wallMs = transition.atMs + transition.offsetFromMs
    const kind = isForSummer(transition, transitions[place + 1]) ? 'daylight' : 'standard'
    return { ...transition, kind, wallMs, year: new Date(wallMs).getUTCFullYear() }
  })
  return onsets.filter(({ atMs }) => atMs < untilMs)
}

/**
 * Nobody tells us what is summer time, and calendars compute the same either way; people may see the word. It is what
 * is put forward and back within a year: so Ireland's winter, which its law calls the exception, is standard time.
 */
const isForSummer = (transition: Transition, next: Transition | undefined) =>
  transition.offsetToMs > transition.offsetFromMs &&
  next !== undefined &&
  next.offsetToMs < next.offsetFromMs &&
  next.atMs - transition.atMs <= LONGEST_SUMMER_MS

/** A zone without an earlier transition: its offset, from a time that lies before all dates that are asked for. */
function sinceEver(timeZone: string, fromMs: number): Onset {
  const offsetMs = offsetAt(timeZone, fromMs)
  const yearBefore = new Date(fromMs).getUTCFullYear() - 1
  const wallMs = yearBefore >= EPOCH.year ? EPOCH.ms : Date.UTC(yearBefore, 0)
  const kind = 'standard' as const
  return { kind, atMs: wallMs - offsetMs, offsetFromMs: offsetMs, offsetToMs: offsetMs, wallMs, year: 0 }
}

/** Splits onsets of one kind, weekday and time of day into stretches of years that one rule names. */
function runsOfYears(onsets: readonly Onset[]): Onset[][] {
  if (areOneRun(onsets)) return [[...onsets]]
  const runs: Onset[][] = []
  for (const onset of onsets) {
    const run = runs.at(-1)
    if (run !== undefined && areOneRun([...run, onset])) run.push(onset)
    else runs.push([onset])
  }
  return runs
}

const areOneRun = (onsets: readonly Onset[]) =>
  onsets.every(({ year }, place) => place === 0 || year === (onsets[place - 1]?.year ?? 0) + 1) &&
  yearlyDaysOf(onsets.map(({ wallMs }) => wallMs)) !== undefined

function explicitly(onsets: readonly Onset[]): Observance[] {
  const alike = Map.groupBy(onsets, ({ kind, offsetFromMs, offsetToMs }) => [kind, offsetFromMs, offsetToMs].join())
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const onsetsWallMs = group.map(({ wallMs }) => wallMs)
    return [{ ...changeOf(first), firstOnsetWallMs: first.wallMs, recurs: { kind: 'at' as const, onsetsWallMs } }]
  })
}

function byRule(run: readonly Onset[], horizonYear: number): Observance[] {
  const last = run.at(-1)
  const days = yearlyDaysOf(run.map(({ wallMs }) => wallMs)) ?? []
  return days.flatMap((on) => {
    const { month } = on
    const first = run.find(({ wallMs }) => new Date(wallMs).getUTCMonth() + 1 === month)
    if (first === undefined || last === undefined) return []
    const untilMs = last.year === horizonYear - 1 ? null : last.atMs
    return [{ ...changeOf(first), firstOnsetWallMs: first.wallMs, recurs: { kind: 'yearly' as const, on, untilMs } }]
  })
}

const changeOf = ({ kind, offsetFromMs, offsetToMs }: Onset) => ({ kind, offsetFromMs, offsetToMs })
