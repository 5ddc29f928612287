import { createWriteStream } from 'node:fs'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { defineStatement } from '../platform/database/define-statement.ts'
import { noTables, versionOf } from '../platform/database/migrate.ts'
import { tables } from '../platform/database/tables.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type BackupHeader, keyCheckPurpose, quoted } from './backup-format.ts'
import { accountMailsName, countWaiting, readAccountMails } from './mails.ts'
import { type Dependencies, type Operator, withDatabase } from './operator.ts'

/** Read in batches, so that a table need not fit into memory. */
const rowsAtOnce = 500

/** Left out: attempt counts, which are minutes old, and the migrations, which are in the header. */
const excludedTables = ['attempt_count', 'schema_migration']

const standardOutput = '-'

/**
 * Write all data into one file, or to standard output, as of one moment, even while Parley is serving. The secret key
 * is not included. Of the queued jobs only mails are included, which this Parley still sends.
 *
 * @throws StartProblem
 */
export async function backup(
  dependencies: Dependencies,
  file: string,
  { replace }: { replace: boolean },
): Promise<void> {
  if (file === standardOutput) {
    requireCleanOutput()
    return writeBackup(dependencies, (lines) => pipeline(lines, createGzip(), process.stdout, { end: false }), {
      name: 'Standard output',
      file: 'the backup',
      say: dependencies.sayOnStderr,
    })
  }
  const path = resolve(file)
  if (!replace) await requireFree(path)
  // Rename it to its final name only when complete; until then use a unique name.
  const unfinished = `${path}.${dependencies.random.bytes(8).toString('hex')}.unfinished`
  const keep = async (lines: Readable) => {
    try {
      await pipeline(lines, createGzip(), createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }))
      await flush(unfinished)
      if (replace) await rename(unfinished, path)
      else await renameToFree(unfinished, path)
    } finally {
      await rm(unfinished, { force: true })
    }
  }
  return writeBackup(dependencies, keep, { name: `The file ${path}`, file: path, say: dependencies.say })
}

/** @throws StartProblem when other output would precede the backup, or standard output is a terminal */
function requireCleanOutput() {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env
  if (script !== undefined && level !== 'silent') {
    throw new StartProblem('npm writes lines of its own before the backup: npm run --silent parley -- backup - | …')
  }
  if (process.stdout.isTTY)
    throw new StartProblem('Refusing to write a backup to a terminal: redirect it to a file or a program.')
}

/** @throws StartProblem */
async function requireFree(path: string) {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw taken(path)
}

const taken = (path: string, cause?: unknown) =>
  new StartProblem(`${path} is there already. Give another name, or --force to replace it.`, { cause })

/** Errors of file systems without hard links, where a name that another run has taken cannot be refused. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Rename without replacing a file: another run may have finished meanwhile. @throws StartProblem */
async function renameToFree(from: string, to: string) {
  try {
    await link(from, to)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(to, error)
    if (!withoutLinks.has(code)) throw error
    await requireFree(to)
    await rename(from, to)
  }
}

type Target = { name: string; file: string; say(line: string): void }

function writeBackup(
  dependencies: Dependencies,
  keep: (lines: Readable) => Promise<void>,
  { name, file, say }: Target,
): Promise<void> {
  const work = async (operator: Operator) => {
    const client = await operator.pool.connect()
    try {
      await client.query('begin transaction isolation level repeatable read, read only')
      const counted = { rows: 0 }
      const head = await headOf(client, operator)
      say(`The database is at ${versionOf(head.migrations)}.`)
      const lines = linesOf(client, head, counted)
      await keep(Readable.from(lines)).catch(explainTarget(name))
      say(`${counted.rows} rows are in ${file}.`)
      say('The secret key is not: keep it apart from the backup, it decrypts the secrets in there.')
    } finally {
      client.release(true)
    }
  }
  return withDatabase(dependencies, work, { schema: 'any' })
}

async function headOf(client: PoolClient, { encryption, clock }: Operator): Promise<BackupHeader> {
  return {
    format: 'parley-backup',
    version: 1,
    madeAt: clock.now().toISOString(),
    migrations: await migrationsOf(client),
    keyCheck: encryption.mac(keyCheckPurpose, keyCheckPurpose).toString('base64url'),
    tables: await tablesOf(client),
    waiting: await countWaiting(client),
  }
}

/** Read the migrations of the database, not those of this version: a restore creates the same tables. */
async function migrationsOf(client: PoolClient): Promise<BackupHeader['migrations']> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('schema_migration') is not null as known`)
  if (rows[0]?.known !== true) throw new StartProblem(noTables)
  const { rows: migrations } = await client.query('select name, sha256 from schema_migration order by name')
  return migrations
}

const tablesStatement = defineStatement({
  name: 'list-tables',
  parameters: { excludedTables: 'text[]' },
  columns: { name: tables.schemaMigration.name, columns: 'text[]', refers: 'text[]' },
  text: (p) => sql`select c.relname::text as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(array_agg(distinct f.confrelid::regclass::text), '{}') from pg_constraint f
       where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname <> all (${p.excludedTables}) order by c.relname`,
})

/** List the tables with their non-generated columns, referenced tables first. */
async function tablesOf(client: PoolClient): Promise<BackupHeader['tables']> {
  const tables = await tablesStatement.executeOn(client, { excludedTables })
  const ordered: BackupHeader['tables'] = []
  const isPlaced = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.find(({ name, refers }) => !isPlaced(name) && refers.every(isPlaced))
    if (next === undefined) throw new Error('Tables refer to one another in a circle')
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}

async function* linesOf(client: PoolClient, head: BackupHeader, counted: { rows: number }): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`
  for (const { name, columns } of head.tables) {
    yield `@${name}\n`
    const chosen = columns.map(quoted).join(', ')
    await client.query(
      `declare rows_of_table no scroll cursor for
       select row_to_json(kept)::text as line from (select ${chosen} from public.${quoted(name)}) as kept`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce} from rows_of_table`)
      for (const { line } of rows) yield `${line}\n`
      counted.rows += rows.length
      if (rows.length < rowsAtOnce) break
    }
    await client.query('close rows_of_table')
  }
  yield `@${accountMailsName}\n`
  for (const line of await readAccountMails(client)) {
    yield `${line}\n`
    counted.rows += 1
  }
  yield `@${counted.rows}\n`
}

async function flush(path: string) {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

const explainTarget = (name: string) => (error: NodeJS.ErrnoException) => {
  // Rethrow errors of the database.
  if (error instanceof StartProblem || error.syscall === undefined) throw error
  throw new StartProblem(`${name} cannot be written (${error.code}).`, { cause: error })
}
