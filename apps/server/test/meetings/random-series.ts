import { occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import fc from 'fast-check'

export const yearMs = 366 * 24 * 3_600_000
const hourMs = 3_600_000
const earliestMs = Date.UTC(2012, 0)

/** Time zones with unusual transitions, and zones without transitions. */
const unusualZones = [
  'America/New_York',
  'Europe/London',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Gaza',
  'Asia/Beirut',
  'America/Nuuk',
  'America/Santiago',
  'Etc/UTC',
  'Antarctica/Troll',
  'Asia/Jerusalem',
  'America/Havana',
  'Pacific/Chatham',
  'UTC',
  '+05:30',
  '-09:30',
  '+08:00',
]
const zones = fc.oneof(fc.constantFrom(...unusualZones), fc.constantFrom(...Intl.supportedValuesOf('timeZone')))

const someBits = (length: number) =>
  fc.array(fc.constantFrom(0, 1), { minLength: length, maxLength: length }).filter((bits) => bits.includes(1))
const interval = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 }))
const monthlyDay = fc.oneof(
  fc.record({ kind: fc.constant('date' as const), dateInMonth: fc.integer({ min: 1, max: 31 }) }),
  fc.record({ kind: fc.constant('last-day' as const) }),
  fc.record({ kind: fc.constant('weeks' as const), weeksInMonth: someBits(5), daysOfWeek: someBits(7) }),
)
const rules = fc.oneof(
  fc.record({ repeat: fc.constant('none' as const) }),
  fc.record({ repeat: fc.constant('daily' as const), interval }),
  fc.record({ repeat: fc.constant('weekly' as const), interval, daysOfWeek: someBits(7) }),
  fc.record({ repeat: fc.constant('monthly' as const), interval, on: monthlyDay }),
)

/**
 * Many starts lie within hours of a transition, on the day or some weeks before it. Not before 2012: Samoa and Tokelau
 * left out 30 December 2011, and ical.js takes a date of that day for the one before it.
 */
const startsIn = (timeZone: string, latestYear: number) =>
  fc.integer({ min: earliestMs / 1000, max: Date.UTC(latestYear, 0) / 1000 }).chain((seconds) => {
    const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timeZone)
    const transition = moment.getTimeZoneTransition('next') ?? moment
    const near = fc
      .tuple(fc.integer({ min: -40, max: 2 }), fc.integer({ min: -300, max: 180 }))
      .map(([days, minutes]) => new Date(transition.epochMilliseconds + days * 24 * hourMs + minutes * 60_000))
    return fc.oneof(fc.constant(new Date(seconds * 1000)), near)
  })

/** Series of every kind in any zone, open and bounded, with and without skipped dates. */
export const randomSeries = (latestYear: number): fc.Arbitrary<Series> =>
  zones.chain((timeZone) =>
    fc
      .record({
        timeZone: fc.constant(timeZone),
        rule: rules,
        startsAt: startsIn(timeZone, latestYear),
        durationMs: fc.oneof(
          fc.constant(hourMs / 2),
          fc.integer({ min: 1, max: 24 * 60 }).map((minutes) => minutes * 60_000),
        ),
        isCounted: fc.boolean(),
        endsAfterDays: fc.option(fc.integer({ min: 1, max: 700 })),
        skipped: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }),
      })
      .map(({ endsAfterDays, isCounted, skipped, ...rest }): Series => {
        const endsBy =
          endsAfterDays === null ? null : new Date(rest.startsAt.getTime() + endsAfterDays * 24 * hourMs + hourMs)
        const whole: Series = { ...rest, endsBy, cancelled: [], changed: [] }
        const starts = [...occurrences(whole).take(41)].map(({ startsAt }) => startsAt)
        const cancelled = skipped.flatMap((place) => starts[place] ?? [])
        if (whole.rule.repeat === 'none') return whole
        const count = isCounted && endsBy !== null ? [...occurrences(whole)].length : undefined
        return { ...whole, rule: { ...whole.rule, count }, cancelled }
      }),
  )

/** The occurrences that our API lists for a year from the start. */
export function datesOfYear(series: Series): string[] {
  const until = series.startsAt.getTime() + yearMs
  const dates: string[] = []
  for (const { startsAt, endsAt, cancelled } of occurrences(series)) {
    if (startsAt.getTime() > until) break
    if (!cancelled) dates.push(`${startsAt.toISOString()}/${endsAt.toISOString()}`)
  }
  return dates
}
