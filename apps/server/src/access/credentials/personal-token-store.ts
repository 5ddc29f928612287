import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import { publishAccessEnded } from '../access-topic.ts'
import { accountColumns, credentialTypes } from './credential-row.ts'

/** More scripts than one person runs; the list fits on one page. */
export const maxPersonalTokens = 50

const personalTokenTypes = { ...credentialTypes, scopes: tables.personalToken.scopes } as const

const findStatement = defineStatement({
  name: 'find-personal-tokens',
  parameters: { tokenHashes: 'bytea[]' },
  columns: personalTokenTypes,
  text: (p) => sql`select t.token_hash, t.id, t.expires_at, t.last_used_at, t.scopes, ${accountColumns}
   from personal_token t join account a on a.id = t.account_id where t.token_hash = any(${p.tokenHashes})`,
})

export const findPersonalTokens = (database: Database, tokenHashes: readonly Buffer[]) =>
  findStatement.execute(database, { tokenHashes })

type NewPersonalToken = {
  id: string
  accountId: string
  tokenHash: Buffer
  name: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
}

export const insertPersonalToken = (tx: Tx, token: NewPersonalToken) =>
  tx
    .insertInto('personalToken')
    .values({ ...token, lastUsedAt: null })
    .execute()

/** List an account's tokens, expired ones included, so that their owner sees why a script stopped working. */
export const listPersonalTokenRows = (database: Database, accountId: string) =>
  database
    .selectFrom('personalToken')
    .select(['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(maxPersonalTokens)
    .execute()

export async function countPersonalTokens(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('personalToken')
    .select((token) => token.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** Delete a token of the account. Return its name, or undefined when the account has no such token. */
export async function deletePersonalTokenRow(tx: Tx, accountId: string, tokenId: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('personalToken')
    .where('accountId', '=', accountId)
    .where('id', '=', tokenId)
    .returning('name')
    .executeTakeFirst()
  await publishAccessEnded(tx, accountId)
  return deleted?.name
}

export async function deletePersonalTokens(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('personalToken').where('accountId', '=', accountId).execute()
  await publishAccessEnded(tx, accountId)
}
