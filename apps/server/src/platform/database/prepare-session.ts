import type { ClientBase, QueryConfig } from 'pg'
import { NoPrimaryError } from './database-failure.ts'

/** Names and values of settings, as `set` takes them. */
export type SessionSettings = Readonly<Record<string, string>>

/** A server that does not answer the first statement of a connection by then is away. */
const answerLimitMs = 1_500

/**
 * Set the limits of a new connection by one statement, and read back what holds. Start-up parameters would not do: PgBouncer
 * refuses those that it does not know, or drops them.
 * @throws NoPrimaryError when only a server that takes writes will do, and this one does not
 */
export async function prepareSession(
  client: ClientBase,
  settings: SessionSettings,
  { requiresPrimary }: { requiresPrimary: boolean },
): Promise<void> {
  const names = Object.keys(settings)
  const parts = names.map(
    (name, index) => `set_config(${literal(name)}, ${literal(settings[name] ?? '')}, false) as s${index}`,
  )
  const { rows } = await client.query<Record<string, string> & { writable: boolean }>(
    inTime(`select ${parts.join(', ')}, ${writable} as writable`),
  )
  if (requiresPrimary && rows[0]?.writable !== true) throw new NoPrimaryError('This server takes no writes')
  const refused = names.filter((_, index) => !rows[0]?.[`s${index}`])
  if (refused.length > 0) throw new Error(`The database does not take the settings ${refused.join(', ')}`)
}

const writable = `not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`

/** Whether the server takes writes: a primary, and not set to read-only. */
export async function isWritable(client: { query: ClientBase['query'] }): Promise<boolean> {
  const { rows } = await client.query<{ writable: boolean }>(`select ${writable} as writable`)
  return rows[0]?.writable === true
}

/** Settings are ours; quoted all the same. Without parameters it is one round of the simple protocol. */
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** pg's types leave out the limit for one answer. */
const inTime = (text: string): QueryConfig => {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: answerLimitMs }
  return query
}
