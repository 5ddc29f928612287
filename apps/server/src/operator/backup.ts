import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { PoolClient } from 'pg'
import { StartProblem } from '../platform/start-problem.ts'
import { type BackupHead, keyCheckPurpose, quoted } from './backup-format.ts'
import { type Operator, type Surroundings, withDatabase } from './operator.ts'

/** Rows are read so many at once: a table never has to fit into memory. */
const rowsAtOnce = 500

/** Counts of tries, which are minutes old, and what says which migrations there were, which stands in the head. */
const leftOut = ['attempt_count', 'schema_migration']

/**
 * Writes everything that is kept into one file, as it stands at one moment, also while Parley serves. The secret key is
 * not in it. Jobs that wait are not either: a mail that is on its way at that moment is sent by this Parley alone.
 * @throws StartProblem
 */
export function backup(surroundings: Surroundings, file: string): Promise<void> {
  const path = resolve(file)
  return withDatabase(surroundings, async (operator) => {
    const client = await operator.pool.connect()
    // Under its name only when it is whole.
    const unfinished = `${path}.unfinished`
    try {
      await client.query('begin transaction isolation level repeatable read, read only')
      const counted = { rows: 0 }
      const lines = linesOf(client, await headOf(client, operator), counted)
      const out = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' })
      await pipeline(Readable.from(lines), createGzip(), out).catch(tellFile(unfinished))
      await flush(unfinished)
      await rename(unfinished, path)
      operator.say(`${counted.rows} rows are in ${path}.`)
      operator.say('The secret key is not: keep it apart from the file, it opens what is sealed in there.')
    } finally {
      await rm(unfinished, { force: true })
      client.release(true)
    }
  })
}

async function headOf(client: PoolClient, { sealedBox, clock }: Operator): Promise<BackupHead> {
  const { rows: migrations } = await client.query('select name, sha256 from schema_migration order by name')
  return {
    format: 'parley-backup',
    version: 1,
    madeAt: clock.now().toISOString(),
    migrations,
    keyCheck: sealedBox.mac(keyCheckPurpose, keyCheckPurpose).toString('base64url'),
    tables: await tablesOf(client),
  }
}

/** The tables with the columns that are not computed, those that others refer to first. */
async function tablesOf(client: PoolClient): Promise<BackupHead['tables']> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; refers: string[] }>(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(array_agg(distinct f.confrelid::regclass::text), '{}') from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname <> all ($1::text[]) order by c.relname`,
    [leftOut],
  )
  const ordered: BackupHead['tables'] = []
  const isPlaced = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.find(({ name, refers }) => !isPlaced(name) && refers.every(isPlaced))
    if (next === undefined) throw new Error('Tables refer to one another in a circle')
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}

async function* linesOf(client: PoolClient, head: BackupHead, counted: { rows: number }): AsyncGenerator<string> {
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
  yield `@${counted.rows}\n`
}

async function flush(path: string) {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

const tellFile = (path: string) => (error: NodeJS.ErrnoException) => {
  // What the database says is its own story.
  if (error.syscall === undefined) throw error
  throw new StartProblem(`The file ${path} cannot be written (${error.code}).`, { cause: error })
}
