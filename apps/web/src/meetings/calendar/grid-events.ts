import type { ScheduleEventData } from '@mantine/schedule'
import { wallTimeHere } from './calendar-range.ts'
import type { CalendarDate } from './move/calendar-date.ts'

/** A date of a meeting as an event of the grid, in local time. */
export function wholeOf(date: CalendarDate): ScheduleEventData {
  const { meetingId, topic, startTime, endTime } = date
  return {
    id: `${meetingId} ${startTime}`,
    title: topic,
    start: wallTimeHere(startTime),
    end: wallTimeHere(endTime),
    color: 'accent',
    payload: date,
  }
}

/** The same for day columns: an event that passes midnight becomes two pieces. */
export function piecesOf(date: CalendarDate): ScheduleEventData[] {
  const whole = wholeOf(date)
  const [startDay, endDay] = [String(whole.start).slice(0, 10), String(whole.end).slice(0, 10)]
  if (startDay === endDay) return [whole]
  const evening = { ...whole, end: `${startDay} 23:59:59` }
  // An event that ends at midnight has no second piece.
  if (whole.end === `${endDay} 00:00:00`) return [evening]
  return [evening, { ...whole, id: `${whole.id} after midnight`, start: `${endDay} 00:00:00` }]
}
