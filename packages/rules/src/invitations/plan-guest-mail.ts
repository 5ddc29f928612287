import { nextOccurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import {
  type CalendarState,
  type ChangedField,
  changedDates,
  changedFields,
  type InvitationEmailKind,
  isSameSchedule,
} from './invitation-changes.ts'

/** What one guest's calendar may show of a meeting. */
export type HeldCalendar<State extends CalendarState = CalendarState> =
  | { kind: 'nothing' }
  | { kind: 'meeting'; state: State }
  /** Something, of which no record was kept. */
  | { kind: 'unknown' }

/** What one guest's calendar is to show of a meeting. */
export type CalendarTarget<State extends CalendarState = CalendarState> =
  /** Of a cancelled series, what was held of it. */
  | { kind: 'meeting'; state: State; isCancelled: boolean }
  /** `state` is the meeting as it is or was to be, for a mail to somebody whose calendar is not known. */
  | { kind: 'nothing'; reason: 'cancelled' | 'removed'; state: State }

export type GuestCalendars<State extends CalendarState = CalendarState> = {
  /** As the last mail that the mail server accepted leaves it. */
  held: HeldCalendar<State>
  /** As each mail leaves it that was handed over since, without an answer from the mail server; oldest first. */
  unconfirmed: readonly HeldCalendar<State>[]
  target: CalendarTarget<State>
}

export type GuestMailPlan<State extends CalendarState = CalendarState> =
  | { kind: 'none' }
  /** The last unconfirmed mail says what is true: it is sent again, under the same SEQUENCE and Message-ID. */
  | { kind: 'repeat' }
  | { kind: 'send'; mail: GuestMail<State> }

export type GuestMail<State extends CalendarState = CalendarState> = {
  kind: Exclude<InvitationEmailKind, 'reminder'>
  /** What the mail is about: the new state or, of what is called off, the one that the guest knows. */
  state: State
  /** What the guest knew before, where the mail compares. */
  former: State | null
  changed: readonly ChangedField[]
  /** The date that is cancelled, or the first of those that are. */
  date: Date | null
}

/**
 * Decide which one mail takes a guest's calendar from what it holds to what is true (RFC 5546, 3.2). Superseded states
 * need no mail of their own, because a REQUEST holds the whole meeting. Without a date ahead, before or now, none is sent.
 *
 * As long as it is not known what the guest holds, the mail must be right in every case: a full REQUEST or a CANCEL of the
 * whole meeting, never the CANCEL of one occurrence.
 */
export function planGuestMail<State extends CalendarState>(
  { held, unconfirmed, target }: GuestCalendars<State>,
  now: Date,
): GuestMailPlan<State> {
  const possible = [held, ...unconfirmed]
  const isCertain = unconfirmed.length === 0
  if (isCertain && isSame(held, target)) return { kind: 'none' }
  if (![...possible, target].some((calendar) => hasDatesAhead(calendar, now))) return { kind: 'none' }

  const last = unconfirmed.at(-1)
  if (last !== undefined && isSame(last, target)) return { kind: 'repeat' }

  const known = possible.findLast((calendar) => calendar.kind === 'meeting')?.state
  if (target.kind === 'nothing')
    return { kind: 'send', mail: planCancellation(known ?? target.state, target.reason, now) }
  if (possible.every(({ kind }) => kind === 'nothing')) {
    // Nobody is invited to what is cancelled.
    return target.isCancelled ? { kind: 'none' } : { kind: 'send', mail: invitationTo(target.state) }
  }
  if (held.kind === 'nothing' && nextStart(target.state.series, now) !== undefined) {
    return { kind: 'send', mail: invitationTo(target.state) }
  }
  return { kind: 'send', mail: planRequest({ held, known, isCertain, target }, now) }
}

const invitationTo = <State extends CalendarState>(state: State): GuestMail<State> => ({
  kind: 'invitation',
  state,
  former: null,
  changed: [],
  date: null,
})

const planCancellation = <State extends CalendarState>(
  known: State,
  reason: 'cancelled' | 'removed',
  now: Date,
): GuestMail<State> => ({
  kind: reason === 'cancelled' ? 'cancellation' : 'removal',
  state: known,
  former: null,
  changed: [],
  date: nextStart(known.series, now) ?? null,
})

type Request<State extends CalendarState> = {
  held: HeldCalendar<State>
  known: State | undefined
  isCertain: boolean
  target: Extract<CalendarTarget<State>, { kind: 'meeting' }>
}

function planRequest<State extends CalendarState>(
  { held, known, isCertain, target }: Request<State>,
  now: Date,
): GuestMail<State> {
  const { state } = target
  if (known === undefined) {
    const isEnd = target.isCancelled || nextStart(state.series, now) === undefined
    return { kind: isEnd ? 'series-end' : 'update', state, former: null, changed: [], date: isEnd ? now : null }
  }
  // What was last confirmed, unless only an unconfirmed mail differs from what is true.
  const confirmed = held.kind === 'meeting' && changedFields(held.state, state).length > 0 ? held.state : known
  const changed = changedFields(confirmed, state)
  if (isEndOf(confirmed.series, target, now)) {
    const rest = changed.filter((field) => field !== 'rule' && field !== 'dates')
    const date = nextStart(confirmed.series, now) ?? null
    return { kind: 'series-end', state, former: confirmed, changed: rest, date }
  }
  const { cancelled, restored } = changedDates(confirmed.series, state.series)
  const [date] = cancelled
  const isOneDate = changed.every((field) => field === 'dates') && cancelled.length === 1 && restored.length === 0
  if (isCertain && isOneDate && date !== undefined) {
    return { kind: 'occurrence-cancellation', state, former: confirmed, changed: [], date }
  }
  return { kind: 'update', state, former: confirmed, changed, date: null }
}

/** Whether the series keeps what was held of it and loses all that was to come: it was cancelled, or its end has passed. */
function isEndOf(
  former: Series,
  { state: { series }, isCancelled }: Request<CalendarState>['target'],
  now: Date,
): boolean {
  if (series.rule.repeat === 'none' || nextStart(series, now) !== undefined) return false
  if (nextStart(former, now) === undefined) return false
  return isCancelled || isSameSchedule(openEnded(former), openEnded(series))
}

const openEnded = (series: Series): Series => ({ ...series, endsBy: null, excluded: [] })

function isSame(calendar: HeldCalendar, target: CalendarTarget): boolean {
  if (calendar.kind === 'meeting' && target.kind === 'meeting') {
    return changedFields(calendar.state, target.state).length === 0
  }
  return calendar.kind === 'nothing' && target.kind === 'nothing'
}

/** A date that is running counts. */
function hasDatesAhead(calendar: HeldCalendar | CalendarTarget, now: Date): boolean {
  if (calendar.kind === 'meeting') return nextOccurrence(calendar.state.series, now) !== undefined
  return calendar.kind === 'unknown'
}

/** The start of the first date that has not begun. */
const nextStart = (series: Series, now: Date): Date | undefined =>
  occurrences(series, now).find(({ startsAt, excluded }) => !excluded && startsAt > now)?.startsAt
