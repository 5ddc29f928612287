export const hoursOfDay = 24

/** When most people's day begins; the hours before are a scroll away. */
const defaultFirstHour = 8

/** The hour that a day opens at: the usual one, unless the time of day (where the day is today's) is out of sight then. */
export function firstHourInSight(hoursInSight: number, now: Date | undefined): number {
  if (now === undefined) return defaultFirstHour
  const hour = now.getHours()
  // With an hour of what comes next below it.
  const isTooLate = hour + 2 > defaultFirstHour + hoursInSight
  return isTooLate ? Math.ceil(hour + 2 - hoursInSight) : Math.min(defaultFirstHour, hour)
}
