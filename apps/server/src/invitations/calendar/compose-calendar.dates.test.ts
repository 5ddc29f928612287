import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '@parley/rules/recurrence/recurrence'
import fc from 'fast-check'
import { datesBetween, readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { invitation } from '../../../test/meetings/calendar-inputs.ts'
import { datesOfYear, randomSeries, yearMs } from '../../../test/meetings/random-series.ts'
import { composeCalendar } from './compose-calendar.ts'

function datesByIcalJs(series: Series): string[] {
  const { events } = readCalendar(composeCalendar(invitation({ series, stamp: series.startsAt })))
  return datesBetween(events, series.startsAt, new Date(series.startsAt.getTime() + yearMs))
}

test('ical.js finds the same dates of a year as our API, in any zone, by any rule', () => {
  const same = fc.property(randomSeries(2060), (series) => {
    const ours = datesOfYear(series)
    fc.pre(ours.length > 0)
    assert.deepEqual(datesByIcalJs(series), ours)
  })
  fc.assert(same, { numRuns: 500 })
})
