import { audit } from '../../access/audit.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ProblemError } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { requireSuccessLeft, tryPassword } from './try-password.ts'

/**
 * Require the password of a signed-in person. Failures are counted apart from sign-ins, so that a stolen session cannot
 * lock its owner out, and are shown in the owner's security log.
 * @throws wrong_credentials, too_many_requests, unavailable
 */
export async function requireOwnPassword(
  database: Database,
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
      const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
      await inTransaction(database, (tx) =>
        audit(tx, service.random, now, { ...entry, action: 'password.refused', detail: {}, address }),
      )
    }
    throw error
  }
}
