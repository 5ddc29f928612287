import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { occurrences, type Series } from '../recurrence/recurrence.ts'
import { type CancellationPlan, heldSeries, passedWhileCancelled, planCancellation } from './cancellation.ts'

const hourMs = 60 * 60 * 1000
/** An instant of January 2030: the 7th is a Monday. */
const at = (text: string) => new Date(`2030-01-${text}Z`)
const monday = at('07T09:00:00')
const tuesday = at('08T09:00:00')
const wednesday = at('09T09:00:00')

const single: Series = {
  startsAt: monday,
  durationMs: hourMs,
  timeZone: 'UTC',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
}
const open: Series = { ...single, rule: { repeat: 'daily', interval: 1 } }
const three: Series = { ...open, endsBy: wednesday }
const without = (series: Series, ...cancelled: Date[]): Series => ({ ...series, cancelled })

const over = (overAt: Date, cancelledDate: Date | null = null): CancellationPlan => ({
  kind: 'end',
  cancelledDate,
  overAt,
})
const cancelDate = (occurrence: Date): CancellationPlan => ({ kind: 'cancel-date', occurrence })
const nothing: CancellationPlan = { kind: 'nothing-left-to-do' }
const none: CancellationPlan = { kind: 'no-such-occurrence' }
const tooLate: CancellationPlan = { kind: 'occurrence-over' }
const begun: CancellationPlan = { kind: 'occurrence-begun' }
const allOver: CancellationPlan = { kind: 'all-over' }

type Case = readonly [string, Series, 'current' | 'following' | 'all', Date | undefined, Date, CancellationPlan]
const before = at('01T00:00:00')
const mondayEnd = at('07T10:00:00')
const tuesdayEnd = at('08T10:00:00')
const wednesdayEnd = at('09T10:00:00')
const later = at('20T00:00:00')

