import type { LimitName } from '../access/attempt-limits.ts'
import { networkOf } from '../access/network.ts'
import type { Database } from '../platform/database/database.ts'
import { ProblemError, problem } from '../platform/http/problem.ts'
import type { AccountRow } from './account/account-store.ts'
import type { Dependencies } from './dependencies.ts'
import type { HashRequester } from './password-hasher.ts'

/** A counter of attempts. */
export type Counter = { limit: LimitName; key: string }

type PasswordAttempt = {
  password: string
  /** The hashes to compare with, each in the same time; undefined never matches. */
  passwordHashes: readonly (string | undefined)[]
  /** Counters of failures. */
  counters: readonly Counter[]
  requester: HashRequester
}

/**
 * Compare a password under limits on failures, and under generous ones on successes, because hashing is the scarcest
 * resource. At a limit right passwords are refused too, so that concurrent guesses reveal no more than sequential ones.
 * @returns the index of the first matching hash, and whether it should be renewed
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function tryPassword(
  { passwords, attemptLimits }: Pick<Dependencies, 'passwords' | 'attemptLimits'>,
  { password, passwordHashes, counters, requester }: PasswordAttempt,
): Promise<{ matchedIndex: number; outdated: boolean }> {
  const requireAttemptLeft = () => Promise.all(counters.map(({ limit, key }) => attemptLimits.require(limit, key)))
  await requireAttemptLeft()
  const verifications = await passwords.verify(password, passwordHashes, requester)
  const matchedIndex = verifications.findIndex(({ right }) => right)
  if (matchedIndex !== -1) {
    await requireAttemptLeft()
    await countAll(attemptLimits, successCounters(requester))
    return { matchedIndex, outdated: verifications[matchedIndex]?.outdated ?? false }
  }
  await countAll(attemptLimits, counters)
  throw problem('wrong_credentials')
}

/**
 * Refuse requests beyond the limits on successes. Checked before any query, so that a flood with a right password costs
 * the database nothing. @throws too_many_requests
 */
export const requireSuccessLeft = async (
  { attemptLimits }: Pick<Dependencies, 'attemptLimits'>,
  requester: HashRequester,
): Promise<void> => {
  await Promise.all(successCounters(requester).map(({ limit, key }) => attemptLimits.require(limit, key)))
}

const successCounters = ({ address, addressKey }: HashRequester): Counter[] => [
  { limit: 'rightPasswordsFromNetwork', key: `${networkOf(address)} ${addressKey}` },
  { limit: 'rightPasswordsOfAccount', key: addressKey },
]

async function countAll(attemptLimits: Dependencies['attemptLimits'], counters: readonly Counter[]) {
  const counted = await Promise.allSettled(counters.map(({ limit, key }) => attemptLimits.countOrRefuse(limit, key)))
  for (const result of counted) {
    if (result.status === 'rejected') throw result.reason
  }
}

/**
 * Require the password of a signed-in person. Failures are counted apart from sign-ins, so that a stolen session cannot
 * lock its owner out, and are shown in the owner's security log.
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function requireOwnPassword(
  service: Dependencies,
  { account, password, address, now }: { account: AccountRow; password: string; address: string; now: Date },
): Promise<void> {
  try {
    const counters = [{ limit: 'failuresFromKnownNetwork', key: `change ${account.id}` } as const]
    const requester = { address, addressKey: account.emailKey }
    await requireSuccessLeft(service, requester)
    const passwordHashes = [account.passwordHash ?? undefined]
    await tryPassword(service, { password, passwordHashes, counters, requester })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'wrong_credentials') {
      await service.refusedAttempts.recordPassword({ account, address, now })
    }
    throw error
  }
}

/** Long enough to sign in and open the settings; shorter than a lunch break beside an open laptop. */
const recentSignInMs = 10 * 60 * 1000

type Presence = {
  account: AccountRow
  sessionId: string
  currentPassword: string | undefined
  address: string
  now: Date
}

/**
 * Require a proof of presence before a change that gives lasting access: the password, or a session that has just
 * begun.
 * @throws recent_sign_in_required, wrong_credentials, too_many_requests, unavailable
 */
export async function requireRecentSignIn(
  database: Database,
  service: Dependencies,
  { account, sessionId, currentPassword, address, now }: Presence,
): Promise<void> {
  if (currentPassword !== undefined) {
    return requireOwnPassword(service, { account, password: currentPassword, address, now })
  }
  const recent = await database
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - recentSignInMs))
    .executeTakeFirst()
  if (recent === undefined) throw problem('recent_sign_in_required')
}
