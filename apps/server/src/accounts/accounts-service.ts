import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { createSessionCookie, type SessionCookie } from '../access/credentials/session-cookie.ts'
import type { Service, WithDatabase } from '../access/service.ts'
import type { Tx } from '../platform/database/database.ts'
import type { AccountRow } from './account/account-store.ts'
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from './hashing/password-hasher.ts'
import { createFirstAccount, type FirstAccount, type FirstAccountPolicy } from './set-up/first-account.ts'
import { type AttemptLimits, createAttemptLimits } from './sign-in/attempt-limits.ts'
import { createRefusedAttempts, type RefusedAttempts } from './sign-in/refused-attempts.ts'

/**
 * Ends the access that a module granted for an account; app.ts lists the functions (ownership/end-access-of-others.ts).
 */
export type AccessEnding = (tx: Tx, account: AccountRow, now: Date) => Promise<void>

/**
 * Ends what a module does for an account by its sign-ins (`endSignIns` in ownership/end-access-of-others.ts); app.ts lists
 * the functions.
 */
export type SignInEnding = (tx: Tx, accountId: string, now: Date) => Promise<unknown>

/** What handlers of account endpoints receive in addition to `Service`. */
export type AccountsService = Service & {
  passwords: PasswordHasher
  attemptLimits: AttemptLimits
  refusedAttempts: RefusedAttempts
  sessionCookie: SessionCookie
  firstAccount: FirstAccount
  isLocalRequest(request: FastifyRequest): boolean
  accessEndings: readonly AccessEnding[]
  signInEndings: readonly SignInEnding[]
}

export type AccountsOptions = {
  /** Who may make the first account, the administrator's. */
  firstAccountPolicy: FirstAccountPolicy
  /** OWASP's choice when absent; tests choose a cheap one, because almost each of them signs people up. */
  passwordCost?: PasswordCost
}

type Dependencies = WithDatabase &
  Pick<AccountsService, 'isLocalRequest' | 'accessEndings' | 'signInEndings'> & { pool: Pool }

export function createAccountsService<Given extends Dependencies>(
  service: Given,
  { firstAccountPolicy, passwordCost }: AccountsOptions,
): Given & AccountsService {
  const { config, random, encryption, pool, database } = service
  const { rateLimits, databaseUrl } = config
  // With the embedded database there is one process, which counts in memory.
  const attemptLimits = createAttemptLimits({ encryption, rateLimits, ...(databaseUrl !== undefined && { pool }) })
  return {
    ...service,
    passwords: createPasswordHasher(random, passwordCost),
    attemptLimits,
    refusedAttempts: createRefusedAttempts(database, service),
    firstAccount: createFirstAccount({ policy: firstAccountPolicy, encryption, attemptLimits }),
    sessionCookie: createSessionCookie(config.baseUrl),
  }
}
