import { occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { currentTimeZoneName } from '../recurrence/time-zone-name.ts'

/** What calendars and mails show of a meeting. */
export type CalendarState = {
  topic: string
  description: string
  /** The meeting code, which the links hold. */
  code: string
  pin: string
  series: Series
}

/** What a guest is mailed; a reminder is no change, but a mail too. */
export type InvitationEmailKind =
  | 'invitation'
  | 'update'
  | 'cancellation'
  /** The meeting goes on, and this person is no longer invited. */
  | 'removal'
  | 'occurrence-cancellation'
  /** Dates have been held, the rest is cancelled. */
  | 'series-end'
  | 'reminder'

/** What matters to guests. Options of the room, and reminders, do not. */
export type ChangedField = 'topic' | 'time' | 'rule' | 'dates' | 'description' | 'link' | 'pin'

/** What is different between two states of a meeting; empty when calendars show the same of both. */
export function changedFields(before: CalendarState, after: CalendarState): ChangedField[] {
  const isChanged: Record<ChangedField, boolean> = {
    topic: before.topic !== after.topic,
    time: textOf(timesOf(before.series)) !== textOf(timesOf(after.series)),
    rule: textOf(ruleOf(before.series)) !== textOf(ruleOf(after.series)),
    dates: Object.values(changedDates(before.series, after.series)).some((dates) => dates.length > 0),
    description: before.description !== after.description,
    link: before.code !== after.code,
    pin: before.pin !== after.pin,
  }
  return (Object.keys(isChanged) as ChangedField[]).filter((field) => isChanged[field])
}

/** Whether two series have the same times and the same rule, whatever is excluded. */
export const isSameSchedule = (one: Series, other: Series): boolean =>
  textOf([timesOf(one), ruleOf(one)]) === textOf([timesOf(other), ruleOf(other)])

const timesOf = ({ startsAt, durationMs, timeZone }: Series) => [startsAt, durationMs, currentTimeZoneName(timeZone)]
const ruleOf = ({ rule, endsBy }: Series) => [rule, endsBy]

/** The dates that took place before and are excluded now, and the reverse; of dates that both series have. */
export function changedDates(before: Series, after: Series): { cancelled: Date[]; restored: Date[] } {
  if (textOf(before.excluded) === textOf(after.excluded)) return { cancelled: [], restored: [] }
  return { cancelled: excludedOnlyIn(after, before), restored: excludedOnlyIn(before, after) }
}

function excludedOnlyIn(series: Series, other: Series): Date[] {
  const excludedInOther = new Set(other.excluded.map(Number))
  const dates = [...new Set(series.excluded.map(Number))].filter((startMs) => !excludedInOther.has(startMs))
  return dates
    .sort((one, another) => one - another)
    .map((startMs) => new Date(startMs))
    .filter((date) => occurrenceAt(series, date) !== undefined && occurrenceAt(other, date) !== undefined)
}

/** The database returns a rule's fields in an order of its own. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
