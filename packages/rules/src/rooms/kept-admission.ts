import type { Occurrence } from '../recurrence/recurrence.ts'

/** Nobody is let in for longer than the longest meeting: who comes tomorrow is asked again. */
export const admissionHoldsMs = 24 * 60 * 60_000
/**
 * Who waits and was not seen for this long waits no longer. An instance that notices a closed page says so sooner; this is
 * for people whose instance has died.
 */
export const waitsUnseenMs = 20_000

/** What is kept of somebody who asked to enter before. */
export type KeptAdmission = {
  state: 'waiting_for_host' | 'waiting' | 'admitted' | 'denied'
  /** The start of the occurrence that they asked for. */
  occurrenceAt: Date
  askedAt: Date
  decidedAt: Date | null
  seenAt: Date
  inside: boolean
  /** They have been inside since they were let in. */
  hasEntered: boolean
}

/** `asks_again`: a host turned them away or removed them, they have asked once more, and wait for the answer. */
export type KeptDecision = 'none' | 'admitted' | 'denied' | 'asks_again'

/** Whoever was turned away may ask again after this, so that nobody rings at the host's door without a pause. */
export const askAgainAfterMs = 60_000

/** How long somebody who was turned away has to wait before they may ask again, in milliseconds; 0 when they may. */
export const askAgainInMs = ({ decidedAt }: Pick<KeptAdmission, 'decidedAt'>, now: Date): number =>
  decidedAt === null ? 0 : Math.max(0, decidedAt.getTime() + askAgainAfterMs - now.getTime())

/**
 * What was decided about somebody before and still holds. Let in is let in for one occurrence, for a day, and until the
 * host ends it; or for as long as they stay inside. Turned away is turned away until a host decides otherwise: who asks
 * again and leaves without an answer is turned away as before.
 */
export function decisionOf(
  kept: KeptAdmission | undefined,
  { occurrence, endedAt }: { occurrence: Occurrence | undefined; endedAt: Date | null },
  now: Date,
): KeptDecision {
  if (kept?.state === 'denied') return 'denied'
  // Nothing was decided about anybody else who waits.
  if (kept !== undefined && kept.state !== 'admitted' && kept.decidedAt !== null) {
    return stillWaits(kept, now) ? 'asks_again' : 'denied'
  }
  if (kept?.state !== 'admitted' || isEndedFor(kept, endedAt)) return 'none'
  if (kept.inside) return 'admitted'
  const isForThisOne = kept.occurrenceAt.getTime() === occurrence?.startsAt.getTime()
  const heldMs = now.getTime() - (kept.decidedAt ?? kept.askedAt).getTime()
  return isForThisOne && heldMs < admissionHoldsMs ? 'admitted' : 'none'
}

/** What a host has said about new guests, as it is kept. */
export type NewGuestsAsked = { asksNewGuestsSince: Date | null; asksNewGuestsFor: Date | null }

/**
 * Since when new guests wait to be admitted; undefined when they do not. Of a series it was said for one date; a meeting
 * that takes place once may be moved meanwhile.
 */
export function asksNewGuestsSince(
  { asksNewGuestsSince: since, asksNewGuestsFor: date }: NewGuestsAsked,
  { occurrence, repeats }: { occurrence: Occurrence | undefined; repeats: boolean },
): Date | undefined {
  const isForThisOne = !repeats || date?.getTime() === occurrence?.startsAt.getTime()
  return since !== null && isForThisOne ? since : undefined
}

/**
 * Whether a guest who was let in before counts as new: they have not been inside, and no host has admitted them since. A
 * person who was removed may have asked to enter with a second browser beforehand.
 */
export const isNewGuest = (
  { inside, hasEntered, decidedAt, askedAt }: Pick<KeptAdmission, 'inside' | 'hasEntered' | 'decidedAt' | 'askedAt'>,
  since: Date,
): boolean => !inside && !hasEntered && (decidedAt ?? askedAt) < since

/** Whoever came before the host ended what went on is out, also when the occurrence itself is yet to come. */
export const isEndedFor = ({ askedAt }: Pick<KeptAdmission, 'askedAt'>, endedAt: Date | null): boolean =>
  endedAt !== null && askedAt <= endedAt

/** Whether somebody who waits is still there. */
export const stillWaits = ({ state, seenAt }: Pick<KeptAdmission, 'state' | 'seenAt'>, now: Date): boolean =>
  (state === 'waiting' || state === 'waiting_for_host') && now.getTime() - seenAt.getTime() < waitsUnseenMs
