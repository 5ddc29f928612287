import type { BodyOf, MeetingRequest, SingleMeetingReply, splitMeeting } from '@parley/contract'
import type { MoveChange } from '../../meeting-mutations.ts'
import type { SeriesExtent } from '../../SeriesExtentField.tsx'
import { draftOf, toMeetingRequest } from '../../schedule/meeting-draft.ts'
import type { RepeatDraft } from '../../schedule/repeat-draft.ts'
import { instantOf, wallTimeOf, weekdayOf } from '../../schedule/wall-time.ts'

export type Times = { startTime: string; endTime: string }

/** By how much a date moves on the clock. */
type Shift = { days: number; minutes: number }

/** Meetings are moved to quarters of an hour. */
const stepMinutes = 15
const minutesInDay = 24 * 60
const daysInWeek = 7

const minutesOfDay = (at: Date) => at.getHours() * 60 + at.getMinutes()

/**
 * Move a date by days and minutes on the reader's clock; its length stays. A time that clocks skip becomes later by the
 * skipped time.
 */
export function moveTimes({ startTime, endTime }: Times, { days, minutes }: Shift): Times {
  if (days === 0 && minutes === 0) return { startTime, endTime }
  const start = new Date(startTime)
  const moved = new Date(start)
  moved.setDate(start.getDate() + days)
  moved.setHours(start.getHours(), start.getMinutes() + minutes)
  const lengthMs = Date.parse(endTime) - start.getTime()
  return { startTime: moved.toISOString(), endTime: new Date(moved.getTime() + lengthMs).toISOString() }
}

/**
 * By how many minutes a date moves that was dragged by some: it starts at a quarter of an hour of the same day. One
 * that was hardly dragged stays.
 */
export function snapMinutes(startTime: string, dragged: number): number {
  if (Math.abs(dragged) < stepMinutes / 2) return 0
  const before = minutesOfDay(new Date(startTime))
  const target = Math.round((before + dragged) / stepMinutes) * stepMinutes
  return Math.min(Math.max(target, 0), minutesInDay - stepMinutes) - before
}

/** The longest meeting. */
const maxMinutes = minutesInDay

/**
 * Change the end of a date by minutes on the reader's clock, to a quarter of an hour. A date lasts at least a quarter and
 * at most a day; one whose end was hardly dragged stays.
 */
export function resizeTimes({ startTime, endTime }: Times, dragged: number): Times {
  if (Math.abs(dragged) < stepMinutes / 2) return { startTime, endTime }
  const end = new Date(endTime)
  const before = minutesOfDay(end)
  const resized = new Date(end)
  resized.setHours(0, Math.round((before + dragged) / stepMinutes) * stepMinutes, 0, 0)
  const startMs = Date.parse(startTime)
  const minutes = (resized.getTime() - startMs) / 60_000
  const kept = Math.min(Math.max(minutes, stepMinutes), maxMinutes)
  return { startTime, endTime: new Date(startMs + kept * 60_000).toISOString() }
}

/** Change the end of a date to the next quarter of an hour, or to the one before. */
export function stepLength({ startTime, endTime }: Times, direction: 1 | -1): Times {
  const endMs = Date.parse(endTime) + stepToQuarter(endTime, direction) * 60_000
  const minutes = (endMs - Date.parse(startTime)) / 60_000
  return minutes < stepMinutes || minutes > maxMinutes
    ? { startTime, endTime }
    : { startTime, endTime: new Date(endMs).toISOString() }
}

/** The length of the grid's slots. */
export const slotMinutes = 30

/** The span of a length that begins at a time on the reader's clock, such as `2030-01-07 09:00:00`. */
export function timesFrom(wallTime: string, minutes: number): Times {
  const start = new Date(wallTime.replace(' ', 'T'))
  return { startTime: start.toISOString(), endTime: new Date(start.getTime() + minutes * 60_000).toISOString() }
}

/**
 * The time of a new meeting that is dragged from a minute of the day to another one: at least the pressed half hour, and
 * from there on in quarters of an hour.
 */
export function spanBetween(day: string, pressed: number, minute: number): Times {
  const slot = Math.floor(pressed / slotMinutes) * slotMinutes
  const from = Math.min(slot, Math.floor(minute / stepMinutes) * stepMinutes)
  const to = Math.max(slot + slotMinutes, Math.ceil(minute / stepMinutes) * stepMinutes)
  const at = (wanted: number) => {
    const time = new Date(`${day}T00:00:00`)
    time.setHours(0, Math.min(Math.max(wanted, 0), minutesInDay))
    return time.toISOString()
  }
  return { startTime: at(from), endTime: at(to) }
}

/** By how many minutes a date moves to the next quarter of an hour, or the one before. */
export function stepToQuarter(time: string, direction: 1 | -1): number {
  const before = minutesOfDay(new Date(time))
  const beyond = before % stepMinutes
  if (beyond === 0) return direction * stepMinutes
  return direction === 1 ? stepMinutes - beyond : -beyond
}

type KeyOptions = {
  startTime: string
  /** Up and down are weeks. */
  isMonth: boolean
  isRightToLeft: boolean
}

