export type Times = { startTime: string; endTime: string }

/** By how much a date moves on the clock. */
type Shift = { days: number; minutes: number }

/** Meetings are moved to quarters of an hour. */
const stepMinutes = 15
const minutesInDay = 24 * 60
const daysInWeek = 7

const minutesOfDay = (at: Date) => at.getHours() * 60 + at.getMinutes()

/**
 * Move a date by days and minutes on the reader's clock; its length stays. A time that clocks skip becomes later by the
 * skipped time.
 */
export function moveTimes({ startTime, endTime }: Times, { days, minutes }: Shift): Times {
  if (days === 0 && minutes === 0) return { startTime, endTime }
  const start = new Date(startTime)
  const moved = new Date(start)
  moved.setDate(start.getDate() + days)
  moved.setHours(start.getHours(), start.getMinutes() + minutes)
  const lengthMs = Date.parse(endTime) - start.getTime()
  return { startTime: moved.toISOString(), endTime: new Date(moved.getTime() + lengthMs).toISOString() }
}

/**
 * By how many minutes a date moves that was dragged by some: it starts at a quarter of an hour of the same day. One
 * that was hardly dragged stays.
 */
export function snapMinutes(startTime: string, dragged: number): number {
  if (Math.abs(dragged) < stepMinutes / 2) return 0
  const before = minutesOfDay(new Date(startTime))
  const target = Math.round((before + dragged) / stepMinutes) * stepMinutes
  return Math.min(Math.max(target, 0), minutesInDay - stepMinutes) - before
}

/** By how many minutes a date moves to the next quarter of an hour, or the one before. */
export function stepToQuarter(startTime: string, direction: 1 | -1): number {
  const before = minutesOfDay(new Date(startTime))
  const beyond = before % stepMinutes
  if (beyond === 0) return direction * stepMinutes
  return direction === 1 ? stepMinutes - beyond : -beyond
}

type KeyOptions = {
  startTime: string
  /** Up and down are weeks. */
  isMonth: boolean
  isRightToLeft: boolean
}

/** By how much an arrow key moves a date: in its direction on the screen. Undefined for other keys. */
export function shiftOfKey(key: string, { startTime, isMonth, isRightToLeft }: KeyOptions): Shift | undefined {
  const vertical = (direction: 1 | -1) =>
    isMonth ? { days: direction * daysInWeek, minutes: 0 } : { days: 0, minutes: stepToQuarter(startTime, direction) }
  const toTheRight = isRightToLeft ? -1 : 1
  switch (key) {
    case 'ArrowUp':
      return vertical(-1)
    case 'ArrowDown':
      return vertical(1)
    case 'ArrowLeft':
      return { days: -toTheRight, minutes: 0 }
    case 'ArrowRight':
      return { days: toTheRight, minutes: 0 }
    default:
      return undefined
  }
}

export const isSameTimes = (one: Times, other: Times): boolean =>
  one.startTime === other.startTime && one.endTime === other.endTime
