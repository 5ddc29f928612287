import { opensBeforeMs } from '@parley/rules/rooms/admission'
import { addDays, type Day, dayOf } from '../calendar/calendar-range.ts'
import type { DatedMeeting } from '../meeting-queries.ts'

type Times = { startTime: string; endTime: string }
type Listed = Times & { _id: string; nextOccurrence?: Times }

/** The time of a listed meeting; for a series, of the listed date. */
export const timesOf = ({ nextOccurrence, startTime, endTime }: Listed): Times =>
  nextOccurrence ?? { startTime, endTime }

type ListDay<Meeting> = { day: Day; kind: 'today' | 'tomorrow' | 'later'; meetings: Meeting[] }

/** Group upcoming meetings by day, in order. A meeting that began on an earlier day and still runs is under today. */
export function daysOf<Meeting extends Listed>(meetings: readonly Meeting[], now: Date): ListDay<Meeting>[] {
  const today = dayOf(now)
  const tomorrow = addDays(today, 1)
  const kindOf = (day: Day) => (day === today ? 'today' : day === tomorrow ? 'tomorrow' : 'later')
  const days = Map.groupBy(meetings, (meeting) => {
    const day = dayOf(new Date(timesOf(meeting).startTime))
    const hasBegun = day < today
    return hasBegun ? today : day
  })
  return [...days].map(([day, ofDay]) => ({ day, kind: kindOf(day), meetings: ofDay }))
}

/** Whether to offer joining: from 15 minutes before the start until the end, and while people are inside. */
export function canJoinNow(meeting: Listed, dates: readonly DatedMeeting[], now: Date): boolean {
  const current = dates.find(({ meetingId, room }) => meetingId === meeting._id && room !== undefined)
  if (current?.room === 'occupied') return true
  const { startTime, endTime } = timesOf(meeting)
  if (current?.startTime === startTime) return false
  return now.getTime() >= Date.parse(startTime) - opensBeforeMs && now.getTime() < Date.parse(endTime)
}

type MeetingGroup = {
  /** `running`: people are inside; `scheduled`: it is time, and the room is empty; `title`: the next one. */
  kind: 'running' | 'scheduled' | 'title'
  meetings: readonly DatedMeeting[]
}

/**
 * Choose the meetings to join first from dates in order of their start. The room's state decides what is running, not
 * the clock: a meeting that its host ended is not running, one that runs over is.
 */
export function nextMeetings(dates: readonly DatedMeeting[], now: Date): readonly MeetingGroup[] {
  const isNow = ({ startTime, endTime }: DatedMeeting) => new Date(startTime) <= now && new Date(endTime) > now
  const groups: MeetingGroup[] = [
    { kind: 'running', meetings: dates.filter(({ room }) => room === 'occupied') },
    { kind: 'scheduled', meetings: dates.filter((date) => isNow(date) && date.room === undefined) },
  ]
  const current = groups.filter(({ meetings }) => meetings.length > 0)
  if (current.length > 0) return current
  const next = dates.find(({ startTime, room }) => new Date(startTime) > now && room !== 'ended')
  return [{ kind: 'title', meetings: next === undefined ? [] : [next] }]
}
