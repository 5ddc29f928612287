import { chance } from '../clock-and-random.ts'

/**
 * About ten seconds in all: then a new token is asked for. The second is soon, for a media server that was restarted: it
 * has answered the first by saying that it knows nobody.
 */
const delaysMs = [0, 100, 600, 1000, 1500, 2000, 3000] as const

/** LiveKit's own tries to take up a connection again, null when it is to give up. */
export function retryDelayMs(tries: number): number | null {
  const delayMs = delaysMs[tries]
  return delayMs === undefined ? null : delayMs * (0.75 + chance() / 2) + chance() * 100
}