const cases: readonly Case[] = [
  // Not recurring: `current` and `all` both cancel it, before, during and after.
  ...(['current', 'following', 'all'] as const).flatMap((extent): Case[] => [
    ['a single meeting ahead', single, extent, undefined, before, over(before)],
    ['a single meeting that runs', single, extent, undefined, at('07T09:30:00'), over(at('07T09:30:00'))],
    ['a single meeting in the past', single, extent, undefined, later, over(later)],
    ['a single meeting, named by its start', single, extent, monday, before, over(before)],
  ]),
  [
    'a single meeting, named by its start, a second before its end',
    single,
    'current',
    monday,
    at('07T09:59:59'),
    over(at('07T09:59:59')),
  ],
  ['a single meeting, named by its start, at its end', single, 'current', monday, mondayEnd, tooLate],
  ['a single meeting in the past, the occurrence ignored', single, 'all', monday, later, over(later)],
  ['a single meeting, a wrong occurrence', single, 'current', tuesday, before, none],
  ['a single meeting, a wrong occurrence ignored', single, 'all', tuesday, before, over(before)],

  // `current` without an occurrence: the earliest one that has not ended, even if it is running.
  ['long before', three, 'current', undefined, before, cancelDate(monday)],
  ['a second before the start', three, 'current', undefined, at('07T08:59:59'), cancelDate(monday)],
  ['at the start', three, 'current', undefined, monday, cancelDate(monday)],
  ['a second after the start', three, 'current', undefined, at('07T09:00:01'), cancelDate(monday)],
  ['a second before the end', three, 'current', undefined, at('07T09:59:59'), cancelDate(monday)],
  ['at the end', three, 'current', undefined, mondayEnd, cancelDate(tuesday)],
  ['a second after the end', three, 'current', undefined, at('07T10:00:01'), cancelDate(tuesday)],
  ['the next one is skipped already', without(three, monday), 'current', undefined, before, cancelDate(tuesday)],
  ['a series without an end', open, 'current', undefined, later, cancelDate(at('20T09:00:00'))],

  // The last one left, after held ones: the meeting keeps its history.
  ['the last one, a second before its start', three, 'current', undefined, at('09T08:59:59'), cancelDate(wednesday)],
  ['the last one, at its start', three, 'current', undefined, wednesday, cancelDate(wednesday)],
  ['the last one, a second before its end', three, 'current', undefined, at('09T09:59:59'), cancelDate(wednesday)],
  [
    'the last one, after a held one and a skipped one',
    without(three, tuesday),
    'current',
    undefined,
    at('09T00:00:00'),
    cancelDate(wednesday),
  ],

  // The only one left, none having been held: the meeting is cancelled.
  ['all others are skipped', without(three, monday, wednesday), 'current', undefined, before, over(before, tuesday)],
  [
    'the only one, while it runs',
    without(three, monday, wednesday),
    'current',
    undefined,
    at('08T09:59:59'),
    over(at('08T09:59:59'), tuesday),
  ],

  // None is left.
  ['the last one, at its end', three, 'current', undefined, wednesdayEnd, allOver],
  ['a series in the past', three, 'current', undefined, later, allOver],
  [
    'a series in the past whose last ones are skipped',
    without(three, tuesday, wednesday),
    'current',
    undefined,
    later,
    allOver,
  ],

  // `current` with an occurrence: that one.
  ['a later one is named', three, 'current', wednesday, before, cancelDate(wednesday)],
  ['the next one is named', three, 'current', monday, before, cancelDate(monday)],
  [
    'one of a series without an end is named',
    open,
    'current',
    at('31T09:00:00'),
    before,
    cancelDate(at('31T09:00:00')),
  ],
  ['a name a second before an occurrence', three, 'current', at('08T08:59:59'), before, none],
  ['a name a second after an occurrence', three, 'current', at('08T09:00:01'), before, none],
  ['a name before the series', three, 'current', at('06T09:00:00'), before, none],
  ['a name after the series', three, 'current', at('10T09:00:00'), before, none],
  ['the named one runs', three, 'current', monday, at('07T09:59:59'), cancelDate(monday)],
  ['the named one ends at this moment', three, 'current', monday, mondayEnd, tooLate],
  ['the named one ended long ago', three, 'current', monday, later, tooLate],
  ['the named one is skipped already', without(three, tuesday), 'current', tuesday, before, nothing],
  [
    'the named one is skipped already, and the next one stays',
    without(three, monday),
    'current',
    monday,
    before,
    nothing,
  ],
  ['the named one was skipped and is over', without(three, monday), 'current', monday, later, tooLate],
  [
    'the named one is the only one left',
    without(three, monday, tuesday),
    'current',
    wednesday,
    before,
    over(before, wednesday),
  ],
  [
    'the named one is the last ahead, while another runs',
    three,
    'current',
    wednesday,
    at('08T09:59:59'),
    cancelDate(wednesday),
  ],
  ['the named one is the last ahead, after the others', three, 'current', wednesday, tuesdayEnd, cancelDate(wednesday)],

  // `all`: a running occurrence is held to its end and kept; later ones are cancelled.
  ['all, long before', three, 'all', undefined, before, over(before)],
  ['all, a second before the start', three, 'all', undefined, at('07T08:59:59'), over(at('07T08:59:59'))],
  ['all, at the start', three, 'all', undefined, monday, over(mondayEnd)],
  ['all, while one runs', three, 'all', undefined, at('07T09:59:59'), over(mondayEnd)],
  ['all, at the end of one', three, 'all', undefined, mondayEnd, over(mondayEnd)],
  ['all, between two', three, 'all', undefined, at('08T08:59:59'), over(mondayEnd)],
  ['all, the second at its start', three, 'all', undefined, tuesday, over(tuesdayEnd)],
  [
    'all, while a skipped one would run',
    without(three, monday),
    'all',
    undefined,
    at('07T09:30:00'),
    over(at('07T09:30:00')),
  ],
  [
    'all, after a held one, while a skipped one would run',
    without(three, tuesday),
    'all',
    undefined,
    at('08T09:30:00'),
    over(mondayEnd),
  ],
  ['all of a series in the past', three, 'all', undefined, later, over(wednesdayEnd)],
  ['all of a running series without an end', open, 'all', undefined, later, over(at('19T10:00:00'))],
  ['all of a series without an end, before its start', open, 'all', undefined, before, over(before)],
  ['all, the named occurrence ignored', three, 'all', at('31T00:00:00'), at('07T10:30:00'), over(mondayEnd)],
]
for (const [name, series, extent, occurrence, now, plan] of cases) {
  test(`cancelling ${extent}: ${name} (${now.toISOString()})`, () =>
    assert.deepEqual(planCancellation(series, null, { extent, occurrence }, now), plan))
}

test('a second cancellation changes nothing', () => {
  for (const series of [single, three, open]) {
    for (const extent of ['current', 'following', 'all'] as const) {
      for (const occurrence of [undefined, monday, at('31T00:00:00')]) {
        for (const now of [before, monday, later]) {
          assert.deepEqual(planCancellation(series, at('07T12:00:00'), { extent, occurrence }, now), nothing)
        }
      }
    }
  }
})

