import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetingTexts } from '@parley/contract/meeting-fields'
import { occurrenceAt, occurrences } from '@parley/rules/recurrence/recurrence'
import { datesBetween, readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { files, read } from '../../../../../test/source/source-files.ts'
import { invitation, seriesOf } from '../../../test/meetings/calendar-inputs.ts'
import { largestMeeting } from '../../../test/meetings/largest-meeting.ts'
import {
  CalendarBudget,
  type CalendarLimits,
  feedLimits,
  fileLimits,
  mailLimits,
  maxHoldMs,
} from './calendar-budget.ts'
import type { CalendarInput } from './calendar-input.ts'
import { composeCalendar, composeFeed, spanOf, streamFeed } from './compose-calendar.ts'

/** A budget on whose clock each step takes a millisecond. */
function countingBudget(limits: CalendarLimits) {
  let nowMs = 0
  const held: number[] = []
  let since = 0
  const pace = {
    now: () => ++nowMs,
    rest: async () => {
      held.push(nowMs - since)
      since = nowMs
    },
  }
  return { budget: new CalendarBudget(limits, pace), held }
}

const bytesOf = (text: string) => Buffer.byteLength(text)
const eventsIn = (text: string) => text.split('BEGIN:VEVENT').length - 1
const unfolded = (text: string) => text.replaceAll('\r\n ', '')
const counted = (text: string, part: string) => unfolded(text).split(part).length - 1

const feedOf = (inputs: readonly CalendarInput[]) => ({
  count: inputs.length,
  spans: inputs.map(({ series }) => spanOf(series)),
  inputs,
})
const about = () => ({ name: 'Parley', refreshMs: 60_000 })

for (const [what, input, limits] of [
  ['file', largestMeeting({ method: null }), fileLimits],
  ['calendar of a mail', largestMeeting(), mailLimits(200_000)],
  ['cancellation', largestMeeting({ method: 'CANCEL', status: 'CANCELLED' }), mailLimits(200_000)],
] as const) {
  test(`the largest ${what} stays within its budget, and gives way while it is composed`, async () => {
    const { budget, held } = countingBudget(limits)
    const text = await composeCalendar(input, budget)
    assert.ok(bytesOf(text) <= limits.bytes, `${bytesOf(text)} bytes`)
    assert.ok(eventsIn(text) > 50 && eventsIn(text) <= limits.events, `${eventsIn(text)} events`)
    assert.ok(held.length >= 20, `${held.length} yields`)
    assert.ok(Math.max(...held) <= maxHoldMs + 1, `${Math.max(...held)} steps without a yield`)
    assert.equal(readCalendar(text).events.length, eventsIn(text))
  })
}

test('the description stands once in a series, whatever dates are listed beside it', async () => {
  const description = 'A long agenda. '.repeat(600)
  const { series, attendee } = largestMeeting()
  const changed = series.changed.map((change) => ({ ...change, topic: null, description: null, location: null }))
  const input = largestMeeting({ topic: 'Daily', description, attendee, series: { ...series, changed } })
  const { budget } = countingBudget({ ...fileLimits, bytes: 20_000_000, bytesOfMeeting: 20_000_000 })
  const text = await composeCalendar(input, budget)
  assert.ok(eventsIn(text) > 1_000, `${eventsIn(text)} events`)
  assert.equal(counted(text, 'A long agenda. '), 600)
  assert.deepEqual(budget.omitted, { meetings: 0, dates: 0, texts: 0 })
  // Each date says how to join.
  assert.equal(counted(text, `DESCRIPTION:${invitation().joinLink}`), eventsIn(text) - 1)
})

test('a text that does not fit is cut between characters, and says where all of it is', async () => {
  for (const bytes of [8_000, 9_001, 12_002, 20_003]) {
    const description = '😀é,'.repeat(2_500)
    const text = await composeCalendar(invitation({ description }), new CalendarBudget(mailLimits(bytes)))
    assert.ok(bytesOf(text) <= bytes)
    const [event] = readCalendar(text).events
    const [kept, notice] = String(event?.description).split('…\n\n')
    assert.ok(kept !== undefined && kept.length > 500 && description.startsWith(kept), `${kept?.length} of ${bytes}`)
    assert.ok(kept.isWellFormed())
    assert.equal(notice, invitation().cutNotice)
  }
})

test('what lies ahead comes first, and no moved date that is left out is shown at its former time', async () => {
  const startsAt = new Date('2026-01-01T12:00:00Z')
  const daily = seriesOf({ startsAt, timeZone: 'UTC', rule: { repeat: 'daily', interval: 1 } })
  const starts = [...occurrences(daily).take(500)].map(({ originalStart }) => originalStart)
  const changed = starts.map((originalStart) => ({
    originalStart,
    times: {
      startsAt: new Date(originalStart.getTime() + 3_600_000),
      endsAt: new Date(originalStart.getTime() + 7_200_000),
    },
    topic: null,
    description: null,
    location: null,
  }))
  const series = { ...daily, changed }
  const asOf = new Date('2026-04-11T00:00:00Z')
  const budget = new CalendarBudget(mailLimits(120_000))
  const text = await composeCalendar(invitation({ series, asOf }), budget)
  assert.ok(budget.omitted.dates > 100 && budget.omitted.dates < 400, `${budget.omitted.dates} left out`)
  const { events } = readCalendar(text)
  const shown = datesBetween(events, startsAt, new Date('2027-06-01T00:00:00Z'))
  const right = new Set(
    [...occurrences(series).take(520)].map((one) => `${one.startsAt.toISOString()}/${one.endsAt.toISOString()}`),
  )
  const wrong = shown.filter((date) => date < '2027-05-16' && !right.has(date))
  assert.deepEqual(wrong, [])
  // The next hundred days are all there.
  const nextDays = starts.filter((start) => start >= asOf).slice(0, 100)
  const expected = nextDays.map((start) => occurrenceAt(series, start)?.startsAt.toISOString())
  assert.deepEqual(
    expected.filter((start) => !shown.some((date) => date.startsWith(String(start)))),
    [],
  )
})

test('the largest feed keeps every meeting by its time, topic and link, and the nearest ones with their texts', async () => {
  const inputs = Array.from({ length: 1_000 }, (_, index) =>
    invitation({
      method: 'PUBLISH',
      attendee: null,
      uid: `meeting-${index}`,
      description: 'मीटिंग '.repeat(meetingTexts.description.maxLength).slice(0, meetingTexts.description.maxLength),
    }),
  )
  const { budget, held } = countingBudget(feedLimits)
  const text = await composeFeed(about, feedOf(inputs), budget)
  assert.ok(bytesOf(text) <= feedLimits.bytes, `${bytesOf(text)} bytes`)
  assert.equal(eventsIn(text), 1_000)
  assert.equal(budget.omitted.meetings, 0)
  assert.ok(budget.omitted.texts > 500, `${budget.omitted.texts} texts are cut`)
  assert.ok(held.length >= 90, `${held.length} yields`)
  const { events } = readCalendar(text)
  assert.equal(events[0]?.description, inputs[0]?.description)
  assert.match(String(events.at(-1)?.description), /There is more: /)
})

test('one meeting takes no more than its share of a feed, and what does not fit is counted', async () => {
  const largest = largestMeeting({ method: 'PUBLISH', attendee: null })
  const inputs = Array.from({ length: 40 }, (_, index) => ({ ...largest, uid: `meeting-${index}` }))
  const small = invitation({ method: 'PUBLISH', attendee: null, uid: 'small' })
  const { budget } = countingBudget(feedLimits)
  const text = await composeFeed(about, feedOf([...inputs, small]), budget)
  assert.ok(bytesOf(text) <= feedLimits.bytes && eventsIn(text) <= feedLimits.events)
  assert.equal(counted(text, 'UID:small'), 1)
  const uids = new Set(unfolded(text).match(/UID:[\w-]+/g))
  assert.equal(uids.size + budget.omitted.meetings, 41)
})

test('a composition ends when its steps are used up, and reads no further meetings', async () => {
  let taken = 0
  async function* inputs() {
    for (; taken < 100_000; taken++) yield invitation({ uid: `meeting-${taken}` })
  }
  const { budget } = countingBudget({ ...feedLimits, steps: 100 })
  const text = await composeFeed(about, { count: 100_000, spans: [spanOf(seriesOf())], inputs: inputs() }, budget)
  assert.ok(taken < 200 && eventsIn(text) <= taken + 1, `${taken} read`)
  assert.equal(budget.omitted.meetings, 100_000 - eventsIn(text))
})

test('an export is composed as it is read', async () => {
  let taken = 0
  async function* inputs() {
    for (; taken < 1_000; taken++) yield invitation({ uid: `meeting-${taken}`, description: 'x'.repeat(10_000) })
  }
  const pieces = streamFeed({ name: 'Parley', refreshMs: 60_000 }, inputs(), new CalendarBudget(feedLimits))
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (eventsIn(text) === 10) break
  }
  assert.equal(taken, 9)
})

