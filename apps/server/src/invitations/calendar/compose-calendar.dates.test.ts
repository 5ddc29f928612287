import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '@parley/rules/recurrence/recurrence'
import fc from 'fast-check'
import { datesBetween, readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { compose, invitation } from '../../../test/meetings/calendar-inputs.ts'
import { datesOfYear, randomSeries, yearMs } from '../../../test/meetings/random-series.ts'

async function datesByIcalJs(series: Series): Promise<string[]> {
  const { events } = readCalendar(await compose(invitation({ series, stamp: series.startsAt })))
  return datesBetween(events, series.startsAt, new Date(series.startsAt.getTime() + yearMs))
}

test('ical.js finds the same dates of a year as our API, in any zone, by any rule', async () => {
  const same = fc.asyncProperty(randomSeries(2060), async (series) => {
    const ours = datesOfYear(series)
    fc.pre(ours.length > 0)
    assert.deepEqual(await datesByIcalJs(series), ours)
  })
  await fc.assert(same, { numRuns: 500 })
})
