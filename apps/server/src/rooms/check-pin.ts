import { hash, timingSafeEqual } from 'node:crypto'
import { networkOf } from '../access/network.ts'
import type { AttemptLimits, LimitName } from '../accounts/attempt-limits.ts'
import { ProblemError } from '../platform/problem.ts'
import type { DoorSecrets } from './door-secrets.ts'

export type SentSecrets = { pin: string | undefined; hostKey: string | undefined }

export type PinCheck =
  | { pin: 'missing' | 'wrong'; hosts: false }
  /** `hosts`: it was the host's key or the host's PIN. */
  | { pin: 'right'; hosts: boolean }
  | { pin: 'paused'; hosts: false; retryAfterSeconds: number }

/**
 * Compares what somebody brought to a meeting's door with its secrets, in constant time and under the limits on failures
 * (rooms.md 1). Once a limit is reached the right PIN is refused as well, so that many guesses sent at once tell no more
 * than as many sent one after the other.
 */
export async function checkPin(
  limits: AttemptLimits,
  { pin, hostKey }: SentSecrets,
  secrets: DoorSecrets,
  { meetingId, address }: { meetingId: string; address: string },
): Promise<PinCheck> {
  if (!pin?.trim() && !hostKey?.trim()) return { pin: 'missing', hosts: false }
  const counters: [LimitName, string][] = [
    ['wrongPinsOfNetwork', `${meetingId} ${networkOf(address)}`],
    ['wrongPinsOfMeeting', meetingId],
  ]
  const requireAnotherTry = () => Promise.all(counters.map(([limit, key]) => limits.require(limit, key)))
  try {
    await requireAnotherTry()
    // One guess is counted, so one is made.
    const sent = hostKey?.trim() || (pin ?? '').trim()
    const isHostKey = secrets.ofHost.map((secret) => isSame(sent, secret))
    const isPin = isSame((pin ?? '').trim().toLowerCase(), secrets.pin)
    const hosts = isHostKey.includes(true)
    // A host's key that is not right makes nobody a host, whatever the PIN is.
    if (hosts || (isPin && !hostKey?.trim())) {
      await requireAnotherTry()
      return { pin: 'right', hosts }
    }
    const counted = await Promise.allSettled(counters.map(([limit, key]) => limits.count(limit, key)))
    for (const result of counted) if (result.status === 'rejected') throw result.reason
    return { pin: 'wrong', hosts: false }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'too_many_requests') throw error
    return { pin: 'paused', hosts: false, retryAfterSeconds: Number(error.headers['retry-after'] ?? 1) }
  }
}

/** The time it takes says nothing, not even of the length: hashes are compared. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
