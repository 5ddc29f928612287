import type { ScheduleEventData } from '@mantine/schedule'
import type { DatedMeeting } from '../list/dated-meetings.ts'
import { wallTimeHere } from './calendar-range.ts'

/** A date of a meeting as the grid takes it, on the clock here. */
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

/** The same for columns of days: what passes midnight, as a night shift does, in two pieces. */
export function piecesOf(meeting: DatedMeeting): ScheduleEventData[] {
  const whole = wholeOf(meeting)
  const [startDay, endDay] = [String(whole.start).slice(0, 10), String(whole.end).slice(0, 10)]
  if (startDay === endDay) return [whole]
  const evening = { ...whole, end: `${startDay} 23:59:59` }
  // One that ends at midnight has nothing on the day after.
  if (whole.end === `${endDay} 00:00:00`) return [evening]
  return [evening, { ...whole, id: `${whole.id} after midnight`, start: `${endDay} 00:00:00` }]
}
