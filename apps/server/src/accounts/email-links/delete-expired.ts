import type { AuditAction } from '@parley/contract'
import { sql } from 'kysely'
import { defaultRetention, oldestKept, type RetentionConfig } from '../../platform/config/config-retention.ts'
import type { Database } from '../../tables/tables.ts'
import { networkMemoryMs } from '../sessions/known-network.ts'

/** An expired personal token is shown to its owner for this long, so that they see why a script stopped. */
const expiredTokenMemoryMs = 90 * 24 * 60 * 60 * 1000

/** In one statement, so that a log of years that is shortened for the first time holds up nobody. */
const auditEntriesAtOnce = 10_000

const signInActions: AuditAction[] = ['session.begun', 'session.ended', 'sessions.ended', 'sign-in.refused']

/** Deletes what has expired: it opens nothing any more, and nobody needs to keep it. Returns how many rows went. */
export async function deleteExpired(
  database: Database,
  now: Date,
  { signInDays, auditLogDays }: Pick<RetentionConfig, 'signInDays' | 'auditLogDays'> = defaultRetention,
): Promise<number> {
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
      .where('createdAt', '<=', oldestKept(now, signInDays) ?? now),
    database.deleteFrom('knownNetwork').where('lastUsedAt', '<=', longAgo(networkMemoryMs)),
  ]
  let forgotten = 0
  for (const deletion of deletions) forgotten += Number((await deletion.executeTakeFirst()).numDeletedRows)
  const oldest = oldestKept(now, auditLogDays)
  return forgotten + (oldest === undefined ? 0 : await deleteOldAuditEntries(database, oldest))
}

/** Ids are in order of time. */
async function deleteOldAuditEntries(database: Database, oldest: Date): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from audit_entry where id in (
      select id from audit_entry where created_at <= ${oldest} order by id limit ${auditEntriesAtOnce})`.execute(
      database,
    )
    forgotten += Number(numAffectedRows)
    if (numAffectedRows < auditEntriesAtOnce) return forgotten
  }
}
