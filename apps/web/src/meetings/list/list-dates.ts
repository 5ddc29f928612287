import { opensBeforeMs } from '@parley/rules/rooms/admission'
import { addDays, type Day, dayOf } from '../../ui/date-time/days.ts'
import type { AgendaDate } from './list-queries.ts'

type StartAndEnd = Pick<AgendaDate, 'startTime' | 'endTime'>
type InRoom = StartAndEnd & Pick<AgendaDate, 'room'>

/** A date of a meeting, as a key: its meeting has others. */
export const keyOf = ({ meetingId, originalStartTime }: Pick<AgendaDate, 'meetingId' | 'originalStartTime'>): string =>
  `${meetingId} ${originalStartTime}`

type ListDay<Dated> = { day: Day; kind: 'today' | 'tomorrow' | 'later'; dates: Dated[] }

/** Group upcoming dates by day, in order. A date that began on an earlier day and still runs is under today. */
export function daysOf<Dated extends StartAndEnd>(dates: readonly Dated[], now: Date): ListDay<Dated>[] {
  const today = dayOf(now)
  const tomorrow = addDays(today, 1)
  const kindOf = (day: Day) => (day === today ? 'today' : day === tomorrow ? 'tomorrow' : 'later')
  const days = Map.groupBy(dates, ({ startTime }) => {
    const day = dayOf(new Date(startTime))
    const hasBegun = day < today
    return hasBegun ? today : day
  })
  return [...days].map(([day, ofDay]) => ({ day, kind: kindOf(day), dates: ofDay }))
}

/** Group past dates by month, in order. */
export const monthsOf = <Dated extends StartAndEnd>(dates: readonly Dated[]): { month: string; dates: Dated[] }[] =>
  [...Map.groupBy(dates, ({ startTime }) => dayOf(new Date(startTime)).slice(0, 7))].map(([month, ofMonth]) => ({
    month,
    dates: ofMonth,
  }))

/** Whether to offer joining: from 15 minutes before the start until the end, and while people are inside. */
export function canJoinNow({ startTime, endTime, room }: InRoom, now: Date): boolean {
  if (room !== undefined) return room === 'occupied'
  return now.getTime() >= Date.parse(startTime) - opensBeforeMs && now.getTime() < Date.parse(endTime)
}

/** Whether a date is over by the clock and its room is empty. */
export const isOver = ({ endTime, room }: InRoom, now: Date): boolean =>
  room !== 'occupied' && Date.parse(endTime) <= now.getTime()

type CurrentGroup<Dated> = {
  /** `running`: people are inside; `scheduled`: it is time, and the room is empty. */
  kind: 'running' | 'scheduled'
  dates: readonly Dated[]
}

/**
 * Choose the dates to join now. The room's state decides what is running, not the clock: a meeting that its host ended
 * is not running, one that runs over is.
 */
export function currentDates<Dated extends InRoom>(dates: readonly Dated[], now: Date): CurrentGroup<Dated>[] {
  const isNow = ({ startTime, endTime }: StartAndEnd) => new Date(startTime) <= now && new Date(endTime) > now
  const groups: CurrentGroup<Dated>[] = [
    { kind: 'running', dates: dates.filter(({ room }) => room === 'occupied') },
    { kind: 'scheduled', dates: dates.filter((date) => isNow(date) && date.room === undefined) },
  ]
  return groups.filter(({ dates: ofKind }) => ofKind.length > 0)
}
