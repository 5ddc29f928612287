import type { MeetingRequest, SingleMeetingReply } from '@parley/contract'
import { instantOf, isKnownZone, wallTimeOf, weekdayOf } from './wall-time.ts'

/** The recurrence in the form. Values that the chosen `repeat` does not use are kept for when it changes. */
export type RepeatDraft = {
  /** `weekdays`: Monday to Friday of every week. */
  repeat: 'none' | 'daily' | 'weekdays' | 'weekly' | 'monthly'
  interval: number
  /** For a weekly rule; 0 is Sunday. */
  weekdays: readonly number[]
  monthlyOn: 'date' | 'last-day' | 'weeks'
  dateInMonth: number
  /** For a monthly rule: 0 is the first, 4 the last. */
  weeks: readonly number[]
  weekdaysInMonth: readonly number[]
  ends: 'never' | 'date' | 'count'
  /** The last day on which an occurrence starts, such as 2027-06-30, for an end on a date. */
  endDate: string
  /** The number of occurrences, for an end by count. */
  count: number
}

/** Whether the form shows the interval; every second weekday is a weekly series. */
export const hasInterval = (repeat: RepeatDraft['repeat']): repeat is 'daily' | 'weekly' | 'monthly' =>
  repeat !== 'none' && repeat !== 'weekdays'

type RepeatRequest = MeetingRequest['repeatOptions']
type RepeatReply = SingleMeetingReply['repeatOptions']

const lastWeek = 4
const daysInWeek = 7
const weeksToChoose = 5
const mondayToFriday = [1, 2, 3, 4, 5]
const defaultCount = 10
const dayMs = 24 * 60 * 60 * 1000

/** No recurrence; each kind starts with the day of the start. */
export const repeatFrom = (date: string): RepeatDraft => ({
  repeat: 'none',
  interval: 1,
  weekdays: [weekdayOf(date)],
  monthlyOn: 'date',
  ...dayOfMonth(date),
  ends: 'never',
  endDate: '',
  count: defaultCount,
})

/** What the form offers by name: for a monthly series, each kind of day that it can repeat on. */
export type RepeatPreset = RepeatDraft['repeat'] | 'monthly-weeks' | 'monthly-last-day'

export const presetOf = ({ repeat, monthlyOn }: RepeatDraft): RepeatPreset =>
  repeat !== 'monthly' || monthlyOn === 'date' ? repeat : `monthly-${monthlyOn}`

/** The presets for a start on this day. The last day of the month is offered on such a day, and where it is chosen. */
export function presetsOn(date: string, draft: RepeatDraft): RepeatPreset[] {
  const isLastDay = new Date(Date.parse(`${date}T00:00Z`) + dayMs).getUTCDate() === 1
  const offersLastDay = isLastDay || presetOf(draft) === 'monthly-last-day'
  return [
    ...(['none', 'daily', 'weekdays', 'weekly', 'monthly', 'monthly-weeks'] as const),
    ...(offersLastDay ? (['monthly-last-day'] as const) : []),
  ]
}

/** Choose a preset. Another one than before begins at an interval of 1. */
export function withPreset(draft: RepeatDraft, preset: RepeatPreset): RepeatDraft {
  if (preset === presetOf(draft)) return draft
  const chosen = { ...draft, interval: 1 }
  switch (preset) {
    case 'monthly':
      return { ...chosen, repeat: 'monthly', monthlyOn: 'date' }
    case 'monthly-weeks':
      return { ...chosen, repeat: 'monthly', monthlyOn: 'weeks' }
    case 'monthly-last-day':
      return { ...chosen, repeat: 'monthly', monthlyOn: 'last-day' }
    default:
      return { ...chosen, repeat: preset }
  }
}

/** Follow a changed date: values that matched the old date match the new one. */
export function followDate(draft: RepeatDraft, from: string, to: string): RepeatDraft {
  if (from === '' || to === '') return draft
  const before = repeatFrom(from)
  const after = repeatFrom(to)
  const follows = (field: 'weekdays' | 'dateInMonth' | 'weeks' | 'weekdaysInMonth') =>
    String(draft[field]) === String(before[field])
  return {
    ...draft,
    ...(follows('weekdays') && { weekdays: after.weekdays }),
    ...(follows('dateInMonth') && { dateInMonth: after.dateInMonth }),
    ...(follows('weeks') &&
      follows('weekdaysInMonth') && { weeks: after.weeks, weekdaysInMonth: after.weekdaysInMonth }),
  }
}

