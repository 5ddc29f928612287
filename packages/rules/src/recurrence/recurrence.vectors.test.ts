import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readRule } from '../../test-vectors/rrule-text.ts'
import { occurrences, type Series } from './recurrence.ts'

type Vectors = { provenance: string; rows: string[] }

const readVectors = (name: string): Vectors =>
  JSON.parse(readFileSync(new URL(`../../test-vectors/${name}`, import.meta.url), 'utf8'))

for (const { provenance, rows } of ['dateutil.json', 'ical4j.json'].map(readVectors)) {
  test(`the starts are those of another implementation: ${provenance}`, () => {
    for (const row of rows) {
      const [rule = '', start = '', timeZone = '', ...expected] = row.split(' ')
      const startsAt = new Date(Temporal.PlainDateTime.from(start).toZonedDateTime(timeZone).epochMilliseconds)
      const series: Series = {
        startsAt,
        timeZone,
        rule: readRule(rule),
        durationMs: 0,
        endsBy: null,
        cancelled: [],
        changed: [],
      }
      assert.deepEqual(
        [...occurrences(series).take(expected.length)].map((occurrence) => occurrence.startsAt),
        expected.map((text) => new Date(text)),
        row,
      )
    }
  })
}