const overlapping: Series = {
  ...open,
  changed: [
    // Wednesday before Tuesday, which lasts until noon.
    {
      originalStart: wednesday,
      times: { startsAt: at('08T10:00:00'), endsAt: at('08T10:30:00') },
      topic: null,
      description: null,
      location: null,
    },
    {
      originalStart: tuesday,
      times: { startsAt: at('08T09:00:00'), endsAt: at('08T12:00:00') },
      topic: null,
      description: null,
      location: null,
    },
  ],
}
/** The plan, with the dates that the series keeps. */
const followingCases: readonly [string, Series, Date | undefined, Date, CancellationPlan | readonly Date[]][] = [
  ['the second of three', three, tuesday, before, [monday]],
  ['the last of three', three, wednesday, before, [monday, tuesday]],
  ['a date of a series without an end', open, wednesday, before, [monday, tuesday]],
  ['a cancelled date', without(three, wednesday), wednesday, before, [monday, tuesday]],
  ['the first date', three, monday, before, over(before)],
  ['no date', three, undefined, before, over(before)],
  ['the second, the first being cancelled', without(three, monday), tuesday, before, over(before)],
  ['the second, while the first is running', three, tuesday, at('07T09:59:59'), [monday]],
  ['the second, once the first has ended', three, tuesday, mondayEnd, over(mondayEnd)],
  ['the second, while it is running', three, tuesday, at('08T09:59:59'), over(tuesdayEnd)],
  ['the second, once it has ended', three, tuesday, tuesdayEnd, tooLate],
  ['another time', three, at('08T09:00:01'), before, none],
  ['the date after the last one', three, at('10T09:00:00'), before, none],
  ['a moved date, by its new start', overlapping, at('08T10:00:00'), before, [monday, tuesday]],
  [
    'a moved date that has not begun, during the one before',
    overlapping,
    wednesday,
    at('08T09:59:59'),
    [monday, tuesday],
  ],
  ['a moved date that has begun, during the one before', overlapping, wednesday, at('08T10:00:00'), begun],
]
for (const [name, series, occurrence, now, expected] of followingCases) {
  test(`cancelling following: ${name} (${now.toISOString()})`, () => {
    const plan = planCancellation(series, null, { extent: 'following', occurrence }, now)
    if (plan.kind !== 'shorten') return assert.deepEqual(plan, expected)
    const kept = [...occurrences(plan.before)].filter(({ cancelled }) => !cancelled)
    assert.deepEqual(
      kept.map(({ originalStart }) => originalStart),
      expected,
    )
  })
}

const held: readonly (readonly [string, Series, Date, readonly Date[]])[] = [
  ['cancelled ahead', three, before, []],
  ['a second before the start', three, at('07T08:59:59'), []],
  ['at the start', three, monday, [monday]],
  ['between two', three, at('08T08:59:59'), [monday]],
  ['after the last', three, later, [monday, tuesday, wednesday]],
  ['a series without an end', open, tuesday, [monday, tuesday]],
  ['a skipped occurrence is not held', without(three, monday), tuesday, [tuesday]],
]
for (const [name, series, cancelledAt, starts] of held) {
  test(`held: ${name}`, () => {
    const kept = heldSeries(series, cancelledAt)
    assert.ok(kept !== undefined)
    const found = [...occurrences(kept)].filter(({ cancelled }) => !cancelled).map(({ startsAt }) => startsAt)
    assert.deepEqual(found, starts)
  })
}

const passed: readonly (readonly [string, Series, cancelled: Date, now: Date, starts: readonly Date[]])[] = [
  ['cancelled a second before a date', three, at('07T08:59:59'), later, [monday, tuesday, wednesday]],
  ['cancelled at its start, which holds it', three, monday, later, [tuesday, wednesday]],
  ['a second before the end of a date', three, monday, at('08T09:59:59'), []],
  ['at the end of a date', three, monday, at('08T10:00:00'), [tuesday]],
  ['a series without an end', open, tuesday, at('10T09:00:00'), [wednesday]],
  ['a date that was cancelled before', without(three, tuesday), before, later, [monday, wednesday]],
]
for (const [name, series, cancelledAt, now, starts] of passed) {
  test(`passed while cancelled: ${name}`, () => {
    assert.deepEqual(passedWhileCancelled(series, cancelledAt, now), starts)
  })
}

