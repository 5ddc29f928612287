import { dayMs } from './calendar-day.ts'
import { offsetAt, type Transition, transitionInEffect, transitionsBetween } from './vtimezone-transitions.ts'
import { type YearlyDay, yearlyDaysOf } from './vtimezone-yearly.ts'

export type { YearlyDay } from './vtimezone-yearly.ts'

/**
 * A STANDARD or DAYLIGHT component of a VTIMEZONE (RFC 5545, 3.6.5). Onsets are wall clock times just before the
 * change, in milliseconds from 1970-01-01T00:00 on that clock (see wall-clock.ts).
 */
export type Observance = {
  kind: 'standard' | 'daylight'
  offsetFromMs: number
  offsetToMs: number
  firstOnsetWallMs: number
  recurs: { kind: 'at'; onsetsWallMs: readonly number[] } | { kind: 'yearly'; on: YearlyDay }
}

type Onset = Transition & { kind: Observance['kind']; wallMs: number; year: number }

/** All published future transitions that follow no rule lie before this year (Morocco's end in 2087). */
const lastPublishedYear = 2090
/**
 * A pattern that holds for this many years is a rule without an end: the calendar's weekdays repeat every 28 years.
 */
const yearsLookedAhead = 30
/** The longest summer time: a clock that goes back later was not put forward for a summer. */
const maxSummerMs = 330 * dayMs
/** Added before the span, so that its first wall clock time has an observance however it is read. */
const marginMs = 2 * dayMs
const epoch = { year: 1970, ms: 0 }

/**
 * List the observances that calendars need for the dates from `from` to `until` (null: without an end), in order. A
 * change that recurs every year from some year on becomes a rule; all others are listed as dates, up to the end. A rule
 * that has ended is listed as dates too, because some readers do not accept UNTIL in UTC, as RFC 5545, 3.3.10 requires.
 *
 * @throws RangeError when the zone is invalid
 */
export function observancesOf(timeZone: string, from: Date, until: Date | null): Observance[] {
  const fromMs = from.getTime() - marginMs
  const untilMs = until === null ? Number.POSITIVE_INFINITY : until.getTime() + marginMs
  const latestYear = Math.max(from.getUTCFullYear(), until?.getUTCFullYear() ?? 0, lastPublishedYear)
  const horizonYear = latestYear + yearsLookedAhead
  const onsets = onsetsOf(timeZone, fromMs, Date.UTC(horizonYear, 0))
  if (onsets[0] === undefined || onsets[0].atMs > fromMs) onsets.unshift(initialOnset(timeZone, fromMs))

  const alike = Map.groupBy(onsets, ({ kind, offsetFromMs, offsetToMs, wallMs }) =>
    [kind, offsetFromMs, offsetToMs, wallMs % dayMs, new Date(wallMs).getUTCDay()].join(),
  )
  const runs = [...alike.values()].map((group) => lastRunOf(group, horizonYear))
  const byRules = new Set(runs.flat())
  const inTime = ({ atMs }: Onset) => atMs <= untilMs
  const observances = [
    ...listObservances(onsets.filter((onset) => !byRules.has(onset) && inTime(onset))),
    ...runs.filter((run) => run.some(inTime)).flatMap(ruleObservances),
  ].sort((a, b) => a.firstOnsetWallMs - b.firstOnsetWallMs)
  // A span of summer time alone is marked as standard: some readers refuse a VTIMEZONE without STANDARD.
  const isEverStandard = observances.some(({ kind }) => kind === 'standard')
  return isEverStandard ? observances : observances.map((observance) => ({ ...observance, kind: 'standard' }))
}

function onsetsOf(timeZone: string, fromMs: number, untilMs: number): Onset[] {
  const inEffect = transitionInEffect(timeZone, fromMs)
  // Read further than `untilMs`: the next transition decides whether the last one began a summer.
  const transitions = transitionsBetween(timeZone, inEffect?.atMs ?? fromMs, untilMs + maxSummerMs)
  const onsets = transitions.map((transition, index): Onset => {
    const wallMs = transition.atMs + transition.offsetFromMs
    const kind = isForSummer(transition, transitions[index + 1]) ? 'daylight' : 'standard'
    return { ...transition, kind, wallMs, year: new Date(wallMs).getUTCFullYear() }
  })
  return onsets.filter(({ atMs }) => atMs < untilMs)
}

/**
 * Temporal does not say which offset is summer time. Calendars compute the same either way, but people may see the
 * word. A clock that is put forward and back within a year counts as summer time; Ireland's winter time, the exception
 * by law, is therefore standard time.
 */
const isForSummer = (transition: Transition, next: Transition | undefined) =>
  transition.offsetToMs > transition.offsetFromMs &&
  next !== undefined &&
  next.offsetToMs < next.offsetFromMs &&
  next.atMs - transition.atMs <= maxSummerMs

/** The onset of a zone without an earlier transition: its offset, from before all requested dates. */
function initialOnset(timeZone: string, fromMs: number): Onset {
  const offsetMs = offsetAt(timeZone, fromMs)
  const yearBefore = new Date(fromMs).getUTCFullYear() - 1
  const wallMs = yearBefore >= epoch.year ? epoch.ms : Date.UTC(yearBefore, 0)
  const kind = 'standard' as const
  return { kind, atMs: wallMs - offsetMs, offsetFromMs: offsetMs, offsetToMs: offsetMs, wallMs, year: 0 }
}

/**
 * Among onsets of one kind, weekday and time of day: the final ones that a single yearly rule covers; none if the rule
 * has ended.
 */
function lastRunOf(onsets: readonly Onset[], horizonYear: number): readonly Onset[] {
  if (onsets.at(-1)?.year !== horizonYear - 1) return []
  const first = onsets.findIndex((_, index) => areOneRun(onsets.slice(index)))
  return onsets.slice(first)
}

const areOneRun = (onsets: readonly Onset[]) =>
  onsets.every(({ year }, index) => index === 0 || year === (onsets[index - 1]?.year ?? 0) + 1) &&
  yearlyDaysOf(onsets.map(({ wallMs }) => wallMs)) !== undefined

function listObservances(onsets: readonly Onset[]): Observance[] {
  const alike = Map.groupBy(onsets, ({ kind, offsetFromMs, offsetToMs }) => [kind, offsetFromMs, offsetToMs].join())
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const onsetsWallMs = group.map(({ wallMs }) => wallMs)
    return [{ ...changeOf(first), firstOnsetWallMs: first.wallMs, recurs: { kind: 'at' as const, onsetsWallMs } }]
  })
}

function ruleObservances(run: readonly Onset[]): Observance[] {
  const days = yearlyDaysOf(run.map(({ wallMs }) => wallMs)) ?? []
  return days.flatMap((on) => {
    const first = run.find(({ wallMs }) => new Date(wallMs).getUTCMonth() + 1 === on.month)
    if (first === undefined) return []
    return [{ ...changeOf(first), firstOnsetWallMs: first.wallMs, recurs: { kind: 'yearly' as const, on } }]
  })
}

const changeOf = ({ kind, offsetFromMs, offsetToMs }: Onset) => ({ kind, offsetFromMs, offsetToMs })
