import { useSnapshot, useVisited } from '../room-context.ts'

/** What others need to join, never a host's secret. */
export function useInvitation(): { link: string; code: string; pin: string | undefined } {
  const { code, pin } = useVisited()
  const snapshot = useSnapshot()
  const shared = snapshot.pin ?? sharedPin(pin)
  const link = `${window.location.origin}/j/${code}${shared === undefined ? '' : `#pin=${shared}`}`
  return { link, code, pin: shared }
}

/**
 * A meeting's PIN has six letters and digits; the host's PIN for phones is longer (docs/meetings.md,
 * "Who sees what").
 */
const pinOfMeeting = /^[a-z0-9]{6}$/i

/** The PIN for an invitation; undefined when the caller joined with a host's secret. */
export const sharedPin = (pin: string | undefined): string | undefined =>
  pin !== undefined && pinOfMeeting.test(pin) ? pin.toLowerCase() : undefined
