import type { PostgresQueryResult } from 'kysely'
import type { QueryArrayConfig, QueryArrayResult } from 'pg'

/** The common part of pg's pool and its clients. */
export type SqlClient = { query(config: QueryArrayConfig): Promise<QueryArrayResult> }

type Query = { name?: string; text: string; values: unknown[] }

/**
 * Send a query, and name the columns of its rows in camelCase. This is the only place where rows are renamed: statements
 * use PostgreSQL's names.
 */
export async function queryRows<Row>(client: SqlClient, query: Query): Promise<PostgresQueryResult<Row>> {
  const { command, rowCount, fields, rows } = await client.query({ ...query, rowMode: 'array' })
  return {
    command: command as PostgresQueryResult<Row>['command'],
    rowCount: rowCount ?? 0,
    rows: toRows(fields, rows),
  }
}

/** pg reads values into arrays; copying an object with all keys is faster than adding key after key. */
function toRows<Row>(fields: readonly { name: string }[], arrays: readonly unknown[][]): Row[] {
  if (arrays.length === 0) return []
  const names = fields.map(({ name }) => toCamelCase(name))
  const empty: Record<string, unknown> = {}
  for (const name of names) empty[name] = null
  return arrays.map((values) => {
    const row = { ...empty }
    for (let at = 0; at < names.length; at++) row[names[at] as string] = values[at]
    return row as Row
  })
}

const camelCase = new Map<string, string>()

/** The columns' names are those of our statements, so that the map stays small. */
export function toCamelCase(name: string): string {
  const known = camelCase.get(name)
  if (known !== undefined) return known
  const made = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  camelCase.set(name, made)
  return made
}
