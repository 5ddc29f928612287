import { useSnapshot, useVisited } from '../room-context.ts'
import { sharedPin } from './shared-pin.ts'

/** What others need to join, never a host's secret. */
export function useInvitation(): { link: string; code: string; pin: string | undefined } {
  const { code, pin } = useVisited()
  const snapshot = useSnapshot()
  const shared = snapshot.pin ?? sharedPin(pin)
  const link = `${window.location.origin}/j/${code}${shared === undefined ? '' : `#pin=${shared}`}`
  return { link, code, pin: shared }
}
