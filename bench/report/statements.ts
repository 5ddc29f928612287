import type pg from 'pg'
import type { Statement } from './result.ts'

const dearestCount = 3
const maxTextLength = 1_500

/** Reset the counters. The extension must be loaded by shared_preload_libraries. */
export async function resetStatements(owner: pg.Client): Promise<void> {
  await owner.query('create extension if not exists pg_stat_statements')
  await owner.query('select pg_stat_statements_reset()')
}

type Row = { query: string; calls: string; mean: number; total: number; of_all: number }

/**
 * The statements of the service with the most execution time since the last reset, without those of `owner`, which
 * prepares data. pg_stat_statements counts neither planning nor the commit of a single statement.
 */
export async function readDearestStatements(owner: pg.Client): Promise<Statement[]> {
  const tables = await owner.query<{ tablename: string }>('select tablename from pg_tables')
  const names = new Set(tables.rows.map(({ tablename }) => tablename))
  const { rows } = await owner.query<Row>(
    `select query, calls, mean_exec_time as mean, total_exec_time as total, sum(total_exec_time) over () as of_all
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and userid <> (select oid from pg_roles where rolname = current_user)
     order by total_exec_time desc limit $1`,
    [dearestCount],
  )
  return rows.map(({ query, calls, mean, total, of_all }) => ({
    summary: summarizeStatement(query, names),
    text: query.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength),
    calls: Number(calls),
    meanMs: mean,
    share: of_all > 0 ? total / of_all : 0,
  }))
}

const verbs = [
  { name: 'inserts', pattern: /\binsert\s+into\s+(?:"?\w+"?\.)?"?(\w+)/gi },
  { name: 'updates', pattern: /\bupdate\s+(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)/gi },
  { name: 'deletes', pattern: /\bdelete\s+from\s+(?:"?\w+"?\.)?"?(\w+)/gi },
  { name: 'reads', pattern: /(?<!\bdelete\s+)\b(?:from|join)\s+(?:"?\w+"?\.)?"?(\w+)/gi },
] as const

/**
 * Summarize the operations of a statement on tables: `inserts meeting, participant; reads account`. The names of CTEs
 * (with … as) are omitted; a statement without a table is returned unchanged.
 */
export function summarizeStatement(text: string, tables: ReadonlySet<string>): string {
  const parts = verbs.flatMap(({ name, pattern }) => {
    const found = [...text.matchAll(pattern)].map(([, table = '']) => table).filter((table) => tables.has(table))
    return found.length === 0 ? [] : [`${name} ${[...new Set(found)].join(', ')}`]
  })
  return parts.length === 0 ? text.replaceAll(/\s+/g, ' ').trim().slice(0, 80) : parts.join('; ')
}
