import { networkOf } from '../../access/network.ts'
import type { AttemptLimits } from '../../accounts/sign-in/attempt-limits.ts'
import { isSameSecret } from '../../platform/sha256.ts'
import type { EntrySecrets } from './entry-secrets.ts'
import { countFailure, type FailureCounters, findPause } from './failed-attempts.ts'

type SentSecrets = { pin: string | undefined; hostKey: string | undefined }

type SecretsCheck =
  | { pin: 'missing' | 'wrong'; hosts: false }
  /** `hosts`: the right secret was the host key or the host PIN. */
  | { pin: 'right'; hosts: boolean }
  | { pin: 'paused'; hosts: false; pauseSeconds: number }

/** The person who tries. Members and known people have counters of their own, so strangers cannot exhaust theirs. */
export type Attempter = {
  meetingId: string
  address: string
  /**
   * `member`: hosts, cohosts and invited accounts, who need no PIN. `known`: a person who has an admission here, and so
   * had the right PIN before. `stranger`: all others, identified by their network alone.
   */
  relation: 'member' | 'known' | 'stranger'
  /** The account or the admission; not used for a stranger. */
  personId: string
}

type Attempt = {
  limits: AttemptLimits
  attempter: Attempter
  secrets: EntrySecrets
  sent: { pin: string; key: string }
}

/**
 * Compare what a visitor brought with the secrets of the meeting, in constant time (docs/api-conventions.md, "Entering
 * a meeting"). The host key has 256 bits: it is compared without counting, and never paused. PIN and host PIN are
 * short, so that failures are counted, each secret on its own. Once a limit is reached the right one is refused as
 * well, so that many guesses sent at once tell no more than as many sent one after the other.
 */
export async function checkSecrets(
  limits: AttemptLimits,
  { pin = '', hostKey = '' }: SentSecrets,
  secrets: EntrySecrets,
  attempter: Attempter,
): Promise<SecretsCheck> {
  const attempt = { limits, attempter, secrets, sent: { pin: pin.trim(), key: hostKey.trim() } }
  // One request counts as one attempt, so only one value is tried as the host's secret.
  const forHost = attempt.sent.key || attempt.sent.pin
  if (forHost === '') return { pin: 'missing', hosts: false }
  if (secrets.hostKey !== undefined && isSameSecret(forHost, secrets.hostKey)) return { pin: 'right', hosts: true }
  if (secrets.hostPin !== undefined && hostPinForm.test(forHost)) return checkHostPin(attempt, forHost, secrets.hostPin)
  // A wrong key is refused whatever the PIN is. A key of 256 bits cannot be guessed, so failures are not counted.
  if (attempt.sent.key !== '') return { pin: 'wrong', hosts: false }
  return checkPin(attempt)
}

/** The form of host PINs (`newMeetingSecrets`); no meeting PIN has it. */
const hostPinForm = /^\d{8}$/

async function checkPin({ limits, attempter, secrets, sent }: Attempt): Promise<SecretsCheck> {
  const { meetingId, address, relation, personId } = attempter
  const isRight = isSameSecret(sent.pin.toLowerCase(), secrets.pin)
  // A member needs no PIN, so that the answer does not depend on this one.
  if (relation === 'member') return { pin: isRight ? 'right' : 'wrong', hosts: false }
  const counters: FailureCounters =
    relation === 'known'
      ? [['wrongPinsOfPerson', `${meetingId} ${personId}`]]
      : [
          ['wrongPinsOfNetwork', `${meetingId} ${networkOf(address)}`],
          ['wrongPinsOfMeeting', meetingId],
        ]
  const pause = await findPause(limits, counters)
  if (pause !== undefined) return paused(pause)
  if (!isRight) return afterFailure(await countFailure(limits, counters))
  const pauseByNow = await findPause(limits, counters)
  return pauseByNow === undefined ? { pin: 'right', hosts: false } : paused(pauseByNow)
}

/**
 * Compare a host PIN. It has eight digits, for phones. Sent alone it has the limits of a PIN, which strangers can
 * exhaust. Sent with the meeting's PIN it has separate limits that only holders of the PIN can exhaust, so that the
 * rightful host can enter while strangers guess. Both limits are read each time, and a failure counts against both; the
 * answer to a failure depends on the strangers' limit alone: neither time nor answer reveals whether the PIN beside a
 * wrong host PIN is right.
 */
async function checkHostPin(
  { limits, attempter, secrets, sent }: Attempt,
  guess: string,
  hostPin: string,
): Promise<SecretsCheck> {
  const { meetingId, address, relation, personId } = attempter
  const isRight = isSameSecret(guess, hostPin)
  const hasPin = isSameSecret(sent.pin.toLowerCase(), secrets.pin) || relation === 'known'
  const counted = (by: string): FailureCounters => [
    ['wrongPinsOfNetwork', `${meetingId} ${by} ${networkOf(address)}`],
    ['wrongPinsOfMeeting', `${meetingId} ${by}`],
  ]
  const own: FailureCounters = [['wrongPinsOfPerson', `${meetingId} host PIN ${personId}`]]
  const shared = relation === 'member' ? own : counted('host PIN')
  const reserved = relation === 'member' ? own : counted(hasPin ? 'host PIN beside PIN' : 'host PIN beside none')
  const findPauses = () => Promise.all([findPause(limits, shared), findPause(limits, reserved)])
  const mayTry = ([pause, reservedPause]: Awaited<ReturnType<typeof findPauses>>) =>
    pause === undefined || (hasPin && reservedPause === undefined)

  const pauses = await findPauses()
  if (isRight && mayTry(pauses) && mayTry(await findPauses())) return { pin: 'right', hosts: true }
  // A right host PIN that is refused takes the same steps as a wrong one.
  const [pause] = pauses
  const [pauseByNow] = await Promise.all([
    pause ?? countFailure(limits, shared),
    shared === reserved ? undefined : countFailure(limits, reserved),
  ])
  return afterFailure(pauseByNow)
}

const paused = (pauseSeconds: number) => ({ pin: 'paused', hosts: false, pauseSeconds }) as const

const afterFailure = (pause: number | undefined): SecretsCheck =>
  pause === undefined ? { pin: 'wrong', hosts: false } : paused(pause)
