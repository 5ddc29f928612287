import { networkOf } from '../../access/network.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import type { HashRequester } from '../hashing/password-hasher.ts'
import type { LimitName } from './attempt-limits.ts'

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
  { passwords, attemptLimits }: Pick<AccountsService, 'passwords' | 'attemptLimits'>,
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
  { attemptLimits }: Pick<AccountsService, 'attemptLimits'>,
  requester: HashRequester,
): Promise<void> => {
  await Promise.all(successCounters(requester).map(({ limit, key }) => attemptLimits.require(limit, key)))
}

const successCounters = ({ address, addressKey }: HashRequester): Counter[] => [
  { limit: 'rightPasswordsFromNetwork', key: `${networkOf(address)} ${addressKey}` },
  { limit: 'rightPasswordsOfAccount', key: addressKey },
]

async function countAll(attemptLimits: AccountsService['attemptLimits'], counters: readonly Counter[]) {
  const counted = await Promise.allSettled(counters.map(({ limit, key }) => attemptLimits.countOrRefuse(limit, key)))
  for (const result of counted) {
    if (result.status === 'rejected') throw result.reason
  }
}
