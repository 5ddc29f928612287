import type { Pool } from 'pg'
import { type AttemptLimits, createAttemptLimits } from '../access/attempt-limits.ts'
import { createSessionCookie, type SessionCookie } from '../access/credentials/session-cookie.ts'
import type { Service, WithDatabase } from '../access/service.ts'
import type { Tx } from '../platform/database/database.ts'
import type { AccountRow } from './account/account-store.ts'
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from './password-hasher.ts'
import { createRefusedAttempts, type RefusedAttempts } from './refused-attempts.ts'
import { createFirstAccount, type FirstAccount, type FirstAccountPolicy } from './set-up.ts'

/** Revoke what a module granted for an account, when its owner claims it or deletes it (end-access.ts). */
export type OnAccessRevoked = (tx: Tx, account: AccountRow, now: Date) => Promise<void>

/** End what a module does for an account because of its sign-ins, when all of them end (`endSignIns` in end-access.ts). */
export type OnSignedOut = (tx: Tx, accountId: string, now: Date) => Promise<unknown>

/** What the module's endpoints receive. They use the database of their handler's context, which may be a transaction. */
export type Dependencies = Service & {
  passwords: PasswordHasher
  attemptLimits: AttemptLimits
  refusedAttempts: RefusedAttempts
  sessionCookie: SessionCookie
  firstAccount: FirstAccount
  onAccessRevoked: readonly OnAccessRevoked[]
  onSignedOut: readonly OnSignedOut[]
}

export type AccountOptions = {
  /** Who may create the first account, the administrator's. */
  firstAccountPolicy: FirstAccountPolicy
  /** OWASP's choice when absent; tests choose a cheap one, because almost every test signs people up. */
  passwordCost?: PasswordCost
}

type Given = WithDatabase & Pick<Dependencies, 'onAccessRevoked' | 'onSignedOut'> & { pool: Pool }

export function createAccountDependencies<Foundation extends Given>(
  foundation: Foundation,
  { firstAccountPolicy, passwordCost }: AccountOptions,
): Foundation & Dependencies {
  const { config, random, encryption, pool, database } = foundation
  const { rateLimits, databaseUrl } = config
  // With the embedded database there is one process, which counts in memory.
  const attemptLimits = createAttemptLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  return {
    ...foundation,
    passwords: createPasswordHasher(random, passwordCost),
    attemptLimits,
    refusedAttempts: createRefusedAttempts(database, foundation),
    firstAccount: createFirstAccount({ policy: firstAccountPolicy, encryption, attemptLimits }),
    sessionCookie: createSessionCookie(config.baseUrl),
  }
}
