import type { Occurrence } from '../recurrence/recurrence.ts'

/** An occurrence, by what names it. */
type Named = Pick<Occurrence, 'originalStart'>

/** An admission lasts as long as the longest meeting. */
export const admissionHoldsMs = 24 * 60 * 60_000
/**
 * A waiting visitor who has not been seen for this long no longer waits. The serving instance notices a closed page
 * sooner; this covers visitors whose instance has died.
 */
export const waitsUnseenMs = 20_000

/** The stored admission of a visitor who asked to enter before. */
export type StoredAdmission = {
  state: 'waiting_for_host' | 'waiting' | 'admitted' | 'denied'
  /** The original start of the occurrence that they want to enter. */
  occurrenceAt: Date
  askedAt: Date
  decidedAt: Date | null
  seenAt: Date
  inside: boolean
  /** The visitor has been in the room since admission. */
  hasEntered: boolean
  /** The visitor is inside, or was inside earlier in the call that is in progress. */
  inCall: boolean
}

/** `asks_again`: a host denied or removed them; they have asked again and wait for the answer. */
export type EarlierDecision = 'none' | 'admitted' | 'denied' | 'asks_again'

/** The pause before a denied visitor may ask again, so that a host is not asked constantly. */
const askAgainAfterMs = 60_000

/** How long a denied visitor must still wait before asking again, in milliseconds; 0 when they may ask now. */
export const askAgainInMs = ({ decidedAt }: Pick<StoredAdmission, 'decidedAt'>, now: Date): number =>
  decidedAt === null ? 0 : Math.max(0, decidedAt.getTime() + askAgainAfterMs - now.getTime())

/**
 * Find the earlier decision about a visitor that still holds. An admission holds for one occurrence, for a day, and
 * until the host ends the occurrence; or until the call in which the visitor was ends. A denial holds until a host
 * decides otherwise: a visitor who asks again and leaves without an answer is denied as before.
 */
export function decisionOf(
  admission: StoredAdmission | undefined,
  { occurrence, endedAt }: { occurrence: Named | undefined; endedAt: Date | null },
  now: Date,
): EarlierDecision {
  if (admission?.state === 'denied') return 'denied'
  // Other waiting visitors have no decision yet.
  if (admission !== undefined && admission.state !== 'admitted' && admission.decidedAt !== null) {
    return stillWaits(admission, now) ? 'asks_again' : 'denied'
  }
  if (admission?.state !== 'admitted' || isEndedFor(admission, endedAt)) return 'none'
  if (admission.inCall) return 'admitted'
  const isForThisOne = admission.occurrenceAt.getTime() === occurrence?.originalStart.getTime()
  const heldMs = now.getTime() - (admission.decidedAt ?? admission.askedAt).getTime()
  return isForThisOne && heldMs < admissionHoldsMs ? 'admitted' : 'none'
}

/** A host's stored setting to approve new guests; `asksNewGuestsFor` is the original start of an occurrence. */
type ApprovalRequirement = { asksNewGuestsSince: Date | null; asksNewGuestsFor: Date | null }

/**
 * Since when new guests wait to be admitted; undefined when they do not. In a series the setting applies to one date; a
 * single meeting may have been moved since.
 */
export function asksNewGuestsSince(
  { asksNewGuestsSince: since, asksNewGuestsFor: date }: ApprovalRequirement,
  { occurrence, repeats }: { occurrence: Named | undefined; repeats: boolean },
): Date | undefined {
  const isForThisOne = !repeats || date?.getTime() === occurrence?.originalStart.getTime()
  return since !== null && isForThisOne ? since : undefined
}

/**
 * Whether a guest who was admitted before counts as new: they have not been inside, and no host has admitted them
 * since. A person who was removed may have asked to enter with a second browser beforehand.
 */
export const isNewGuest = (
  { inside, hasEntered, decidedAt, askedAt }: Pick<StoredAdmission, 'inside' | 'hasEntered' | 'decidedAt' | 'askedAt'>,
  since: Date,
): boolean => !inside && !hasEntered && (decidedAt ?? askedAt) < since

/**
 * Whether the visitor asked before the host ended the meeting. The end then applies to the visitor even if the
 * occurrence itself is still to come.
 */
export const isEndedFor = ({ askedAt }: Pick<StoredAdmission, 'askedAt'>, endedAt: Date | null): boolean =>
  endedAt !== null && askedAt <= endedAt

/** Whether a waiting visitor is still there. */
export const stillWaits = ({ state, seenAt }: Pick<StoredAdmission, 'state' | 'seenAt'>, now: Date): boolean =>
  (state === 'waiting' || state === 'waiting_for_host') && now.getTime() - seenAt.getTime() < waitsUnseenMs
