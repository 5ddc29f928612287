import type { AuditAction } from '@parley/contract'
import { sql } from 'kysely'
import { defaultRetention, type RetentionConfig, retentionCutoff } from '../platform/config/config-retention.ts'
import type { Database } from '../platform/database/database.ts'
import { contactRetentionMs } from './contact-store.ts'
import { knownNetworkRetentionMs } from './sessions/known-network-store.ts'

/** Expired personal tokens are listed for this long, so that their owner sees why a script stopped. */
const expiredTokenRetentionMs = 90 * 24 * 60 * 60 * 1000

/** Entries per statement, so that shortening a long log for the first time does not block others. */
const auditEntriesPerStatement = 10_000

const signInActions: AuditAction[] = ['session.begun', 'session.ended', 'sessions.ended', 'sign-in.refused']

/**
 * Delete expired sessions, sign-ups, links, challenges, invitations, tokens, contacts and sign-in entries. Return how
 * many rows were deleted.
 */
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
    database.deleteFrom('personalToken').where('expiresAt', '<=', longAgo(expiredTokenRetentionMs)),
    database
      .deleteFrom('auditEntry')
      .where(sql<boolean>`action in (${sql.join(signInActions.map((action) => sql.lit(action)))})`)
      .where('createdAt', '<=', retentionCutoff(now, signInDays) ?? now),
    database.deleteFrom('contact').where('invitedAt', '<=', longAgo(contactRetentionMs)),
    database.deleteFrom('knownNetwork').where('lastUsedAt', '<=', longAgo(knownNetworkRetentionMs)),
  ]
  let deletedCount = 0
  for (const deletion of deletions) deletedCount += Number((await deletion.executeTakeFirst()).numDeletedRows)
  const oldest = retentionCutoff(now, auditLogDays)
  return deletedCount + (oldest === undefined ? 0 : await deleteOldAuditEntries(database, oldest))
}

/** Delete audit entries in order of their ids, which are in order of time. */
async function deleteOldAuditEntries(database: Database, oldest: Date): Promise<number> {
  let deletedCount = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from audit_entry where id in (
      select id from audit_entry where created_at <= ${oldest} order by id limit ${auditEntriesPerStatement})`.execute(
      database,
    )
    deletedCount += Number(numAffectedRows)
    if (numAffectedRows < auditEntriesPerStatement) return deletedCount
  }
}
