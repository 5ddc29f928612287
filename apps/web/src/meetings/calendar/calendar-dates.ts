import type { ScheduleEventData } from '@mantine/schedule'
import type { listCalendar, ReplyOf } from '@parley/contract'
import { wallTimeHere } from './calendar-range.ts'

/** A meeting at one of its dates, as the calendar shows it. */
export type CalendarDate = ReplyOf<typeof listCalendar>['occurrences'][number]

/** Identify a date, wherever it is moved. The original time of a single meeting moves with it. */
export const dateKeyOf = ({ meetingId, originalStartTime, recur }: CalendarDate): string =>
  recur ? `${meetingId} ${originalStartTime}` : meetingId

/** Whether two dates are the same one, wherever it is moved. */
export const isSameDate = (one: CalendarDate, other: CalendarDate): boolean => dateKeyOf(one) === dateKeyOf(other)

/** Identify the element of a date in the grid. */
export const placeOf = ({ meetingId, startTime }: Pick<CalendarDate, 'meetingId' | 'startTime'>): string =>
  `${meetingId} ${startTime}`

/** Hosts and cohosts move dates that are not over. */
export const isMovable = ({ role, endTime, status }: CalendarDate, now: Date): boolean =>
  role !== 'participant' && status !== 'cancelled' && new Date(endTime) > now

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

/** Whether an event of the grid has the end of its date: not the evening of one that goes on after midnight. */
export function isLastPiece({ end, payload }: ScheduleEventData): boolean {
  const whole = wallTimeHere((payload as CalendarDate).endTime)
  return end === whole || whole.endsWith(' 00:00:00')
}
