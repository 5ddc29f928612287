export const hoursOfDay = 24

/** The usual beginning of a working day; earlier hours need scrolling. */
const defaultFirstHour = 8

/** The first hour in view: the default, unless the current time (for today's column) would be out of view. */
export function firstHourInSight(hoursInSight: number, now: Date | undefined): number {
  if (now === undefined) return defaultFirstHour
  const hour = now.getHours()
  // Leaves an hour below the current time in view.
  const isTooLate = hour + 2 > defaultFirstHour + hoursInSight
  return isTooLate ? Math.ceil(hour + 2 - hoursInSight) : Math.min(defaultFirstHour, hour)
}
