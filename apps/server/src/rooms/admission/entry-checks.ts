import type { AttemptLimits, LimitName } from '../../access/attempt-limits.ts'
import type { Caller } from '../../access/caller.ts'
import { networkOf } from '../../access/network.ts'
import { decryptAccountSecrets } from '../../accounts/account/account-secrets.ts'
import { decryptSecrets } from '../../meetings/meeting-secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { isSameSecret } from '../../platform/sha256.ts'
import { findMeetingForEntry, type MeetingForEntry } from './meeting-for-entry.ts'

type FoundMeeting =
  /** `pauseSeconds`: the requester has sent too many unknown codes, and only people of this meeting may enter. */
  | { kind: 'found'; meeting: MeetingForEntry; pauseSeconds: number | undefined }
  | { kind: 'not-found' }
  | { kind: 'paused'; pauseSeconds: number }

type Requester = { caller: Caller | undefined; address: string }

/**
 * Find the meeting or the own room of a code. Unknown codes are counted, for an account or for a guest's network. Past
 * the limit the handler must answer existing codes like unknown ones, so that guessing reveals nothing, except to
 * people of the meeting (docs/rooms.md, "Enter").
 */
export async function findMeetingByCode(
  { database, attemptLimits }: { database: Database; attemptLimits: AttemptLimits },
  code: string,
  { caller, address }: Requester,
): Promise<FoundMeeting> {
  const counters: FailureCounters = [
    caller === undefined ? ['unknownCodesOfNetwork', networkOf(address)] : ['unknownCodesOfAccount', caller.accountId],
  ]
  const pauseSeconds = await findPause(attemptLimits, counters)
  const meeting = await findMeetingForEntry(database, code, caller)
  if (meeting !== undefined) return { kind: 'found', meeting, pauseSeconds }
  const pause = pauseSeconds ?? (await countFailure(attemptLimits, counters))
  return pause === undefined ? { kind: 'not-found' } : { kind: 'paused', pauseSeconds: pause }
}

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
 * Compare the sent secrets with those of the meeting, in constant time (docs/rooms.md, "Enter").
 * The host key has 256 bits: it is compared without counting, and never paused. PIN and host PIN are short, so that
 * failures are counted, each secret on its own (`pinLimits` in packages/rules, rooms/admission.ts). Once a limit is
 * reached, the right secret is refused as well, so that concurrent guesses reveal no more than successive ones.
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
  // Refuse a wrong key even if the PIN is right. A key of 256 bits cannot be guessed, so failures are not counted.
  if (attempt.sent.key !== '') return { pin: 'wrong', hosts: false }
  return checkPin(attempt)
}

/** The form of host PINs (`newMeetingSecrets`); no meeting PIN has it. */
const hostPinForm = /^\d{8}$/

async function checkPin({ limits, attempter, secrets, sent }: Attempt): Promise<SecretsCheck> {
  const { meetingId, address, relation, personId } = attempter
  const isRight = isSameSecret(sent.pin.toLowerCase(), secrets.pin)
  // A member needs no PIN, so that the answer does not depend on the PIN.
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
 * Compare a host PIN, which has eight digits, for phones. Which failures count against whom:
 *
 * | sent | counters | exhausted by |
 * |---|---|---|
 * | by a member of the meeting | of the member | that member |
 * | host PIN alone | shared: of the network, of the meeting | strangers |
 * | host PIN beside the right meeting PIN | shared, and reserved ones | holders of the PIN |
 * | host PIN beside a wrong meeting PIN | shared, and others that decide nothing | strangers |
 *
 * The reserved counters let the rightful host enter while strangers guess. Both kinds are read each time, a failure
 * counts in both, and the answer to a failure depends on the shared ones alone: neither time nor answer reveals whether
 * the meeting PIN beside a wrong host PIN is right.
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

type EntrySecrets = {
  pin: string
  /** Host key and host PIN each make their bearer the host. An own room has neither. */
  hostKey: string | undefined
  hostPin: string | undefined
}

export function decryptEntrySecrets(
  encryption: Encryption,
  { kind, id, host, sealedSecrets }: MeetingForEntry,
): EntrySecrets {
  if (kind === 'meeting') {
    const { pin, roomKey: hostKey, hostPin } = decryptSecrets(encryption, { id, sealedSecrets })
    return { pin, hostKey, hostPin }
  }
  const { roomPin } = decryptAccountSecrets(encryption, { id: host.id, sealedSecrets })
  return { pin: roomPin, hostKey: undefined, hostPin: undefined }
}

/** The counters of one kind of failure. A further attempt must be within the limit of each. */
type FailureCounters = readonly (readonly [LimitName, string])[]

/** The seconds until a further attempt is allowed; undefined if it is allowed now. */
const findPause = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => limits.findPause(limit, key)))

/** Count a failure in each counter. Return a pause in seconds if concurrent attempts have exceeded a limit. */
const countFailure = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => limits.count(limit, key)))

async function maxPause(pauses: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  // Wait for all, so that the failure of one counter does not leave the others uncounted.
  const results = await Promise.allSettled(pauses)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const seconds = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}
