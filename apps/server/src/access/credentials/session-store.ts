import { statement } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { publishAccessEnded } from '../access-topic.ts'
import type { CredentialRow } from './credential-row.ts'
import { credentialColumns } from './credential-row.ts'

/**
 * A month: long enough that people who meet weekly stay signed in, and an end that a stolen cookie cannot put off.
 * It is absolute, so that no request has to write.
 */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** More devices than anybody has; the oldest session makes room for the next. */
export const maxSessions = 100

/** What a browser says about itself is shown to its owner; nobody needs more of it than this. */
const maxUserAgentLength = 300
export const shownUserAgent = (userAgent: string) => userAgent.slice(0, maxUserAgentLength).toWellFormed()

const findSessionsStatement = statement<CredentialRow>(
  'findSessions',
  `select s.token_hash, s.id, s.expires_at, s.last_used_at, ${credentialColumns}
   from session s join account a on a.id = s.account_id where s.token_hash = any($1::bytea[])`,
)

export const findSessions = (database: Database, tokenHashes: readonly Buffer[]) =>
  findSessionsStatement(database, [tokenHashes])

export type NewSession = {
  id: string
  accountId: string
  tokenHash: Buffer
  address: string
  userAgent: string
  now: Date
}

/** Keeps a session that begins now, in place of the oldest when there are too many. Returns when it ends. */
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
  await tx
    .deleteFrom('session')
    .where('id', 'in', (sessions) =>
      sessions
        .selectFrom('session')
        .select('id')
        .where('accountId', '=', session.accountId)
        .orderBy('id', 'desc')
        .offset(maxSessions),
    )
    .execute()
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

/** Whether there was one: another account's session is not found. */
export async function deleteSession(database: Database, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  await publishAccessEnded(database, accountId)
  return numDeletedRows > 0n
}

export async function deleteSessions(database: Database, accountId: string, but?: string): Promise<void> {
  await database
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .$if(but !== undefined, (sessions) => sessions.where('id', '!=', String(but)))
    .execute()
  await publishAccessEnded(database, accountId)
}

/** Holds a session until commit, so that what it makes cannot outlive its end. False when it has ended. */
export async function lockSession(tx: Tx, sessionId: string): Promise<boolean> {
  const session = await tx.selectFrom('session').select('id').where('id', '=', sessionId).forShare().executeTakeFirst()
  return session !== undefined
}
