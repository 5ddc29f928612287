import type { BodyOf, MeetingRequest, SingleMeetingReply, splitMeeting } from '@parley/contract'
import { draftOf, toMeetingRequest } from '../../schedule/meeting-draft.ts'
import type { RepeatDraft } from '../../schedule/repeat-draft.ts'
import { instantOf, wallTimeOf, weekdayOf } from '../../schedule/wall-time.ts'
import type { Times } from './moved-times.ts'

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
