import type { ClientBase, QueryConfig } from 'pg'
import { NoPrimaryError } from './database-failure.ts'

/** Names and values of settings for `set`. */
export type SessionSettings = Readonly<Record<string, string>>

/** A server that does not answer a connection's first statement within this time counts as unavailable. */
const responseLimitMs = 1_500

/**
 * Set the limits of a new connection in one statement, and read back the result. Start-up parameters do not work with
 * PgBouncer, which refuses or drops unknown parameters.
 *
 * @throws NoPrimaryError when a writable server is required and this server is read-only
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

/** Whether the server accepts writes: a primary that is not read-only. */
export async function isWritable(client: { query: ClientBase['query'] }): Promise<boolean> {
  const { rows } = await client.query<{ writable: boolean }>(`select ${writable} as writable`)
  return rows[0]?.writable === true
}

/**
 * The settings are constants, quoted all the same. Without parameters the simple protocol needs a single round trip.
 */
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** pg's types lack the query timeout. */
const inTime = (text: string): QueryConfig => {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: responseLimitMs }
  return query
}
