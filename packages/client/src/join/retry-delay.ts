import { random } from '../clock-and-random.ts'

/**
 * About ten seconds in all; after that the client enters again for a new token. The second attempt is early, for a
 * media server that was restarted and has rejected the first because it does not know the participant.
 */
const delaysMs = [0, 100, 600, 1000, 1500, 2000, 3000] as const

/** The delay of LiveKit's own attempts to resume a connection; null to give up. */
export function retryDelayMs(attempts: number): number | null {
  const delayMs = delaysMs[attempts]
  return delayMs === undefined ? null : delayMs * (0.75 + random() / 2) + random() * 100
}
