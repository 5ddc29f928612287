import type { Pool } from 'pg'
import type { Service } from '../access/service.ts'
import { createSessionCookie, type SessionCookie } from '../access/session-cookie.ts'
import { type AttemptLimits, createAttemptLimits } from './attempt-limits.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'

/** What the deeds of accounts need beyond what every feature is handed. */
export type AccountsService = Service & {
  passwords: PasswordHasher
  attemptLimits: AttemptLimits
  sessionCookie: SessionCookie
}

export function createAccountsService(service: Service, pool: Pool): AccountsService {
  const { config, random, sealedBox } = service
  const { rateLimits, databaseUrl } = config
  return {
    ...service,
    passwords: createPasswordHasher(random),
    // With the private database there is one process, and memory is enough.
    attemptLimits: createAttemptLimits({ sealedBox, rateLimits, ...(databaseUrl !== undefined && { pool }) }),
    sessionCookie: createSessionCookie(config.baseUrl),
  }
}
