import { type MeetingText, type MeetingTexts, mapTexts } from '@parley/contract/meeting-fields'
import { occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { currentTimeZoneName } from '../recurrence/time-zone-name.ts'
import { isSameJson } from '../text/same-json.ts'

/** What calendars and mails show of a meeting. */
export type CalendarState = MeetingTexts & {
  /** The meeting code, which the links hold. */
  code: string
  pin: string
  series: Series
}

/** The kind of an email to a guest. A reminder is an email too, although nothing has changed. */
export type InvitationEmailKind =
  | 'invitation'
  | 'update'
  | 'cancellation'
  /** The meeting continues; this person is no longer invited. */
  | 'removal'
  | 'occurrence-cancellation'
  /** The times or texts of one occurrence have changed. */
  | 'occurrence-update'
  /** Some dates have been held; the remaining ones are cancelled. */
  | 'series-end'
  /** From a date on, another meeting continues the series. */
  | 'series-continued'
  | 'reminder'
  /** The host asks for an answer. The email is the invitation with another lead. */
  | 'answer-request'

/** The fields that guests are notified of. Room options and reminders are not among them. */
export type ChangedField = MeetingText | 'time' | 'rule' | 'dates' | 'occurrences' | 'link' | 'pin'

/** List the fields that differ between two states of a meeting; empty when calendars show the same of both. */
export function changedFields(before: CalendarState, after: CalendarState): ChangedField[] {
  const { topic, ...texts } = mapTexts((name) => before[name] !== after[name])
  const isChanged: Record<ChangedField, boolean> = {
    topic,
    time: !isSameJson(timesOf(before.series), timesOf(after.series)),
    rule: !isSameRule(before.series, after.series),
    dates: Object.values(changedDates(before.series, after.series)).some((dates) => dates.length > 0),
    occurrences: changedOccurrences(before.series, after.series).length > 0,
    ...texts,
    link: before.code !== after.code,
    pin: before.pin !== after.pin,
  }
  return (Object.keys(isChanged) as ChangedField[]).filter((field) => isChanged[field])
}

/** Whether two series have the same times and the same rule, regardless of their cancelled dates. */
export const isSameSchedule = (first: Series, second: Series): boolean =>
  isSameJson(timesOf(first), timesOf(second)) && isSameRule(first, second)

const timesOf = ({ startsAt, durationMs, timeZone }: Series) => [startsAt, durationMs, currentTimeZoneName(timeZone)]

/** Series that end after the same count have the same rule, even if their starts and so their last dates differ. */
export function isSameRule(first: RuleWithEnd, second: RuleWithEnd): boolean {
  if (first.rule.count !== undefined && second.rule.count !== undefined) return isSameJson(first.rule, second.rule)
  return isSameJson(uncountedRuleOf(first), uncountedRuleOf(second))
}

type RuleWithEnd = Pick<Series, 'rule' | 'endsBy'>

const uncountedRuleOf = ({ rule, endsBy }: RuleWithEnd) => [{ ...rule, count: undefined }, endsBy]

/**
 * The dates that are newly cancelled (`cancelled`) and no longer cancelled (`restored`), among those that both series
 * have.
 */
export function changedDates(before: Series, after: Series): { cancelled: Date[]; restored: Date[] } {
  if (isSameJson(before.cancelled, after.cancelled)) return { cancelled: [], restored: [] }
  return { cancelled: cancelledOnlyIn(after, before), restored: cancelledOnlyIn(before, after) }
}

/**
 * The original starts of occurrences that take place in both series, with other times or texts of their own; in order.
 */
export function changedOccurrences(before: Series, after: Series): Date[] {
  if (isSameJson(before.changed, after.changed)) return []
  const [was, is] = [changesByStart(before), changesByStart(after)]
  const takesPlace = (series: Series, start: Date) => occurrenceAt(series, start)?.cancelled === false
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((startMs) => !isSameJson(was.get(startMs), is.get(startMs)))
    .sort((a, b) => a - b)
    .map((startMs) => new Date(startMs))
    .filter((start) => takesPlace(before, start) && takesPlace(after, start))
}

const changesByStart = ({ changed }: Series) =>
  new Map(changed.map((change) => [change.originalStart.getTime(), change]))

function cancelledOnlyIn(series: Series, other: Series): Date[] {
  const cancelledInOther = new Set(other.cancelled.map(Number))
  const dates = [...new Set(series.cancelled.map(Number))].filter((startMs) => !cancelledInOther.has(startMs))
  return dates
    .sort((a, b) => a - b)
    .map((startMs) => new Date(startMs))
    .filter((date) => occurrenceAt(series, date) !== undefined && occurrenceAt(other, date) !== undefined)
}
