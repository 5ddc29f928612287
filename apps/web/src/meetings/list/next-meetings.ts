import type { DatedMeeting } from './dated-meetings.ts'

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
