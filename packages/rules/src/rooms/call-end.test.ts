import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noExceptions, occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { extendedEnd, occurrenceAfter } from './call-end.ts'

const at = (time: string, day = '07') => new Date(`2030-01-${day}T${time}:00Z`)
const single = { occurrence: { endsAt: at('09:30') }, next: undefined }
const inSeries = (next: Date) => ({ ...single, next: { startsAt: next } })

test('extends from the announced end, or from now when it has passed', () => {
  const rows: [Date, number, Date, Date][] = [
    [at('09:30'), 15, at('09:26'), at('09:45')],
    [at('09:45'), 30, at('09:44'), at('10:15')],
    [at('09:30'), 30, at('09:40'), at('10:10')],
  ]
  for (const [announced, minutes, now, endsAt] of rows)
    assert.deepEqual(extendedEnd(announced, { ...single, minutes, now }), { endsAt, shortened: false })
})

test('extends until the next date of the series opens, a quarter of an hour before its start', () => {
  const extend = (next: Date) => extendedEnd(at('09:30'), { ...inSeries(next), minutes: 30, now: at('09:26') })
  assert.deepEqual(extend(at('09:30', '08')), { endsAt: at('10:00'), shortened: false })
  assert.deepEqual(extend(at('10:15')), { endsAt: at('10:00'), shortened: false })
  assert.deepEqual(extend(at('10:14')), { endsAt: at('09:59'), shortened: true })
  assert.deepEqual(extend(at('09:46')), { endsAt: at('09:31'), shortened: true })
  assert.equal(extend(at('09:45')), undefined)
  assert.equal(extend(at('09:30')), undefined)
})

test('extends until a day after the end of the date, when it can no longer be entered', () => {
  const before = { ...single, minutes: 15, now: at('09:10', '08') }
  assert.deepEqual(extendedEnd(at('09:30'), before), { endsAt: at('09:25', '08'), shortened: false })
  const closes = { endsAt: at('09:30', '08'), shortened: true }
  assert.deepEqual(extendedEnd(at('09:30'), { ...before, minutes: 30 }), closes)
  assert.equal(extendedEnd(closes.endsAt, before), undefined)
})

test('finds the next date that takes place, also where dates are cancelled or moved', () => {
  const daily: Series = {
    startsAt: at('09:00'),
    durationMs: 30 * 60_000,
    endsBy: at('09:00', '09'),
    timeZone: 'UTC',
    rule: { repeat: 'daily', interval: 1 },
    ...noExceptions,
  }
  const after = (series: Series, day: string) => {
    const date = occurrenceAt(series, at('09:00', day))
    assert.ok(date)
    return occurrenceAfter(series, date)?.startsAt
  }
  assert.deepEqual(after(daily, '07'), at('09:00', '08'))
  assert.equal(after(daily, '09'), undefined)
  assert.deepEqual(after({ ...daily, cancelled: [at('09:00', '08')] }, '07'), at('09:00', '09'))
  const times = { startsAt: at('11:00'), endsAt: at('11:30') }
  const moved = {
    ...daily,
    changed: [{ originalStart: at('09:00', '08'), times, topic: null, description: null, location: null }],
  }
  assert.deepEqual(after(moved, '07'), at('11:00'))
  assert.deepEqual(after(moved, '08'), at('09:00', '09'))
})
