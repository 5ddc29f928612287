import type { Access } from '../access/access.ts'
import { type AttemptLimits, createAttemptLimits } from '../access/attempt-limits.ts'
import { createSessionCookie, type SessionCookie } from '../access/credentials/session-cookie.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Platform } from '../platform/platform.ts'
import type { AccountRow } from './account/account-store.ts'
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from './password-hasher.ts'
import { createRefusedAttempts, type RefusedAttempts } from './refused-attempts.ts'
import { createFirstAccount, type FirstAccount, type FirstAccountPolicy } from './set-up.ts'

/** Revoke what a module granted for an account, when its owner claims it or deletes it (end-access.ts). */
export type OnAccessRevoked = (tx: Tx, account: AccountRow, now: Date) => Promise<void>

/** End what a module does for an account because of its sign-ins, when all of them end (`endSignIns` in end-access.ts). */
export type OnSignedOut = (tx: Tx, accountId: string, now: Date) => Promise<unknown>

type Given = Pick<
  Platform,
  'http' | 'config' | 'clock' | 'random' | 'encryption' | 'pool' | 'database' | 'databaseFailures'
> &
  Pick<Access, 'serve'> & {
    onAccessRevoked: readonly OnAccessRevoked[]
    onSignedOut: readonly OnSignedOut[]
  }

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type Dependencies = Given & {
  passwords: PasswordHasher
  attemptLimits: AttemptLimits
  refusedAttempts: RefusedAttempts
  sessionCookie: SessionCookie
  firstAccount: FirstAccount
}

export type AccountOptions = {
  /** The people who may create the first account, the administrator's. */
  firstAccountPolicy: FirstAccountPolicy
  /** OWASP's choice when absent; tests choose a cheap one, because almost every test signs people up. */
  passwordCost?: PasswordCost
}

export function createAccountDependencies<More extends Given>(
  given: More,
  { firstAccountPolicy, passwordCost }: AccountOptions,
): More & Dependencies {
  const { config, random, encryption, pool, database } = given
  const { rateLimits, databaseUrl } = config
  // With the embedded database there is one process, which counts in memory.
  const attemptLimits = createAttemptLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  return {
    ...given,
    passwords: createPasswordHasher(random, passwordCost),
    attemptLimits,
    refusedAttempts: createRefusedAttempts(database, given),
    firstAccount: createFirstAccount({ policy: firstAccountPolicy, encryption, attemptLimits }),
    sessionCookie: createSessionCookie(config.baseUrl),
  }
}
