import { lastEnd, nextOccurrence, occurrenceAt, occurrences, type Series } from '../recurrence/recurrence.ts'
import { withEnd } from '../recurrence/series-end.ts'
import { lastStartBefore } from '../recurrence/split-series.ts'
import {
  type CalendarState,
  type ChangedField,
  changedDates,
  changedFields,
  changedOccurrences,
  type InvitationEmailKind,
  isSameSchedule,
} from './invitation-changes.ts'

/** What one guest's calendar may show of a meeting. */
export type GuestCalendar<State extends CalendarState = CalendarState> =
  /** `emptied`: a mail has taken the meeting away. */
  | { kind: 'nothing'; emptied?: boolean }
  | { kind: 'meeting'; state: State }
  /** The guest was mailed something of which no record exists. */
  | { kind: 'unknown' }

/** What one guest's calendar is to show of a meeting. */
export type CalendarTarget<State extends CalendarState = CalendarState> =
  /** For a cancelled series, the part that was held. */
  | {
      kind: 'meeting'
      state: State
      isCancelled: boolean
      /** The original start from which another meeting, to which the guest is invited, continues this meeting. */
      continuedFrom: Date | null
    }
  /** `state`: the meeting as it is or was planned, for a mail to a guest whose calendar is unknown. */
  | { kind: 'nothing'; reason: 'cancelled' | 'removed'; state: State }

type GuestCalendars<State extends CalendarState = CalendarState> = {
  /** After the last mail that the mail server accepted. */
  confirmed: GuestCalendar<State>
  /** After each mail that was handed over since and that the mail server has not answered; oldest first. */
  unconfirmed: readonly GuestCalendar<State>[]
  target: CalendarTarget<State>
}

type CalendarMailPlan<State extends CalendarState = CalendarState> =
  | { kind: 'none' }
  /** The last unconfirmed mail is correct: send it again, under the same SEQUENCE and Message-ID. */
  | { kind: 'repeat' }
  /** `isCorrection`: dates take place again that an earlier mail had taken away. */
  | { kind: 'send'; mail: CalendarMail<State>; isCorrection: boolean }

type CalendarMail<State extends CalendarState = CalendarState> = {
  kind: Exclude<InvitationEmailKind, 'reminder'>
  /** The state that the mail shows: the new state or, for a cancellation, the state that the guest knows. */
  state: State
  /** The state that the guest knew before, in mails that compare. */
  former: State | null
  changed: readonly ChangedField[]
  /** The first cancelled date; for the mail of one occurrence, its original start. */
  date: Date | null
}

/**
 * Decide which single mail brings a guest's calendar from what it holds to the current state (RFC 5546, 3.2).
 * Superseded states need no mail of their own, because a REQUEST contains the whole meeting. No mail is sent when
 * neither the former nor the current state has a future date.
 *
 * While mails are unconfirmed, the guest's calendar may show any of their states. The mail must then be right for each of
 * them: a full REQUEST or a CANCEL of the whole meeting, never a mail of one occurrence. A restored occurrence needs a full
 * REQUEST too, because calendar programs do not show an occurrence beside an EXDATE that names it.
 */
export function planCalendarMail<State extends CalendarState>(
  { confirmed, unconfirmed, target }: GuestCalendars<State>,
  now: Date,
): CalendarMailPlan<State> {
  const possible = [confirmed, ...unconfirmed]
  if (unconfirmed.length === 0 && isSame(confirmed, target)) return { kind: 'none' }
  if (![...possible, target].some((calendar) => hasDatesAhead(calendar, now))) return { kind: 'none' }

  const last = unconfirmed.at(-1)
  if (last !== undefined && isSame(last, target)) return { kind: 'repeat' }

  const mail = planMail({ confirmed, unconfirmed, target }, now)
  if (mail === undefined) return { kind: 'none' }
  return { kind: 'send', mail, isCorrection: bringsDatesBack(last ?? confirmed, target, now) }
}

/** Choose the mail; undefined for a guest who was never mailed about a meeting that is cancelled. */
function planMail<State extends CalendarState>(
  { confirmed, unconfirmed, target }: GuestCalendars<State>,
  now: Date,
): CalendarMail<State> | undefined {
  const possible = [confirmed, ...unconfirmed]
  const known = possible.findLast((calendar) => calendar.kind === 'meeting')?.state
  if (target.kind === 'nothing') return planCancellationMail(known ?? target.state, target.reason, now)
  if (possible.every(({ kind }) => kind === 'nothing')) {
    return target.isCancelled ? undefined : invitationTo(target.state)
  }
  if (confirmed.kind === 'nothing' && nextStart(target.state.series, now) !== undefined) {
    return invitationTo(target.state)
  }
  return planRequest({ confirmed, known, isCertain: unconfirmed.length === 0, target }, now)
}

/**
 * Return whether dates ahead take place again that the last mail had taken from the calendar: they were cancelled, the
 * series had ended before them, or the whole meeting was taken away.
 */
