import { networkOf } from '../../access/network.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import type { HashRequester } from '../password/password-hasher.ts'
import type { LimitName } from './attempt-limits.ts'

/** Where a failure counts. */
export type Counter = { limit: LimitName; key: string }

export type PasswordAttempt = {
  password: string
  /** What it is compared with, each in the same time; undefined is never right. */
  passwordHashes: readonly (string | undefined)[]
  /** Of failures. */
  counters: readonly Counter[]
  requester: HashRequester
}

/**
 * Compare a password under the limits on failures, and under generous ones on successes: hashing is what the service has
 * least of. Once a limit is reached, also a right password is refused, so that many guesses sent at once tell no more than
 * as many sent one after the other.
 * @returns which of the hashes it is the first to match, and whether that one should be made anew
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function tryPassword(
  { passwords, attemptLimits }: Pick<AccountsService, 'passwords' | 'attemptLimits'>,
  { password, passwordHashes, counters, requester }: PasswordAttempt,
): Promise<{ matched: number; outdated: boolean }> {
  const requireAnotherTry = () => Promise.all(counters.map(({ limit, key }) => attemptLimits.require(limit, key)))
  await requireAnotherTry()
  const verifications = await passwords.verify(password, passwordHashes, requester)
  const matched = verifications.findIndex(({ right }) => right)
  if (matched !== -1) {
    await requireAnotherTry()
    await countAll(attemptLimits, successCounters(requester))
    return { matched, outdated: verifications[matched]?.outdated ?? false }
  }
  await countAll(attemptLimits, counters)
  throw problem('wrong_credentials')
}

/**
 * Refuse whoever has just proven who they are very often. Asked for before anything is looked up, so that a flood with a
 * right password costs the database nothing. @throws too_many_requests
 */
export const requireAnotherSuccess = async (
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
  const counted = await Promise.allSettled(counters.map(({ limit, key }) => attemptLimits.count(limit, key)))
  for (const result of counted) {
    if (result.status === 'rejected') throw result.reason
  }
}