test('a date that the rule does not give is no event, and nothing that was left out', async () => {
  const series = largestMeeting({}, 0).series
  const budget = new CalendarBudget(fileLimits)
  const text = await composeCalendar(invitation({ series, occurrence: new Date('2026-01-05T12:00:00Z') }), budget)
  assert.equal(eventsIn(text), 0)
  assert.equal(budget.isCut, false)
})

test('a budget refuses what does not fit', () => {
  const budget = new CalendarBudget(mailLimits(10_000))
  assert.throws(() => budget.spend({ bytes: 10_000, events: 1 }), RangeError)
  budget.spend({ bytes: 5_000, events: 1 })
  assert.throws(() => budget.spend({ bytes: 5_000, events: 1 }), RangeError)
})

test('calendar text is composed in this folder only, and by no function without a budget', () => {
  const folder = 'apps/server/src/invitations/calendar/'
  const isProduct = (file: string) => file.startsWith('apps/server/src/') && !file.endsWith('.test.ts')
  // The import reads calendars, and composes none.
  const isImport = (file: string) => file.startsWith('apps/server/src/cli/import/')
  const outside = files.filter((file) => isProduct(file) && !isImport(file) && !file.startsWith(folder))
  assert.deepEqual(
    outside.filter((file) => /BEGIN:V(CALENDAR|EVENT)|compose-event\.ts'.*calendar|content-line\.ts/.test(read(file))),
    [],
  )
  const source = read(`${folder}compose-calendar.ts`)
  const composers = [...source.matchAll(/^export (?:async )?function\*? (\w+)\((.*?)\): (?:Promise|AsyncGenerator)/gms)]
  assert.deepEqual(
    composers.map(([, name]) => name),
    ['composeCalendar', 'composeFeed', 'streamFeed'],
  )
  for (const [, name, parameters] of composers) assert.match(String(parameters), /budget: CalendarBudget/, String(name))
})
