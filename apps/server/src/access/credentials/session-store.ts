import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { publishAccessEnded } from '../access-topic.ts'
import { accountColumns, credentialTypes } from './credential-row.ts'

/**
 * A month: people who meet weekly stay signed in, and a stolen cookie cannot be extended. The lifetime is absolute, so
 * that requests need not write.
 */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** More devices than one person has; a new session replaces the oldest beyond this. */
const maxSessions = 100

/** The User-Agent is only shown to the session's owner; this length suffices. */
const maxUserAgentLength = 300
export const shownUserAgent = (userAgent: string) => userAgent.slice(0, maxUserAgentLength).toWellFormed()

const findStatement = defineStatement({
  name: 'find-sessions',
  parameters: { tokenHashes: 'bytea[]' },
  columns: credentialTypes,
  text: (p) => sql`select s.token_hash, s.id, s.expires_at, s.last_used_at, ${accountColumns}
   from session s join account a on a.id = s.account_id where s.token_hash = any(${p.tokenHashes})`,
})

export const findSessions = (database: Database, tokenHashes: readonly Buffer[]) =>
  findStatement.execute(database, { tokenHashes })

type NewSession = {
  id: string
  accountId: string
  tokenHash: Buffer
  address: string
  userAgent: string
  now: Date
}

/** Insert a session that begins now, and delete the oldest beyond `maxSessions`. Return its expiry. */
export async function insertSession(tx: Tx, { now, userAgent, ...session }: NewSession): Promise<Date> {
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
  await tx
    .insertInto('session')
    .values({
      ...session,
      userAgent: shownUserAgent(userAgent),
      createdAt: now,
      lastUsedAt: now,
      expiresAt,
    })
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('id', 'in', (sessions) =>
      sessions
        .selectFrom('session')
        .select('id')
        .where('accountId', '=', session.accountId)
        .orderBy('id', 'desc')
        .offset(maxSessions),
    )
    .executeTakeFirst()
  if (numDeletedRows > 0n) await publishAccessEnded(tx, session.accountId)
  return expiresAt
}

export const listLiveSessions = (database: Database, accountId: string, now: Date) =>
  database
    .selectFrom('session')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'address', 'userAgent'])
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .limit(maxSessions)
    .execute()

/** Delete a session of the account. Return false when the account has no such session. */
export async function deleteSession(database: Database, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  await publishAccessEnded(database, accountId)
  return numDeletedRows > 0n
}

export async function deleteSessions(database: Database, accountId: string, exceptSessionId?: string): Promise<void> {
  await database
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .$if(exceptSessionId !== undefined, (sessions) => sessions.where('id', '!=', String(exceptSessionId)))
    .execute()
  await publishAccessEnded(database, accountId)
}

/** Lock a session until commit, so that what it creates cannot outlive it. Return false when it has ended. */
export async function lockSession(tx: Tx, sessionId: string): Promise<boolean> {
  const session = await tx.selectFrom('session').select('id').where('id', '=', sessionId).forShare().executeTakeFirst()
  return session !== undefined
}
