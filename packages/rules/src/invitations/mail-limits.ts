import { occurrences, type Series } from '../recurrence/recurrence.ts'

export const dayMs = 24 * 60 * 60 * 1000

/** Five of the largest meetings: a busy office does not reach it, and an account that relays spam does not get far. */
export const maxInvitationsADay = 5_000
/** On an account's first day, when it may have been made for spam alone: a school class and its parents. */
export const maxInvitationsOnFirstDay = 200

/** Mails of one account to one address: a day of appointments with the same person, and no flood. */
export const maxMailsToOneAddress = 30
export const maxMailsToOneAddressOnFirstDay = 10

/** Mails about meetings to one address, whoever sends them: seven accounts at their limit, or a full calendar with reminders. */
export const maxMailsToAddressADay = 200

/** Changes that follow a mail within this time are gathered into one. */
export const gatheringMs = 2 * 60 * 1000

/** What begins this soon is not held back. */
const soonMs = 15 * 60 * 1000

/** Whether an account has the limits of its first day. Strangers cannot make themselves administrators. */
export const isFirstDay = (account: { createdAt: Date; administrator: boolean }, now: Date): boolean =>
  !account.administrator && now.getTime() - account.createdAt.getTime() < dayMs

/**
 * Until when a change waits for others, so that they become one mail; undefined when it is due. The first mail of a meeting
 * is due at once, and so is what concerns a date that is running or begins soon.
 */
export function gatheredUntil(lastMailAt: Date | null, series: readonly Series[], now: Date): Date | undefined {
  if (lastMailAt === null) return undefined
  const until = new Date(Math.min(lastMailAt.getTime(), now.getTime()) + gatheringMs)
  if (until <= now) return undefined
  const soon = new Date(now.getTime() + soonMs)
  const isSoon = series.some((one) => {
    const next = occurrences(one, now).find(({ excluded }) => !excluded)
    return next !== undefined && next.startsAt <= soon
  })
  return isSoon ? undefined : until
}
