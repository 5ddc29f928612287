import { dayMs } from './calendar-day.ts'
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
  recurs: { kind: 'at'; onsetsWallMs: readonly number[] } | { kind: 'yearly'; on: YearlyDay }
}

type Onset = Transition & { kind: Observance['kind']; wallMs: number; year: number }

/** All that is known of a zone's future without a rule lies before this year (Morocco's went to 2087). */
const settledYear = 2090
/** What has been the same for so many years is a rule without an end: weekdays and dates meet anew every 28. */
const yearsLookedAhead = 30
/** Spring and autumn are at most so far apart: a clock that goes back later was not put forward for a summer. */
const maxSummerMs = 330 * dayMs
/** Before the span, so that every reading of its first wall clock time has an observance. */
const marginMs = 2 * dayMs
const epoch = { year: 1970, ms: 0 }

/**
 * The observances of a zone that calendars need for the dates from `from` to `until` (null: without an end), in order.
 * What the zone does every year from some year on is said as a rule, everything else as dates, up to the end. A rule
 * that was given up is dates, too: not every reader takes its UNTIL as RFC 5545, 3.3.10 wants it written, in UTC.
 *
 * @throws RangeError when the zone is none
 */
export function observancesOf(timeZone: string, from: Date, until: Date | null): Observance[] {
  const fromMs = from.getTime() - marginMs
  const untilMs = until === null ? Number.POSITIVE_INFINITY : until.getTime() + marginMs
  const latestYear = Math.max(from.getUTCFullYear(), until?.getUTCFullYear() ?? 0, settledYear)
  const horizonYear = latestYear + yearsLookedAhead
  const onsets = onsetsOf(timeZone, fromMs, Date.UTC(horizonYear, 0))
  if (onsets[0] === undefined || onsets[0].atMs > fromMs) onsets.unshift(sinceEver(timeZone, fromMs))

  const alike = Map.groupBy(onsets, ({ kind, offsetFromMs, offsetToMs, wallMs }) =>
    [kind, offsetFromMs, offsetToMs, wallMs % dayMs, new Date(wallMs).getUTCDay()].join(),
  )
  const runs = [...alike.values()].map((group) => lastRunOf(group, horizonYear))
  const byRules = new Set(runs.flat())
  const inTime = ({ atMs }: Onset) => atMs <= untilMs
  const observances = [
    ...explicitly(onsets.filter((onset) => !byRules.has(onset) && inTime(onset))),
    ...runs.filter((run) => run.some(inTime)).flatMap(byRule),
  ].sort((one, other) => one.firstOnsetWallMs - other.firstOnsetWallMs)
  // Summer time without any other is what is standard here; some readers refuse what is never standard.
  const isEverStandard = observances.some(({ kind }) => kind === 'standard')
  return isEverStandard ? observances : observances.map((observance) => ({ ...observance, kind: 'standard' }))
}

function onsetsOf(timeZone: string, fromMs: number, untilMs: number): Onset[] {
  const inEffect = transitionInEffect(timeZone, fromMs)
  // What comes after the last one says what it was for.
  const transitions = transitionsBetween(timeZone, inEffect?.atMs ?? fromMs, untilMs + maxSummerMs)
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
  next.atMs - transition.atMs <= maxSummerMs

/** A zone without an earlier transition: its offset, from a time that lies before all dates that are asked for. */
function sinceEver(timeZone: string, fromMs: number): Onset {
  const offsetMs = offsetAt(timeZone, fromMs)
  const yearBefore = new Date(fromMs).getUTCFullYear() - 1
  const wallMs = yearBefore >= epoch.year ? epoch.ms : Date.UTC(yearBefore, 0)
  const kind = 'standard' as const
  return { kind, atMs: wallMs - offsetMs, offsetFromMs: offsetMs, offsetToMs: offsetMs, wallMs, year: 0 }
}

/** Of onsets of one kind, weekday and time of day those at the end that one rule names each year; none if it has ended. */
function lastRunOf(onsets: readonly Onset[], horizonYear: number): readonly Onset[] {
  if (onsets.at(-1)?.year !== horizonYear - 1) return []
  const first = onsets.findIndex((_, place) => areOneRun(onsets.slice(place)))
  return onsets.slice(first)
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

function byRule(run: readonly Onset[]): Observance[] {
  const days = yearlyDaysOf(run.map(({ wallMs }) => wallMs)) ?? []
  return days.flatMap((on) => {
    const first = run.find(({ wallMs }) => new Date(wallMs).getUTCMonth() + 1 === on.month)
    if (first === undefined) return []
    return [{ ...changeOf(first), firstOnsetWallMs: first.wallMs, recurs: { kind: 'yearly' as const, on } }]
  })
}

const changeOf = ({ kind, offsetFromMs, offsetToMs }: Onset) => ({ kind, offsetFromMs, offsetToMs })
