import type { ScheduleEventData } from '@mantine/schedule'
import type { DatedMeeting } from '../list/dated-meetings.ts'
import { wallTimeHere } from './calendar-range.ts'

/** A date of a meeting as an event of the grid, in local time. */
export function wholeOf({ meetingId, topic, startTime, endTime }: DatedMeeting): ScheduleEventData {
  return {
    id: `${meetingId} ${startTime}`,
    title: topic,
    start: wallTimeHere(startTime),
    end: wallTimeHere(endTime),
    color: 'accent',
    payload: { meetingId, startTime, endTime },
  }
}

/** The same for day columns: an event that passes midnight becomes two pieces. */
export function piecesOf(meeting: DatedMeeting): ScheduleEventData[] {
  const whole = wholeOf(meeting)
  const [startDay, endDay] = [String(whole.start).slice(0, 10), String(whole.end).slice(0, 10)]
  if (startDay === endDay) return [whole]
  const evening = { ...whole, end: `${startDay} 23:59:59` }
  // An event that ends at midnight has no second piece.
  if (whole.end === `${endDay} 00:00:00`) return [evening]
  return [evening, { ...whole, id: `${whole.id} after midnight`, start: `${endDay} 00:00:00` }]
}
