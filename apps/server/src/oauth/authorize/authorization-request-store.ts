import { hash } from 'node:crypto'
import { isScope, type Scope } from '@parley/contract'
import { type Prompt, readPrompts } from '@parley/rules/oauth/prompt'
import type { Random } from '../../platform/random.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** Time to create an account or choose a new password by mail, whose link is good for as long, and to read what the app wants. */
export const requestLifetimeMs = 60 * 60 * 1000

/** A request at the authorization endpoint, as it was checked; no form can change it. */
export type KeptRequest = {
  /** The client id that the app has sent. */
  clientId: string
  redirectUri: string
  /** In registered order. */
  scopes: readonly Scope[]
  /** Goes back as it came, byte for byte. */
  state: Buffer | null
  codeChallenge: string | null
  prompts: readonly Prompt[]
  loginHint: string | null
  /** Who has signed in, or chosen their account, for this very request. */
  accountId: string | null
  createdAt: Date
}

/** Keeps a request and gives the id that its pages carry. Only the SHA-256 of the id is kept. */
export async function keepRequest(
  database: Database,
  request: Omit<KeptRequest, 'accountId' | 'createdAt'>,
  { now, random }: { now: Date; random: Random },
): Promise<string> {
  const requestId = random.bytes(32).toString('base64url')
  await database
    .insertInto('authorizationRequest')
    .values({
      ...request,
      ...{ idHash: hashOf(requestId), scopes: [...request.scopes], prompts: [...request.prompts], accountId: null },
      ...{ createdAt: now, expiresAt: new Date(now.getTime() + requestLifetimeMs) },
    })
    .execute()
  return requestId
}

/** The request of an id, until an hour after it came. */
export async function findRequest(database: Database, requestId: string, now: Date): Promise<KeptRequest | undefined> {
  const row = await database
    .selectFrom('authorizationRequest')
    .select(['clientId', 'redirectUri', 'scopes', 'state', 'codeChallenge', 'prompts', 'loginHint'])
    .select(['accountId', 'createdAt'])
    .where('idHash', '=', hashOf(requestId))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row && { ...row, scopes: row.scopes.filter(isScope), prompts: readPrompts(row.prompts.join(' ')) ?? [] }
}

/** Notes that somebody has signed in, or chosen their account, for this request. */
export const confirmAccount = (tx: Tx | Database, requestId: string, accountId: string) =>
  tx.updateTable('authorizationRequest').set({ accountId }).where('idHash', '=', hashOf(requestId)).execute()

/** Requests past their time lead nowhere. Returns how many went. */
export async function deleteOldRequests(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('authorizationRequest')
    .where('expiresAt', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const hashOf = (requestId: string) => hash('sha256', requestId, 'buffer')
