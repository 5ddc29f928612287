import { type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'

const minuteMs = 60_000

/** People come early to try their microphone (rooms.md 1). */
export const opensBeforeMs = 15 * minuteMs
/** A meeting runs over, and somebody comes back for what they forgot to say. */
export const staysOpenAfterMs = 24 * 60 * minuteMs

/**
 * How many times a PIN may be wrong, in how long: for guests of one network, for guests of all networks together, and for
 * a person who is known here and is counted alone.
 */
export const pinLimits = {
  ofPerson: { failures: 5, withinMs: 10 * minuteMs },
  ofAddress: { failures: 5, withinMs: 10 * minuteMs },
  ofMeeting: { failures: 50, withinMs: 60 * minuteMs },
} as const

/** Whom a room lets in: what its meeting says, who comes, and how it stands inside. */
export type AdmissionSituation = {
  meeting: { cancelled: boolean; occurrence: Occurrence | undefined; options: AdmissionOptions } | undefined
  visitor: {
    /** A session, or a token that may join. */
    signedIn: boolean
    /** The verified address of the account is the host's, a cohost's or a participant's; or the host's key was brought. */
    invited: boolean
    colleague: boolean
    /** The host, a cohost, or whoever brought the host's key or the host's PIN. */
    hosts: boolean
    /** The account whose meeting it is: nobody can turn it away. */
    owns: boolean
  }
  /** `paused`: there were too many wrong ones, and none is compared for now. Of no account for hosts and invited accounts. */
  pin: 'right' | 'wrong' | 'missing' | 'paused'
  room: {
    /** The host has ended what this occurrence was. */
    ended: boolean
    locked: boolean
    /** Guests who are new here have to be admitted by a host, as all have under `waitingRoom`. */
    asksNewGuests: boolean
    hostIsIn: boolean
    /** What was decided about this person before, and holds. */
    decision: 'none' | 'admitted' | 'denied' | 'asks_again'
    /** They are in already, or were a moment ago: a door that is shut by now does not put them out. */
    inside: boolean
    /** Those who are in, without this person. */
    others: number
    capacity: number
  }
}

export type AdmissionOptions = {
  loggedInOnly: boolean
  isRestrictedMeeting: boolean
  colleagueOnly: boolean
  joinBeforeHost: boolean
  waitingRoom: boolean
}

export const admissionStates = [
  'not_found',
  'cancelled',
  'ended',
  'locked',
  'sign_in_required',
  'not_invited',
  'slow_down',
  'pin_required',
  'pin_wrong',
  'too_early',
  'waiting_for_host',
  'waiting',
  'denied',
  'full',
  'admitted',
] as const
export type AdmissionState = (typeof admissionStates)[number]

export type Admission = { state: Exclude<AdmissionState, 'too_early'> } | { state: 'too_early'; opensAt: Date }

/**
 * The one place that decides who enters a meeting (rooms.md 1): from the first check to the last, and the first that
 * fails is the answer.
 */
export function evaluateAdmission({ meeting, visitor, pin, room }: AdmissionSituation, now: Date): Admission {
  if (meeting === undefined) return { state: 'not_found' }
  const { cancelled, occurrence, options } = meeting
  if (cancelled) return { state: 'cancelled' }
  if (occurrence === undefined || room.ended) return { state: 'ended' }
  if (room.locked && !room.inside) return { state: 'locked' }
  if (options.loggedInOnly && !visitor.signedIn) return { state: 'sign_in_required' }
  if (options.isRestrictedMeeting && !visitor.invited) return { state: 'not_invited' }
  if (options.colleagueOnly && !visitor.colleague) return { state: 'not_invited' }
  const isTurnedAway = room.decision === 'denied' && !visitor.owns
  const asksAgain = room.decision === 'asks_again' && !visitor.owns
  if (visitor.hosts) return { state: isTurnedAway ? 'denied' : asksAgain ? 'waiting' : 'admitted' }
  if (needsPin(visitor) && pin !== 'right') return { state: pinAnswers[pin] }
  if (room.inside) return { state: 'admitted' }
  if (!options.joinBeforeHost && !room.hostIsIn) return { state: 'waiting_for_host' }
  const opensAt = opensAtOf(occurrence)
  if (options.joinBeforeHost && now < opensAt) return { state: 'too_early', opensAt }
  if (isTurnedAway) return { state: 'denied' }
  const waitsForHost = options.waitingRoom || asksAgain || (room.asksNewGuests && !visitor.invited)
  if (waitsForHost && room.decision !== 'admitted') return { state: 'waiting' }
  return { state: room.others < room.capacity ? 'admitted' : 'full' }
}

/** A person who is known to be the host, a cohost or invited has proven more than a PIN proves. */
export const needsPin = ({ hosts, invited }: Pick<AdmissionSituation['visitor'], 'hosts' | 'invited'>): boolean =>
  !hosts && !invited

const pinAnswers = { paused: 'slow_down', missing: 'pin_required', wrong: 'pin_wrong' } as const

/** When an occurrence opens for those who may come before the host. */
export const opensAtOf = ({ startsAt }: Occurrence): Date => new Date(startsAt.getTime() - opensBeforeMs)

/**
 * The occurrence that somebody who comes now comes for, of those that are not skipped: the one that is open and not over,
 * else the last one that has not been over for a day, else the next. Undefined when the meeting is over.
 */
export function occurrenceToEnter(series: Series, now: Date): Occurrence | undefined {
  let lastOver: Occurrence | undefined
  for (const occurrence of occurrences(series, new Date(now.getTime() - staysOpenAfterMs))) {
    if (occurrence.excluded) continue
    if (now < opensAtOf(occurrence)) return lastOver ?? occurrence
    if (now < occurrence.endsAt) return occurrence
    lastOver = occurrence
  }
  return lastOver
}
