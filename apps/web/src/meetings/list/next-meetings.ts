import type { DatedMeeting } from './dated-meetings.ts'

export type MeetingGroup = {
  /** `running`: people are inside; `scheduled`: it is their time, and nobody is; `title`: the next one. */
  kind: 'running' | 'scheduled' | 'title'
  meetings: readonly DatedMeeting[]
}

/**
 * What to join first, of dates in order of their start. The room says what is running, whatever the clock does: a meeting
 * that a host has ended is not, one that runs over is.
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