export function repeatOf(options: RepeatReply, date: string): RepeatDraft {
  const days = chosenOf(options.daysOfWeek)
  const weeks = chosenOf(options.weeksInMonth)
  const usual = repeatFrom(date)
  const repeat = isMondayToFriday(options) ? 'weekdays' : isRepeat(options.repeat) ? options.repeat : 'none'
  const isWeeks = repeat === 'monthly' && !options.lastDayOfMonth && weeks.length > 0
  return {
    repeat,
    interval: options.interval ?? 1,
    weekdays: repeat === 'weekly' ? days : usual.weekdays,
    monthlyOn: options.lastDayOfMonth ? 'last-day' : isWeeks ? 'weeks' : 'date',
    dateInMonth: options.dateInMonth === 0 ? usual.dateInMonth : options.dateInMonth,
    weeks: isWeeks ? weeks : usual.weeks,
    weekdaysInMonth: isWeeks ? days : usual.weekdaysInMonth,
    ends: options.count !== null ? 'count' : options.endDate === null ? 'never' : 'date',
    endDate: endDateOf(options),
    count: options.count ?? usual.count,
  }
}

const isMondayToFriday = ({ repeat, interval, daysOfWeek }: RepeatReply) =>
  repeat === 'weekly' && (interval ?? 1) === 1 && String(chosenOf(daysOfWeek)) === String(mondayToFriday)

/**
 * Build the request. The end is the last second of its day in the time zone; an unchanged end is sent as it was
 * received, because other clients end a series within a day.
 */
export function repeatRequestOf(
  draft: RepeatDraft,
  timeZone: string,
  zoneId: string,
  was?: RepeatReply,
): RepeatRequest {
  if (draft.repeat === 'none') return { repeat: 'none', timeZone }
  const isUntouched = was !== undefined && was.timeZoneIana === zoneId && endDateOf(was) === draft.endDate
  const endsBy = isKnownZone(zoneId) ? instantOf({ date: draft.endDate, time: '23:59:59' }, zoneId) : undefined
  const endDate = isUntouched ? was.endDate : (endsBy?.toISOString() ?? null)
  return {
    ...ruleOf(draft),
    interval: hasInterval(draft.repeat) ? draft.interval : 1,
    endDate: draft.ends === 'date' ? endDate : null,
    ...(draft.ends === 'count' && { count: draft.count }),
    timeZone,
  }
}

function ruleOf(draft: RepeatDraft): RepeatRequest {
  if (draft.repeat === 'weekdays') return { repeat: 'weekly', daysOfWeek: flagsOf(mondayToFriday, daysInWeek) }
  if (draft.repeat === 'weekly') return { repeat: 'weekly', daysOfWeek: flagsOf(draft.weekdays, daysInWeek) }
  if (draft.repeat !== 'monthly') return { repeat: draft.repeat }
  switch (draft.monthlyOn) {
    case 'last-day':
      return { repeat: 'monthly', lastDayOfMonth: true }
    case 'date':
      return { repeat: 'monthly', dateInMonth: draft.dateInMonth }
    case 'weeks':
      return {
        repeat: 'monthly',
        weeksInMonth: flagsOf(draft.weeks, weeksToChoose),
        daysOfWeek: flagsOf(draft.weekdaysInMonth, daysInWeek),
      }
  }
}

const endDateOf = ({ endDate, timeZoneIana }: RepeatReply) =>
  endDate === null ? '' : wallTimeOf(endDate, timeZoneIana).date

const isRepeat = (word: string): word is MeetingRequest['repeatOptions']['repeat'] =>
  ['none', 'daily', 'weekly', 'monthly'].includes(word)

/** The fifth of a weekday is its last. */
function dayOfMonth(date: string) {
  const dateInMonth = Number(date.slice(8))
  const week = Math.min(Math.floor((dateInMonth - 1) / daysInWeek), lastWeek)
  return { dateInMonth, weeks: [week], weekdaysInMonth: [weekdayOf(date)] }
}

const chosenOf = (flags: readonly number[]) => flags.flatMap((flag, place) => (flag === 1 ? [place] : []))
const flagsOf = (chosen: readonly number[], length: number) =>
  Array.from({ length }, (_, place) => (chosen.includes(place) ? 1 : 0))
