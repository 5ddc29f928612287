import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartProblem } from '../start-problem.ts'

/** A file `NNNN-name.sql`; `sha256` is the hash of its text, in hexadecimal. */
export type Migration = { name: string; sql: string; sha256: string }
export type AppliedMigration = Pick<Migration, 'name' | 'sha256'>

/** Read the migrations of a folder in order. @throws StartProblem for a malformed name or a duplicate number */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort()
  const numbers = new Set<string>()
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (number === undefined) throw new StartProblem(`The migration ${name} is not named like 0001-initial.sql.`)
    if (numbers.has(number)) throw new StartProblem(`Two migrations have the number ${number}.`)
    numbers.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The first migration of the versions before 1.0.0, whose schema 0001-initial.sql replaces. */
const firstDevelopmentMigration = '0001-accounts.sql'

/** @throws StartProblem when the applied migrations are those of a version before 1.0.0 */
export function refuseDevelopmentVersion(applied: readonly Pick<AppliedMigration, 'name'>[], made: string): void {
  if (!applied.some(({ name }) => name === firstDevelopmentMigration)) return
  throw new StartProblem(
    `${made} was made by a development version of Parley, before 1.0.0, and cannot be upgraded. Export what you need ` +
      'with that version, and set up this one with an empty database: a DATA_DIR or a DATABASE_URL of its own.',
  )
}

/**
 * Find the migrations still to run. Throws a StartProblem unless the applied ones are the first of them, unchanged.
 */
export function findPending(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  refuseDevelopmentVersion(applied, 'The database')
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, sha256 } of applied) {
    const migration = known.get(name)
    if (migration === undefined) {
      throw new StartProblem(
        `The database has the migration ${name}, which this Parley does not know: it was written by a newer one. ` +
          'Start that version, or restore a backup from before the upgrade.',
      )
    }
    if (migration.sha256 !== sha256) {
      throw new StartProblem(
        `The migration ${name} is not the one that the database was made with. ` +
          'Put the file back as it was; a change to the database is a new migration.',
      )
    }
  }
  const pending = migrations.slice(applied.length)
  const names = new Set(applied.map(({ name }) => name))
  const late = migrations.slice(0, applied.length).find(({ name }) => !names.has(name))
  if (late !== undefined) {
    throw new StartProblem(
      `The migration ${late.name} comes before one that the database has already. Give it a higher number.`,
    )
  }
  return pending
}
