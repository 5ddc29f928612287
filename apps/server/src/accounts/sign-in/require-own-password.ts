import { ProblemError } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { requireSuccessLeft, tryPassword } from './try-password.ts'

/**
 * Require the password of a signed-in person. Failures are counted apart from sign-ins, so that a stolen session cannot
 * lock its owner out, and are shown in the owner's security log.
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function requireOwnPassword(
  service: AccountsService,
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