/** By how much an arrow key moves a date: in its direction on the screen. Undefined for other keys. */
export function shiftOfKey(key: string, { startTime, isMonth, isRightToLeft }: KeyOptions): Shift | undefined {
  const vertical = (direction: 1 | -1) =>
    isMonth ? { days: direction * daysInWeek, minutes: 0 } : { days: 0, minutes: stepToQuarter(startTime, direction) }
  const toTheRight = isRightToLeft ? -1 : 1
  switch (key) {
    case 'ArrowUp':
      return vertical(-1)
    case 'ArrowDown':
      return vertical(1)
    case 'ArrowLeft':
      return { days: -toTheRight, minutes: 0 }
    case 'ArrowRight':
      return { days: toTheRight, minutes: 0 }
    default:
      return undefined
  }
}

export const isSameTimes = (one: Times, other: Times): boolean =>
  one.startTime === other.startTime && one.endTime === other.endTime

const dayMs = 24 * 60 * 60 * 1000
const endOfDay = '23:59:59'

type Move = { originalStartTime: string; times: Times }

const later = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** By how many days a date of the series moves, in the series' time zone. */
function daysMoved({ repeatOptions }: SingleMeetingReply, { originalStartTime, times }: Move): number {
  const dayOf = (instant: string) => Date.parse(`${wallTimeOf(instant, repeatOptions.timeZoneIana).date}T00:00Z`)
  return Math.round((dayOf(times.startTime) - dayOf(originalStartTime)) / dayMs)
}

/**
 * Whether more than the one date can be moved like this. The time of day always can. The day can where it is clear what
 * becomes of the rule: a series on one day of the week goes to another one.
 */
export function mayMoveSeries(meeting: SingleMeetingReply, move: Move): boolean {
  const { repeat, daysOfWeek } = meeting.repeatOptions
  return daysMoved(meeting, move) === 0 || (repeat === 'weekly' && daysOfWeek.filter((flag) => flag === 1).length === 1)
}

/**
 * The request that gives the whole series the time of day to which one of its dates was moved. The series keeps its
 * start, whichever date was moved; where the day was moved as well, it starts and ends as many days earlier or later.
 */
export function seriesMoveRequest(meeting: SingleMeetingReply, move: Move): MeetingRequest {
  const { timeZoneIana: zoneId } = meeting.repeatOptions
  const draft = draftOf(meeting)
  const days = daysMoved(meeting, move)
  const date = later(draft.date, days)
  const request = toMeetingRequest(
    {
      ...draft,
      date,
      time: wallTimeOf(move.times.startTime, zoneId).time,
      durationMs: Date.parse(move.times.endTime) - Date.parse(move.times.startTime),
      repeat:
        days === 0 ? draft.repeat : movedDays(draft.repeat, weekdayOf(wallTimeOf(move.times.startTime, zoneId).date)),
    },
    zoneId,
    meeting,
  )
  return {
    ...request,
    repeatOptions: { ...request.repeatOptions, endDate: movedEnd(meeting, request.startTime, days) },
  }
}

/**
 * The request that gives this and all following dates the time of day to which this one was moved. `countBefore` is the
 * number of dates that the series has before.
 */
export function followingMoveRequest(
  meeting: SingleMeetingReply,
  move: Move,
  countBefore: number,
): BodyOf<typeof splitMeeting> {
  const request = { occurrence: move.originalStartTime, ...move.times }
  if (daysMoved(meeting, move) === 0) return request
  const { repeatOptions } = seriesMoveRequest(meeting, move)
  const { count = null } = repeatOptions
  return { ...request, repeatOptions: { ...repeatOptions, ...(count !== null && { count: count - countBefore }) } }
}

/** How much of a series a move is of; `single` for a meeting that does not repeat. */
export type MoveExtent = SeriesExtent | 'single'

/** What a move changes. `countBefore` is the number of dates that the series has before the moved one. */
export function moveChangeOf(
  meeting: SingleMeetingReply,
  { extent, countBefore = 0, ...move }: Move & { extent: MoveExtent; countBefore?: number },
): MoveChange {
  const { startTime, endTime } = move.times
  switch (extent) {
    case 'one':
      return { of: 'date', body: { startTime, endTime } }
    case 'single': {
      const scheduled = toMeetingRequest(draftOf(meeting), meeting.repeatOptions.timeZoneIana, meeting)
      return { of: 'meeting', body: { ...scheduled, startTime, endTime } }
    }
    case 'following':
      return { of: 'following', body: followingMoveRequest(meeting, move, countBefore) }
    case 'all':
      return { of: 'meeting', body: seriesMoveRequest(meeting, move) }
  }
}

const movedDays = (repeat: RepeatDraft, weekday: number): RepeatDraft => ({
  ...repeat,
  repeat: 'weekly',
  weekdays: [weekday],
})

/**
 * The end of the moved series, which has as many dates as before. The end of a day stays one; another end, as other
 * clients set it, moves by as much as the start.
 */
function movedEnd({ startTime, repeatOptions }: SingleMeetingReply, movedStart: string, days: number): string | null {
  const { count, endDate, timeZoneIana: zoneId } = repeatOptions
  if (count !== null || endDate === null) return null
  const { date, time } = wallTimeOf(endDate, zoneId)
  if (time === endOfDay) return instantOf({ date: later(date, days), time }, zoneId)?.toISOString() ?? endDate
  return new Date(Date.parse(endDate) + Date.parse(movedStart) - Date.parse(startTime)).toISOString()
}
