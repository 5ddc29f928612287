import { problem } from '../platform/problem.ts'
import type { AccountsService } from './accounts-service.ts'
import type { LimitName } from './attempt-limits.ts'

/** Where a failure counts. */
export type Counter = { limit: LimitName; key: string }

/**
 * Compares a password under the limits on failures. Successes are not counted; but once a limit is reached, also a right
 * password is refused, so that many guesses sent at once tell no more than as many sent one after the other.
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function tryPassword(
  { passwords, attemptLimits }: Pick<AccountsService, 'passwords' | 'attemptLimits'>,
  attempt: { password: string; passwordHash: string | undefined; counters: readonly Counter[] },
): Promise<{ outdated: boolean }> {
  const requireAnotherTry = () =>
    Promise.all(attempt.counters.map(({ limit, key }) => attemptLimits.require(limit, key)))
  await requireAnotherTry()
  const { right, outdated } = await passwords.verify(attempt.password, attempt.passwordHash)
  if (right) {
    await requireAnotherTry()
    return { outdated }
  }
  const counted = await Promise.allSettled(attempt.counters.map(({ limit, key }) => attemptLimits.count(limit, key)))
  for (const result of counted) {
    if (result.status === 'rejected') throw result.reason
  }
  throw problem('wrong_credentials')
}
