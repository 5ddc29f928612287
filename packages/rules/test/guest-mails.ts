import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarTarget, type GuestCalendar, planCalendarMail } from '../src/invitations/calendar-mail.ts'
import type { CalendarState } from '../src/invitations/invitation-changes.ts'
import type { RecurrenceRule, Series } from '../src/recurrence/recurrence.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
export const first = new Date('2030-01-07T09:00:00Z')
export const second = new Date('2030-01-14T09:00:00Z')
export const third = new Date('2030-01-21T09:00:00Z')
export const before = new Date('2030-01-01T00:00:00Z')
/** While the first date is running; and between the first and the second. */
export const running = new Date('2030-01-07T09:10:00Z')
export const between = new Date('2030-01-10T00:00:00Z')
export const after = new Date('2030-02-01T00:00:00Z')

export const once: Series = {
  startsAt: first,
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
}
export const weekly: Series = { ...once, rule: mondays, endsBy: third }
export const stateOf = (series: Series, changes: Partial<CalendarState> = {}): CalendarState => ({
  topic: 'Stand-up',
  description: '',
  location: '',
  code: '1234567890',
  pin: 'abc234',
  series,
  ...changes,
})
export const single = stateOf(once)
export const series = stateOf(weekly)
export const without = (...cancelled: Date[]) => stateOf({ ...weekly, cancelled })
export const until = (endsBy: Date) => stateOf({ ...weekly, endsBy })
/** The second date, or another one, at noon; and with a topic of its own. */
export const atNoon = (originalStart = second) => {
  const day = originalStart.toISOString().slice(0, 10)
  const times = { startsAt: new Date(`${day}T12:00:00Z`), endsAt: new Date(`${day}T12:30:00Z`) }
  return { originalStart, times, topic: null, description: null, location: null }
}
export const renamed = (originalStart = second) => ({
  originalStart,
  times: null,
  topic: 'Review',
  description: null,
  location: null,
})
export const changing = (...changed: Series['changed']) => stateOf({ ...weekly, changed })
export const past = stateOf({ ...once, startsAt: new Date('2029-12-03T09:00:00Z') })

export const nothing: GuestCalendar = { kind: 'nothing' }
export const unknown: GuestCalendar = { kind: 'unknown' }
export const holding = (state: CalendarState): GuestCalendar => ({ kind: 'meeting', state })
const meeting = { kind: 'meeting' as const, isCancelled: false, continuedFrom: null }
export const takesPlace = (state: CalendarState): CalendarTarget => ({ ...meeting, state })
export const endedEarly = (state: CalendarState): CalendarTarget => ({ ...meeting, state, isCancelled: true })
export const continued = (state: CalendarState, continuedFrom: Date): CalendarTarget => ({
  ...meeting,
  state,
  continuedFrom,
})
export const cancelled: CalendarTarget = { kind: 'nothing', reason: 'cancelled', state: series }
export const removed: CalendarTarget = { kind: 'nothing', reason: 'removed', state: series }

/**
 * Each: the case, what the guest's calendar shows, what unconfirmed mails showed, the current state, the time, the
 * mail.
 */
type Row = [string, GuestCalendar, GuestCalendar[], CalendarTarget, Date, string]

/** Register a test for each row. */
export function testRows(rows: readonly Row[]): void {
  for (const [name, confirmed, unconfirmed, target, now, expected] of rows) {
    test(`${name}: ${expected}`, () => {
      const plan = planCalendarMail({ confirmed, unconfirmed, target }, now)
      if (plan.kind !== 'send') return assert.equal(plan.kind, expected)
      const { kind, changed, date } = plan.mail
      const said = changed.length > 0 ? `${kind}: ${changed.join(' ')}` : kind
      assert.equal(date === null ? said : `${said} from ${date.toISOString().slice(0, 10)}`, expected)
    })
  }
}
