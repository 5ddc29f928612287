import type { Pool } from 'pg'
import { StartProblem } from '../start-problem.ts'
import { type AppliedMigration, findPending, readMigrations } from './migration-files.ts'

/**
 * Read a database's applied migrations, in order, without changing anything: works on a standby and on a database of
 * any version. Undefined when it has no tables of Parley.
 */
export async function readAppliedMigrations(pool: Pool): Promise<AppliedMigration[] | undefined> {
  const { rows: found } = await pool.query<{ known: boolean }>(
    `select to_regclass('schema_migration') is not null as known`,
  )
  if (found[0]?.known !== true) return undefined
  const { rows } = await pool.query<AppliedMigration>('select name, sha256 from schema_migration order by name')
  return rows.length === 0 ? undefined : rows
}

/** The newest migration is the version of a database. */
export const versionOf = (applied: readonly AppliedMigration[]): string => applied.at(-1)?.name ?? 'none'

/**
 * Require that a database has exactly the migrations of `folder`, for code that reads or writes its rows.
 *
 * @throws StartProblem when the tables are missing, older (migrations are pending) or newer
 */
export async function requireCurrentSchema(applied: readonly AppliedMigration[] | undefined, folder: string) {
  if (applied === undefined) throw new StartProblem(noTables)
  const pending = findPending(await readMigrations(folder), applied)
  if (pending.length === 0) return
  throw new StartProblem(
    `The database is at ${versionOf(applied)}, and this version of Parley has ${countOf(pending.length)} more, up to ` +
      `${pending.at(-1)?.name}. This command does not migrate: run it in the version that serves, or start this ` +
      'version first, which migrates.',
  )
}

export const noTables = 'The database has no tables of Parley yet. Start Parley once, which makes them.'

/** Format a count: "1 migration", "3 migrations". */
const countOf = (migrations: number) => `${migrations} ${migrations === 1 ? 'migration' : 'migrations'}`
