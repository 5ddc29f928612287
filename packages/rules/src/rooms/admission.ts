import type { AdvancedOptions, RoomState } from '@parley/contract'
import { type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'

const minuteMs = 60_000

/** People join early to test their microphone. */
export const opensBeforeMs = 15 * minuteMs
/** Meetings overrun, and participants come back after the end. */
export const staysOpenAfterMs = 24 * 60 * minuteMs

/**
 * How many wrong PINs are allowed, and in which period: for all guests from one network, for all guests of one meeting,
 * and for an identified person, who is counted separately.
 */
export const pinLimits = {
  ofPerson: { failures: 5, withinMs: 10 * minuteMs },
  ofNetwork: { failures: 5, withinMs: 10 * minuteMs },
  ofMeeting: { failures: 50, withinMs: 60 * minuteMs },
} as const

/** Everything an admission depends on: the meeting, the visitor and the state of the room. */
export type AdmissionSituation = {
  meeting: (CancellableMeeting & { occurrence: Occurrence | undefined; options: AdmissionOptions }) | undefined
  visitor: {
    /** A session, or a token that may join. */
    signedIn: boolean
    /**
     * The account's verified address belongs to the host, a cohost or a participant; or the visitor presented the host
     * key.
     */
    invited: boolean
    colleague: boolean
    /** The host, a cohost, or a visitor who presented the host key or the host PIN. */
    hosts: boolean
    /** The account owns the meeting and cannot be denied entry. */
    owns: boolean
  }
  /** `paused`: after too many wrong PINs, no PIN is compared for a while. Not used for hosts and invited accounts. */
  pin: 'right' | 'wrong' | 'missing' | 'paused'
  room: {
    /** The host has ended this occurrence. */
    ended: boolean
    locked: boolean
    /** New guests must be admitted by a host, as all visitors must with `waitingRoom`. */
    approvalRequired: boolean
    hostIsIn: boolean
    /** The earlier decision about this person that still holds. */
    decision: 'none' | 'admitted' | 'denied' | 'asks_again'
    /** The visitor is in the room, or was a moment ago: locking the room does not remove them. */
    inside: boolean
    /** The visitor is or was in the call that is in progress, which continues after a cancellation. */
    inCall: boolean
    /** The date that the visitor was admitted to has been cancelled since. */
    dateCancelled: boolean
    /** The number of people in the room, without this visitor. */
    others: number
    capacity: number
  }
}

type CancellableMeeting = { cancelledAt: Date | null; repeats: boolean }

export type AdmissionOptions = Pick<
  AdvancedOptions,
  'loggedInOnly' | 'isRestrictedMeeting' | 'colleagueOnly' | 'joinBeforeHost' | 'waitingRoom'
>

/** What a visitor is answered: the first check that fails, or `admitted`. */
export type AdmissionVerdict = { state: Exclude<RoomState, 'too_early'> } | { state: 'too_early'; opensAt: Date }

/**
 * Decide who enters a meeting. The checks run in a fixed order; the first one that fails is the answer
 * (docs/rooms.md, "Enter").
 */
export function evaluateAdmission({ meeting, visitor, pin, room }: AdmissionSituation, now: Date): AdmissionVerdict {
  if (meeting === undefined) return { state: 'not_found' }
  const { occurrence, options } = meeting
  const isHeldNow = isHeld(meeting, occurrence) && (now < occurrence.endsAt || room.inside)
  const isCancelled = (meeting.cancelledAt !== null && !isHeldNow) || room.dateCancelled
  // A call that is in progress outlives the cancellation, for the people in it, until they have left.
  if (isCancelled && !(room.inCall && !room.ended)) return { state: 'cancelled' }
  if (room.ended || (occurrence === undefined && !isCancelled)) return { state: 'ended' }
  if (room.locked && !room.inside) return { state: 'locked' }
  if (options.loggedInOnly && !visitor.signedIn) return { state: 'sign_in_required' }
  if (options.isRestrictedMeeting && !visitor.invited) return { state: 'not_invited' }
  if (options.colleagueOnly && !visitor.colleague) return { state: 'not_invited' }
  const isDenied = room.decision === 'denied' && !visitor.owns
  const asksAgain = room.decision === 'asks_again' && !visitor.owns
  if (visitor.hosts) return { state: isDenied ? 'denied' : asksAgain ? 'waiting' : 'admitted' }
  if (needsPin(visitor) && pin !== 'right') return { state: pinAnswers[pin] }
  if (room.inside || occurrence === undefined) return { state: 'admitted' }
  if (!options.joinBeforeHost && !room.hostIsIn) return { state: 'waiting_for_host' }
  const opensAt = opensAtOf(occurrence)
  if (options.joinBeforeHost && now < opensAt) return { state: 'too_early', opensAt }
  if (isDenied) return { state: 'denied' }
  const needsHostDecision = options.waitingRoom || asksAgain || (room.approvalRequired && !visitor.invited)
  if (needsHostDecision && room.decision !== 'admitted') return { state: 'waiting' }
  return { state: room.others < room.capacity ? 'admitted' : 'full' }
}

/**
 * Whether an occurrence takes place: of a cancelled series, the occurrence that was running at its cancellation
 * continues to its end. Visitors enter until then; visitors who have been inside may stay longer, as in any meeting.
 */
export const isHeld = (
  { cancelledAt, repeats }: CancellableMeeting,
  occurrence: Occurrence | undefined,
): occurrence is Occurrence =>
  occurrence !== undefined && (cancelledAt === null || (repeats && occurrence.endsAt > cancelledAt))

/** Hosts and invited people are identified by more than a PIN. */
export const needsPin = ({ hosts, invited }: Pick<AdmissionSituation['visitor'], 'hosts' | 'invited'>): boolean =>
  !hosts && !invited

const pinAnswers = { paused: 'slow_down', missing: 'pin_required', wrong: 'pin_wrong' } as const

/** When an occurrence opens for visitors who may join before the host. */
export const opensAtOf = ({ startsAt }: Pick<Occurrence, 'startsAt'>): Date =>
  new Date(startsAt.getTime() - opensBeforeMs)

/**
 * Find the occurrence that a visitor who arrives now enters, among those that are not skipped: the open one, else the
 * last one that ended less than a day ago, else the next one. Undefined when the meeting is over.
 */
export function occurrenceToEnter(series: Series, now: Date): Occurrence | undefined {
  let lastOver: Occurrence | undefined
  for (const occurrence of occurrences(series, new Date(now.getTime() - staysOpenAfterMs))) {
    if (occurrence.cancelled) continue
    if (now < opensAtOf(occurrence)) return lastOver ?? occurrence
    if (now < occurrence.endsAt) return occurrence
    lastOver = occurrence
  }
  return lastOver
}