test('a date that was moved passed at its own times, and is named by its original start', () => {
  const times = { startsAt: at('08T20:00:00'), endsAt: at('08T20:30:00') }
  const moved = {
    ...three,
    changed: [{ originalStart: tuesday, times, topic: null, description: null, location: null }],
  }
  assert.deepEqual(passedWhileCancelled(moved, monday, at('08T20:29:59')), [])
  assert.deepEqual(passedWhileCancelled(moved, monday, at('08T20:30:00')), [tuesday])
  assert.deepEqual(passedWhileCancelled(moved, at('08T20:00:00'), at('08T20:30:00')), [])
})

test('a cancelled series with a count keeps the count only if it was over', () => {
  const counted: Series = { ...three, rule: { repeat: 'daily', interval: 1, count: 3 } }
  const whenCancelled = (at: Date) => {
    const kept = heldSeries(counted, at)
    return [kept?.rule.count, kept?.endsBy]
  }
  assert.deepEqual(whenCancelled(tuesday), [undefined, tuesday])
  assert.deepEqual(whenCancelled(wednesday), [undefined, wednesday])
  assert.deepEqual(whenCancelled(new Date(wednesday.getTime() + 1000)), [3, wednesday])
})

test('a cancelled single meeting keeps no occurrence, even if it was held', () => {
  assert.equal(heldSeries(single, before), undefined)
  assert.equal(heldSeries(single, later), undefined)
})

const momentMs = fc.integer({ min: -2 * 24, max: 16 * 24 }).map((hours) => hours * hourMs + monday.getTime())
const anySeries = fc
  .record({
    interval: fc.integer({ min: 1, max: 3 }),
    days: fc.array(fc.constantFrom(0, 1), { minLength: 7, maxLength: 7 }).filter((days) => days.includes(1)),
    weekly: fc.boolean(),
    durationMs: fc.integer({ min: 1, max: 24 }).map((hours) => hours * hourMs),
    timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia'),
    length: fc.integer({ min: 0, max: 14 }),
    skips: fc.uniqueArray(fc.nat({ max: 14 }), { maxLength: 5 }),
  })
  .map(({ interval, days, weekly, durationMs, timeZone, length, skips }): Series => {
    const rule: Series['rule'] = weekly
      ? { repeat: 'weekly', interval, daysOfWeek: days }
      : { repeat: 'daily', interval }
    const endsBy = new Date(monday.getTime() + length * 24 * hourMs)
    const series: Series = { startsAt: monday, durationMs, timeZone, rule, endsBy, cancelled: [], changed: [] }
    const starts = [...occurrences(series)].map(({ startsAt }) => startsAt)
    return { ...series, cancelled: starts.filter((_, index) => skips.includes(index)) }
  })

test('repeated `current` cancels the occurrences one by one in order, and the meeting where none was held', () => {
  fc.assert(
    fc.property(anySeries, momentMs, (series, nowMs) => {
      const now = new Date(nowMs)
      const all = [...occurrences(series)].filter(({ cancelled }) => !cancelled)
      const ahead = all.filter(({ endsAt }) => endsAt > now).map(({ startsAt }) => startsAt)
      const taken: Date[] = []
      for (let step = 0; step <= ahead.length; step++) {
        const current = { ...series, cancelled: [...series.cancelled, ...taken] }
        const plan = planCancellation(current, null, { extent: 'current' }, now)
        if (plan.kind === 'cancel-date') taken.push(plan.occurrence)
        else if (plan.kind === 'end') {
          assert.ok(
            plan.cancelledDate !== null && ahead.length === all.length,
            'only a meeting without history is cancelled',
          )
          taken.push(plan.cancelledDate)
          break
        } else {
          assert.deepEqual([plan, step], [allOver, ahead.length])
          assert.ok(ahead.length < all.length || all.length === 0)
        }
      }
      assert.deepEqual(taken, ahead)
    }),
    { numRuns: 500 },
  )
})

