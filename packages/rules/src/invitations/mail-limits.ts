import { occurrences, type Series } from '../recurrence/recurrence.ts'

/**
 * The limits of emails about meetings. The server counts those that an account causes in meetings/mail-allowance.ts, and
 * those that an address gets in invitations/delivery/address-limits.ts.
 */

export const dayMs = 24 * 60 * 60 * 1000

/** Mails about meetings of one account, to five of the largest meetings: more than a busy office needs, and too few for an account that relays spam. */
export const maxMailsADay = 5_000
/** An account may have been created for spam alone. Enough for a school class and its parents. */
export const maxMailsOnFirstDay = 200

/** Mails of one account to one address: enough for a day of appointments with the same person. */
export const maxMailsToOneAddress = 30
export const maxMailsToOneAddressOnFirstDay = 10

/**
 * Mails about meetings to one address from all accounts together: seven accounts at their limit, or a full calendar
 * with reminders.
 */
export const maxMailsToAddressADay = 200

/**
 * Each of these limits has a second allowance of the same size for corrections, mails that restore what an earlier mail
 * cancelled: a guest who was told of a cancellation learns that it was undone. Cancelling and restoring again and again
 * uses up the second allowance, too.
 */
export const correctionsFactor = 2

/** Changes within this time after a mail are combined into one mail. */
export const gatheringMs = 2 * 60 * 1000

/** A person is asked for an answer once a day at most: more would be pressed for impatience alone. */
export const minAskIntervalMs = dayMs

/** Changes to dates that begin within this time are mailed at once. */
const soonMs = 15 * 60 * 1000

/**
 * Whether the limits of an account's first day apply. Administrators are exempt: only an administrator appoints them.
 */
export const isFirstDay = (account: { createdAt: Date; administrator: boolean }, now: Date): boolean =>
  !account.administrator && now.getTime() - account.createdAt.getTime() < dayMs

/**
 * The time until which a change waits for others, so that one mail covers them; undefined when it is due. The first
 * mail of a meeting is due at once, and so is a change to a date that is running or begins soon.
 */
export function gatheredUntil(lastMailAt: Date | null, series: readonly Series[], now: Date): Date | undefined {
  if (lastMailAt === null) return undefined
  const until = new Date(Math.min(lastMailAt.getTime(), now.getTime()) + gatheringMs)
  if (until <= now) return undefined
  const soon = new Date(now.getTime() + soonMs)
  const isSoon = series.some((candidate) => {
    const next = occurrences(candidate, now).find(({ cancelled }) => !cancelled)
    return next !== undefined && next.startsAt <= soon
  })
  return isSoon ? undefined : until
}
