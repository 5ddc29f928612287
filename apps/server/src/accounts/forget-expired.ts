import type { AuditAction } from '@parley/contract'
import { sql } from 'kysely'
import type { Database } from '../../migrations/tables.ts'
import { networkMemoryMs } from './known-network.ts'

/** An expired personal token is shown to its owner for this long, so that they see why a script stopped. */
const expiredTokenMemoryMs = 90 * 24 * 60 * 60 * 1000

/** Long enough to look into what happened before the summer; what was changed is kept for good. */
const signInMemoryMs = 180 * 24 * 60 * 60 * 1000
const signInActions: AuditAction[] = ['session.begun', 'session.ended', 'sessions.ended', 'sign-in.refused']

/** Deletes what has expired: it opens nothing any more, and nobody needs to keep it. Returns how many rows went. */
export async function forgetExpired(database: Database, now: Date): Promise<number> {
  const longAgo = (ms: number) => new Date(now.getTime() - ms)
  const deletions = [
    database.deleteFrom('session').where('expiresAt', '<=', now),
    database.deleteFrom('pendingSignUp').where('expiresAt', '<=', now),
    database.deleteFrom('mailedLink').where('expiresAt', '<=', now),
    database.deleteFrom('passkeyChallenge').where('expiresAt', '<=', now),
    database.deleteFrom('signUpInvitation').where('expiresAt', '<=', now),
    database.deleteFrom('personalToken').where('expiresAt', '<=', longAgo(expiredTokenMemoryMs)),
    database
      .deleteFrom('auditEntry')
      .where(sql<boolean>`action in (${sql.join(signInActions.map((action) => sql.lit(action)))})`)
      .where('createdAt', '<=', longAgo(signInMemoryMs)),
    database.deleteFrom('knownNetwork').where('lastUsedAt', '<=', longAgo(networkMemoryMs)),
  ]
  let forgotten = 0
  for (const deletion of deletions) forgotten += Number((await deletion.executeTakeFirst()).numDeletedRows)
  return forgotten
}
