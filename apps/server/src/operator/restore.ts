import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { PoolClient } from 'pg'
import { migrate } from '../platform/migrate.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type BackupHead, keyCheckPurpose, quoted, readHead } from './backup-format.ts'
import { migrationsFolder, type Operator, type Surroundings, withDatabase } from './operator.ts'

/** One statement inserts so many rows, or so much text, whichever comes first. */
const batch = { rows: 500, characters: 4 * 1024 * 1024 }

/**
 * Puts a backup into an empty database: the tables as they were when it was made, then its rows, then whatever has
 * changed in the tables since. All rows come or none.
 * @throws StartProblem
 */
export function restore(surroundings: Surroundings, file: string): Promise<void> {
  const work = async (operator: Operator) => {
    const lines = linesOf(file)
    const head = readHead((await lines.next()).value)
    const { sealedBox, pool, log, say } = operator
    if (head.keyCheck !== sealedBox.mac(keyCheckPurpose, keyCheckPurpose).toString('base64url')) {
      throw new StartProblem(
        'The secret key here is not the one that the backup was made with, and would open nothing in it. ' +
          'Give that one as SECRET_KEY, or put its file secret-key into DATA_DIR first.',
      )
    }
    await makeTablesOf(operator, head)
    const rows = await insertAll(operator, head, lines)
    await migrate(pool, migrationsFolder, log)
    await pool.query(leaveMailsToOther)
    say(`${rows} rows of the backup of ${head.madeAt} are restored.`)
  }
  return withDatabase(surroundings, work, { schema: 'any' })
}

/**
 * Jobs are not part of a backup: what waited for the mail server is sent by the Parley that was backed up. Here it counts
 * as something that these guests hold and that nobody has a record of (a `held_sequence` without a state): the next change
 * mails them the whole meeting, and a cancellation reaches them.
 */
const leaveMailsToOther = `
  update guest_delivery set held_sequence = case when pending then -1 else held_sequence end, pending = false,
    reminder_for = null, reminder_id = null, job_id = null
  where pending or reminder_for is not null or job_id is not null`

async function* linesOf(file: string): AsyncGenerator<string> {
  const path = resolve(file)
  const source = file === '-' ? process.stdin : createReadStream(path)
  const text = createGunzip().setEncoding('utf8')
  source.on('error', (error) => text.destroy(error))
  source.pipe(text)
  let begun = ''
  try {
    for await (const part of text) {
      const lines = (begun + part).split('\n')
      begun = lines.pop() ?? ''
      yield* lines
    }
  } catch (cause) {
    const { code = 'unreadable', syscall } = cause as NodeJS.ErrnoException
    throw new StartProblem(
      syscall === undefined ? 'The backup is damaged or cut off.' : `The file ${path} cannot be read (${code}).`,
      { cause },
    )
  } finally {
    source.destroy()
  }
}

/** Runs the migrations that the backup knows, and sees to it that there is nothing in the tables yet. */
async function makeTablesOf({ pool, log }: Operator, head: BackupHead): Promise<void> {
  const known = new Set(await readdir(migrationsFolder))
  if (!head.migrations.every(({ name }) => known.has(name))) {
    throw new StartProblem('The backup was made by a newer Parley. Restore it with that version.')
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-restore-'))
  try {
    for (const { name } of head.migrations) await copyFile(join(migrationsFolder, name), join(folder, name))
    await migrate(pool, folder, log).catch((cause) => {
      throw cause instanceof StartProblem ? notEmpty(cause) : cause
    })
  } finally {
    await rm(folder, { recursive: true })
  }
  for (const { name } of head.tables) {
    const { rows } = await pool.query(`select exists (select from public.${quoted(name)}) as taken`)
    if (rows[0].taken) throw notEmpty()
  }
}

const notEmpty = (cause?: unknown) =>
  new StartProblem(
    'A backup is restored into an empty database, and this one is not, or a newer Parley has made it. ' +
      'Give it a DATA_DIR or a DATABASE_URL of its own.',
    { cause },
  )

async function insertAll({ pool }: Operator, head: BackupHead, reading: AsyncGenerator<string>): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const rows = await insertLines(client, head, reading)
    await client.query('commit')
    await client.query('analyze')
    return rows
  } finally {
    // A connection that is closed takes back what was not committed.
    client.release(true)
  }
}

async function insertLines(client: PoolClient, head: BackupHead, reading: AsyncGenerator<string>): Promise<number> {
  const tables = new Map(head.tables.map((table) => [table.name, table]))
  let table: BackupHead['tables'][number] | undefined
  let waiting: string[] = []
  let characters = 0
  let rows = 0
  const insertWaiting = async () => {
    if (table !== undefined && waiting.length > 0) {
      const [name, columns] = [`public.${quoted(table.name)}`, table.columns.map(quoted).join(', ')]
      await client.query(
        `insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
        [`[${waiting.join(',')}]`],
      )
      rows += waiting.length
    }
    waiting = []
    characters = 0
  }
  for await (const line of reading) {
    if (!line.startsWith('@')) {
      waiting.push(line)
      characters += line.length
      if (waiting.length >= batch.rows || characters >= batch.characters) await insertWaiting()
      continue
    }
    await insertWaiting()
    const name = line.slice(1)
    if (name === String(rows) && !tables.has(name)) return rows
    table = tables.get(name)
    if (table === undefined) break
  }
  throw new StartProblem('The backup is damaged or cut off: its last line does not tell its number of rows.')
}
