import { setTimeout as sleep } from 'node:timers/promises'
import { meetingTexts } from '@parley/contract/meeting-fields'
import {
  CalendarBudget,
  type CalendarLimits,
  feedLimits,
  fileLimits,
  mailLimits,
} from '../../apps/server/src/invitations/calendar/calendar-budget.ts'
import type { CalendarInput } from '../../apps/server/src/invitations/calendar/calendar-input.ts'
import { composeCalendar, composeFeed, spanOf } from '../../apps/server/src/invitations/calendar/compose-calendar.ts'
import { invitation, seriesOf } from '../../apps/server/test/meetings/calendar-inputs.ts'
import { largestMeeting } from '../../apps/server/test/meetings/largest-meeting.ts'
import { evaluateTarget, ms, printTable } from '../figures.ts'

/** `heldMs` is the longest time in which the event loop had no turn. */
type CalendarRow = { what: string; bytes: number; events: number; tookMs: number; heldMs: number }

/** What a mail leaves to its calendar when text and HTML are the largest that there are. */
const bytesInMail = 190_000
const meetingsOfFeed = 1_000
const probeMs = 1
const maxHeldMs = { kind: 'at most', value: 200 } as const

const asked: CalendarInput = invitation({ description: 'Agenda' })
const largest = largestMeeting()
const published = (input: CalendarInput, count: number): CalendarInput[] =>
  Array.from({ length: count }, (_, index) => ({
    ...input,
    method: 'PUBLISH',
    attendee: null,
    uid: `meeting-${index}`,
  }))
/** As many ambiguous dates as a series can have, and the longest text. */
const nightly = { ...largest, series: { ...largest.series, changed: [], cancelled: [] } }

/** Compose the smallest and the largest calendars that the limits of the API allow. */
export async function benchCalendars(): Promise<void> {
  const file = (input: CalendarInput, limits: CalendarLimits) => () =>
    composeCalendar(input, new CalendarBudget(limits))
  const tasks: [string, () => Promise<string>][] = [
    ['file of a small meeting', file({ ...asked, method: null }, fileLimits)],
    ['file of the largest meeting', file({ ...largest, method: null }, fileLimits)],
    ['mail of a small meeting', file(asked, mailLimits(bytesInMail))],
    ['mail of the largest meeting', file(largest, mailLimits(bytesInMail))],
    ['mail that cancels it', file({ ...largest, method: 'CANCEL', status: 'CANCELLED' }, mailLimits(bytesInMail))],
    ['feed of 10 small meetings', feed(published(asked, 10))],
    ['feed of 1,000 with the longest texts', feed(published(longest(), meetingsOfFeed))],
    ['feed of 1,000 series of a day with them', feed(published(nightly, meetingsOfFeed))],
    ['feed of 1,000 of the largest meeting', feed(published(largest, meetingsOfFeed))],
  ]
  const rows: CalendarRow[] = []
  for (const [what, compose] of tasks) {
    await compose()
    rows.push(await measure(what, compose))
  }
  printTable('Calendars, the largest that the limits allow, beside small ones', [
    ['', 'KB', 'events', 'composed in', 'longest hold of the thread, ms'],
    ...rows.map(({ what, bytes, events, tookMs, heldMs }) => [
      what,
      (bytes / 1000).toFixed(1),
      String(events),
      ms(tookMs),
      evaluateTarget(heldMs, maxHeldMs),
    ]),
  ])
}

const longest = () =>
  invitation({
    series: seriesOf(),
    description: 'मीटिंग '.repeat(meetingTexts.description.maxLength).slice(0, meetingTexts.description.maxLength),
  })

function feed(inputs: readonly CalendarInput[]) {
  // The service finds the spans with the meetings, step by step.
  const spans = inputs.map(({ series }) => spanOf(series))
  const about = () => ({ name: 'Parley', refreshMs: 3_600_000 })
  return () => composeFeed(about, { count: inputs.length, spans, inputs }, new CalendarBudget(feedLimits))
}

async function measure(what: string, compose: () => Promise<string>): Promise<CalendarRow> {
  await sleep(10 * probeMs)
  let heldMs = 0
  let turnedAt = performance.now()
  const probe = setInterval(() => {
    const now = performance.now()
    heldMs = Math.max(heldMs, now - turnedAt - probeMs)
    turnedAt = now
  }, probeMs)
  const startedAt = performance.now()
  const text = await compose()
  const tookMs = performance.now() - startedAt
  await sleep(2 * probeMs)
  clearInterval(probe)
  return { what, bytes: Buffer.byteLength(text), events: text.split('BEGIN:VEVENT').length - 1, tookMs, heldMs }
}
