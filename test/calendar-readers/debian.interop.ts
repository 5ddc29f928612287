import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { lastEnd, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import { offsetAt } from '@parley/rules/recurrence/vtimezone-transitions'
import fc from 'fast-check'
import { CalendarBudget, mailLimits } from '../../apps/server/src/invitations/calendar/calendar-budget.ts'
import type { CalendarInput } from '../../apps/server/src/invitations/calendar/calendar-input.ts'
import { composeCalendar } from '../../apps/server/src/invitations/calendar/compose-calendar.ts'
import { compose, invitation, seriesOf } from '../../apps/server/test/meetings/calendar-inputs.ts'
import { datesOfYear, randomSeries, yearMs } from '../../apps/server/test/meetings/random-series.ts'
import { requireDebianReaders, startReaders } from './debian-readers.ts'

/** npm run test:interop: Debian's unmodified calendar readers, installed by scripts/install-interop-tools.sh. */
before(requireDebianReaders)

/** icalendar takes zones that pytz knows from there, and caches others by name, so each gets a name of its own. */
const withUnknownZone = (calendar: string, place: number) =>
  calendar.replaceAll('\r\n ', '').replaceAll(/(TZID[=:])[\w/+-]+/g, `$1Unknown/Zone${place}`)

/**
 * This version reads UNTIL with the offset of DTSTART. Where that is less than the last date's offset, it loses that
 * date.
 */
function losesLast(series: Series): boolean {
  const end = lastEnd(series)
  const offsetOf = (instantMs: number) => offsetAt(series.timeZone, instantMs)
  return end instanceof Date && offsetOf(end.getTime() - series.durationMs) > offsetOf(series.startsAt.getTime())
}

const year = (from: Date) => ({ from, until: new Date(from.getTime() + yearMs) })

test('Debian’s readers find the dates of a year that our API returns, using our VTIMEZONE only', async () => {
  await using readers = startReaders()
  // Python's zones of a VTIMEZONE end in 2037.
  for (const [place, series] of fc.sample(randomSeries(2035), { numRuns: 400, seed: 5545 }).entries()) {
    const ours = datesOfYear(series)
    if (ours.length === 0) continue
    const text = withUnknownZone(await compose(invitation({ series, stamp: series.startsAt })), place)
    const { icalendar, libical, isAllowed, errors } = await readers.read({ text, ...year(series.startsAt) })
    const theirs = losesLast(series) ? ours.slice(0, icalendar.length) : ours
    assert.ok(theirs.length >= ours.length - 1, text)
    assert.deepEqual({ icalendar, isAllowed, errors }, { icalendar: theirs, isAllowed: true, errors: 0 }, text)
    assert.deepEqual(libical, ours, text)
  }
})

test('Debian’s readers find the dates of a series whose cancelled dates are in lists, and whose last moved ones are left out', async () => {
  await using readers = startReaders()
  const daily = seriesOf({ rule: { repeat: 'daily', interval: 1 } })
  const starts = [...occurrences(daily).take(360)].map(({ originalStart }) => originalStart)
  const [cancelled, moved] = [starts.slice(0, 150), starts.slice(150, 350)]
  const laterBy = (start: Date, hours: number) => new Date(start.getTime() + hours * 3_600_000)
  const changed = moved.map((originalStart) => ({
    originalStart,
    times: { startsAt: laterBy(originalStart, 1), endsAt: laterBy(originalStart, 2) },
    topic: null,
    description: null,
    location: null,
  }))
  const budget = new CalendarBudget(mailLimits(100_000))
  const text = await composeCalendar(invitation({ series: { ...daily, cancelled, changed } }), budget)
  assert.ok(budget.omitted.dates > 10 && budget.omitted.dates < 190, `${budget.omitted.dates} left out`)
  const kept = moved.slice(0, moved.length - budget.omitted.dates)
  const shown = {
    ...daily,
    cancelled: [...cancelled, ...moved.slice(kept.length)],
    changed: changed.slice(0, kept.length),
  }
  const { icalendar, libical, isAllowed, errors } = await readers.read({ text, ...year(daily.startsAt) })
  const ours = datesOfYear(shown)
  assert.deepEqual(
    { icalendar, libical, isAllowed, errors },
    { icalendar: ours, libical: ours, isAllowed: true, errors: 0 },
  )
})

const weekly = seriesOf({ rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] } })
const messages: readonly (readonly [string, Partial<CalendarInput>])[] = [
  ['an invitation', {}],
  ['an update', { sequence: 4, reminderMinutes: 10 }],
  ['a cancelled instance', { method: 'CANCEL', status: 'CANCELLED', occurrence: new Date('2026-01-12T14:00:00Z') }],
  ['a cancelled series', { method: 'CANCEL', status: 'CANCELLED' }],
  ['a removed guest', { method: 'CANCEL' }],
  ['a published calendar', { method: 'PUBLISH', attendee: null }],
  [
    'an invitation sent on behalf of its organizer',
    { organizer: { ...invitation().organizer, sentBy: 'parley@example.org' } },
  ],
  ['a downloaded file', { method: null, attendee: null }],
]
for (const [what, changes] of messages) {
  test(`libical’s tables of RFC 5546 allow ${what}`, async () => {
    await using readers = startReaders()
    const input = invitation({ series: weekly, ...changes })
    const { isAllowed, errors, texts } = await readers.read({ text: await compose(input), ...year(input.stamp) })
    assert.deepEqual({ isAllowed, errors }, { isAllowed: true, errors: 0 })
    assert.equal(texts.method, input.method)
    assert.equal(texts.uid, input.uid)
    assert.equal(texts.sequence, input.sequence)
    assert.equal(texts.organizer, 'mailto:alice@example.org')
    assert.equal(texts.organizerName, 'Alice Test')
    assert.deepEqual(texts.attendees, input.attendee === null ? [] : ['mailto:bob@example.org'])
  })
}

test('Debian’s icalendar reads texts unchanged', async () => {
  await using readers = startReaders()
  // This version misreads a backslash right before another escape, so a space follows it.
  const letters = fc.constantFrom('\\ ', ';', ',', ':', '"', 'n', 'N', ' ', 'é', '👩‍🚀', 'x', 'मीटिंग', 'اجتماع')
  const texts = fc.tuple(fc.string({ unit: letters, minLength: 1 }), fc.array(fc.string({ unit: letters })))
  for (const [topic, lines] of fc.sample(texts, { numRuns: 300, seed: 5546 })) {
    const description = lines.join('\n')
    const text = await compose(invitation({ topic, description }))
    const read = await readers.read({ text, ...year(invitation().stamp) })
    assert.equal(read.texts.summary, topic)
    assert.equal(read.texts.description, description)
  }
})
