import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Occurrence, occurrences, type Series } from '@parley/rules/recurrence'
import fc from 'fast-check'
import { datesBetween, readCalendar } from '../../../../../test/calendar-judges/read-with-ical-js.ts'
import { invitation, rules, zones } from '../../../test/calendar-inputs.ts'
import { composeCalendar } from './compose-calendar.ts'

const YEAR_MS = 366 * 24 * 3_600_000
const HOUR_MS = 3_600_000
const EARLIEST_MS = Date.UTC(2012, 0)

/** What our API answers for a year from the start. */
function oursFor(series: Series): string[] {
  const until = series.startsAt.getTime() + YEAR_MS
  const dates: string[] = []
  for (const { startsAt, endsAt, excluded } of occurrences(series) as Iterable<Occurrence>) {
    if (startsAt.getTime() > until) break
    if (!excluded) dates.push(`${startsAt.toISOString()}/${endsAt.toISOString()}`)
  }
  return dates
}

function theirsFor(series: Series): string[] {
  const { events } = readCalendar(composeCalendar(invitation({ series, stamp: series.startsAt })))
  return datesBetween(events, series.startsAt, new Date(series.startsAt.getTime() + YEAR_MS))
}

/**
 * Many within hours of a transition, on the day or some weeks before it. Not before 2012: Samoa and Tokelau left out
 * 30 December 2011, and ical.js takes a date of that day for the one before it.
 */
const startsIn = (timeZone: string) =>
  fc.integer({ min: EARLIEST_MS / 1000, max: Date.UTC(2060, 0) / 1000 }).chain((seconds) => {
    const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timeZone)
    const transition = moment.getTimeZoneTransition('next') ?? moment
    const near = fc
      .tuple(fc.integer({ min: -40, max: 2 }), fc.integer({ min: -300, max: 180 }))
      .map(([days, minutes]) => new Date(transition.epochMilliseconds + days * 24 * HOUR_MS + minutes * 60_000))
    return fc.oneof(fc.constant(new Date(seconds * 1000)), near)
  })

const cases = zones.chain((timeZone) =>
  fc
    .record({
      timeZone: fc.constant(timeZone),
      rule: rules,
      startsAt: startsIn(timeZone),
      durationMs: fc.oneof(
        fc.constant(HOUR_MS / 2),
        fc.integer({ min: 1, max: 24 * 60 }).map((minutes) => minutes * 60_000),
      ),
      endsAfterDays: fc.option(fc.integer({ min: 1, max: 700 })),
      skipped: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }),
    })
    .map(({ endsAfterDays, skipped, ...rest }): Series => {
      const endsBy =
        endsAfterDays === null ? null : new Date(rest.startsAt.getTime() + endsAfterDays * 24 * HOUR_MS + HOUR_MS)
      const whole: Series = { ...rest, endsBy, excluded: [] }
      const starts = [...occurrences(whole).take(41)].map(({ startsAt }) => startsAt)
      const excluded = skipped.flatMap((place) => starts[place] ?? [])
      return { ...whole, excluded: rest.rule.repeat === 'none' ? [] : excluded }
    }),
)

test('ical.js finds the dates of a year that our API answers, in any zone, by any rule', () => {
  const same = fc.property(cases, (series) => {
    const ours = oursFor(series)
    fc.pre(ours.length > 0)
    assert.deepEqual(theirsFor(series), ours)
  })
  fc.assert(same, { numRuns: 500 })
})