function bringsDatesBack(calendar: GuestCalendar, target: CalendarTarget, now: Date): boolean {
  if (target.kind === 'nothing' || nextOccurrence(target.state.series, now) === undefined) return false
  if (calendar.kind === 'nothing') return calendar.emptied === true
  if (calendar.kind === 'unknown') return false
  const [held, series] = [calendar.state.series, target.state.series]
  if (changedDates(held, series).restored.length > 0) return true
  return isSameSchedule(openEnded(held), openEnded(series)) && endOf(series) > endOf(held)
}

const endOf = (series: Series): number => {
  const end = lastEnd(series)
  return end instanceof Date ? end.getTime() : Number.POSITIVE_INFINITY
}

const invitationTo = <State extends CalendarState>(state: State): CalendarMail<State> => ({
  kind: 'invitation',
  state,
  former: null,
  changed: [],
  date: null,
})

const planCancellationMail = <State extends CalendarState>(
  known: State,
  reason: 'cancelled' | 'removed',
  now: Date,
): CalendarMail<State> => ({
  kind: reason === 'cancelled' ? 'cancellation' : 'removal',
  state: known,
  former: null,
  changed: [],
  date: nextStart(known.series, now) ?? null,
})

type Request<State extends CalendarState> = {
  confirmed: GuestCalendar<State>
  known: State | undefined
  isCertain: boolean
  target: Extract<CalendarTarget<State>, { kind: 'meeting' }>
}

function planRequest<State extends CalendarState>(
  { confirmed, known, isCertain, target }: Request<State>,
  now: Date,
): CalendarMail<State> {
  const { state } = target
  if (known === undefined) {
    const isEnd = target.isCancelled || nextStart(state.series, now) === undefined
    return { kind: isEnd ? 'series-end' : 'update', state, former: null, changed: [], date: isEnd ? now : null }
  }
  // Compare with the last confirmed state. If that is equal to the current state, compare with the unconfirmed mail, which
  // showed something else.
  const former =
    confirmed.kind === 'meeting' && changedFields(confirmed.state, state).length > 0 ? confirmed.state : known
  const changed = changedFields(former, state)
  if (isContinued(former.series, target)) {
    const rest = changed.filter((field) => field !== 'rule')
    return { kind: 'series-continued', state, former, changed: rest, date: target.continuedFrom }
  }
  if (isEndOf(former.series, target, now)) {
    const rest = changed.filter((field) => !datedFields.has(field))
    const date = nextStart(former.series, now) ?? null
    return { kind: 'series-end', state, former, changed: rest, date }
  }
  const { cancelled, restored } = changedDates(former.series, state.series)
  const [date] = cancelled
  const isOneDate = changed.every((field) => field === 'dates') && cancelled.length === 1 && restored.length === 0
  if (isCertain && isOneDate && date !== undefined) {
    return { kind: 'occurrence-cancellation', state, former, changed: [], date }
  }
  const [occurrence, ...others] = changedOccurrences(former.series, state.series)
  const isOneOccurrence = changed.every((field) => field === 'occurrences') && others.length === 0
  if (isCertain && isOneOccurrence && occurrence !== undefined) {
    return { kind: 'occurrence-update', state, former, changed: [], date: occurrence }
  }
  return { kind: 'update', state, former, changed, date: null }
}

/** Fields that a mail about the end of a series does not list. */
const datedFields: ReadonlySet<ChangedField> = new Set<ChangedField>(['rule', 'dates', 'occurrences'])

/**
 * Whether the series keeps its past dates and loses all future ones, because it was cancelled or its end has passed.
 */
function isEndOf(
  former: Series,
  { state: { series }, isCancelled }: Request<CalendarState>['target'],
  now: Date,
): boolean {
  if (series.rule.repeat === 'none' || nextStart(series, now) !== undefined) return false
  if (nextStart(former, now) === undefined) return false
  return isCancelled || isSameSchedule(openEnded(former), openEnded(series))
}

/** Return whether a series loses only dates that another meeting continues. */
function isContinued(former: Series, { state: { series }, continuedFrom }: Request<CalendarState>['target']): boolean {
  if (continuedFrom === null || !isSameSchedule(openEnded(former), openEnded(series))) return false
  const remains = (start: Date) => occurrenceAt(series, start) !== undefined
  const last = lastStartBefore(former, continuedFrom)
  return (
    occurrenceAt(former, continuedFrom) !== undefined && !remains(continuedFrom) && last !== undefined && remains(last)
  )
}

const openEnded = (series: Series): Series => ({ ...withEnd(series, null), cancelled: [], changed: [] })

function isSame(calendar: GuestCalendar, target: CalendarTarget): boolean {
  if (calendar.kind === 'meeting' && target.kind === 'meeting') {
    return changedFields(calendar.state, target.state).length === 0
  }
  return calendar.kind === 'nothing' && target.kind === 'nothing'
}

/** A running date counts as future. */
function hasDatesAhead(calendar: GuestCalendar | CalendarTarget, now: Date): boolean {
  if (calendar.kind === 'meeting') return nextOccurrence(calendar.state.series, now) !== undefined
  return calendar.kind === 'unknown'
}

/** The start of the first date that has not begun. */
const nextStart = (series: Series, now: Date): Date | undefined =>
  occurrences(series, now).find(({ startsAt, cancelled }) => !cancelled && startsAt > now)?.startsAt