test('repeated `current` with occurrences in any order cancels each once', () => {
  fc.assert(
    fc.property(anySeries, momentMs, fc.nat(), (series, nowMs, turn) => {
      const now = new Date(nowMs)
      const all = [...occurrences(series)].filter(({ cancelled }) => !cancelled)
      const ahead = all.filter(({ endsAt }) => endsAt > now).map(({ startsAt }) => startsAt)
      const hasHistory = ahead.length < all.length
      const order = [...ahead.slice(turn % (ahead.length + 1)), ...ahead.slice(0, turn % (ahead.length + 1))]
      for (const [index, occurrence] of order.entries()) {
        const current = { ...series, cancelled: [...series.cancelled, ...order.slice(0, index)] }
        const plan = planCancellation(current, null, { extent: 'current', occurrence }, now)
        const isOnly = index === order.length - 1 && !hasHistory
        assert.deepEqual(plan, isOnly ? over(now, occurrence) : cancelDate(occurrence))
      }
    }),
    { numRuns: 500 },
  )
})

test('cancelling an occurrence and all that follow keeps the earlier ones as they are, or ends the series', () => {
  fc.assert(
    fc.property(anySeries, momentMs, fc.nat({ max: 20 }), (series, nowMs, index) => {
      const now = new Date(nowMs)
      const occurrence = [...occurrences(series, now).take(index + 1)].at(-1)?.originalStart
      fc.pre(occurrence !== undefined)
      const plan = planCancellation(series, null, { extent: 'following', occurrence }, now)
      const kept = [...occurrences(series).take(500)].filter(({ originalStart }) => originalStart < occurrence)
      if (kept.some(({ cancelled, endsAt }) => !cancelled && endsAt > now)) {
        assert.ok(plan.kind === 'shorten' && plan.occurrence.getTime() === occurrence.getTime())
        assert.deepEqual([...occurrences(plan.before)], kept)
      } else assert.equal(plan.kind, 'end')
    }),
    { numRuns: 500 },
  )
})

test('a cancelled series is over when its last held occurrence ends', () => {
  fc.assert(
    fc.property(anySeries, momentMs, fc.constantFrom('current', 'all'), (series, nowMs, extent) => {
      const now = new Date(nowMs)
      const plan = planCancellation(series, null, { extent }, now)
      if (plan.kind !== 'end') return
      const kept = [...occurrences(series)].filter(
        ({ startsAt, cancelled }) =>
          !cancelled && startsAt <= now && startsAt.getTime() !== plan.cancelledDate?.getTime(),
      )
      assert.deepEqual(plan.overAt, kept.at(-1)?.endsAt ?? now)
      if (extent === 'current') assert.ok(!kept.some(({ endsAt }) => endsAt > now), 'it cancelled the running one')
    }),
    { numRuns: 500 },
  )
})

test('a cancelled series keeps the occurrences that had begun, wherever a change had moved them', () => {
  const to = (originalStart: Date, startsAt: Date) => ({
    originalStart,
    times: { startsAt, endsAt: new Date(startsAt.getTime() + hourMs) },
    topic: null,
    description: null,
    location: null,
  })
  const held = (changed: Series['changed'], cancelledAt: Date) => {
    const rest = heldSeries({ ...open, changed }, cancelledAt)
    assert.ok(rest)
    return [...occurrences(rest)].filter(({ cancelled }) => !cancelled).map(({ startsAt }) => startsAt)
  }
  const [noon, monday11] = [at('08T12:00:00'), at('07T11:00:00')]
  assert.deepEqual(held([to(tuesday, noon)], noon), [monday, noon])
  assert.deepEqual(held([to(tuesday, noon)], at('08T11:59:59')), [monday], 'it had not begun')
  assert.deepEqual(held([to(tuesday, monday11)], monday11), [monday, monday11], 'it was held before its original')
  assert.deepEqual(held([to(wednesday, monday11)], monday11), [monday, monday11], 'and the one between was not')
})

test('an occurrence is cancelled by its original start or by the start that it has', () => {
  const noon = at('08T12:00:00')
  const changed = [
    {
      originalStart: tuesday,
      times: { startsAt: noon, endsAt: at('08T13:00:00') },
      topic: null,
      description: null,
      location: null,
    },
  ]
  const plan = (occurrence: Date | undefined, now: Date) =>
    planCancellation({ ...open, changed }, null, { extent: 'current', occurrence }, now)
  assert.deepEqual(plan(tuesday, before), cancelDate(tuesday))
  assert.deepEqual(plan(noon, before), cancelDate(tuesday))
  assert.deepEqual(plan(undefined, at('08T10:30:00')), cancelDate(tuesday), 'the next one')
  assert.deepEqual(plan(tuesday, at('08T12:59:59')), cancelDate(tuesday))
  assert.deepEqual(plan(tuesday, at('08T13:00:00')), tooLate)
})
