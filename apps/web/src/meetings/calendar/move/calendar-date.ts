import type { listCalendar, ReplyOf } from '@parley/contract'

/** A meeting at one of its dates, as the calendar shows it. */
export type CalendarDate = ReplyOf<typeof listCalendar>['occurrences'][number]

/** Whether two dates are the same one, wherever it is moved. */
export const isSameDate = (one: CalendarDate, other: CalendarDate): boolean =>
  one.meetingId === other.meetingId && one.originalStartTime === other.originalStartTime

/** Identify the element of a date in the grid. */
export const placeOf = ({ meetingId, startTime }: Pick<CalendarDate, 'meetingId' | 'startTime'>): string =>
  `${meetingId} ${startTime}`

/** Hosts and cohosts move dates that are not over. */
export const isMovable = ({ role, endTime, status }: CalendarDate, now: Date): boolean =>
  role !== 'participant' && status !== 'cancelled' && new Date(endTime) > now
