import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { queueOrphanedDeliveries } from '../meetings/guest-mail-queue.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { migrate } from '../platform/database/migrate.ts'
import { migrateJobs } from '../platform/jobs/jobs.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type BackupHeader, keyCheckPurpose, quoted, readHeader } from './backup-format.ts'
import {
  accountMailsName,
  countWaiting,
  dropWaitingStatement,
  mailsOf,
  queueAccountMails,
  requireDecision,
  type WaitingMails,
} from './mails.ts'
import { type Dependencies, migrationsFolder, type Operator, withDatabase } from './operator.ts'

/** The size of an insert: this many rows or characters, whichever is reached first. */
const batch = { rows: 500, characters: 4 * 1024 * 1024 }

/**
 * Restore a backup into an empty database: create the tables as they were, insert the rows, then run later migrations.
 * All rows are restored or none.
 *
 * @throws StartProblem
 */
export function restore(dependencies: Dependencies, file: string, waitingMails: WaitingMails): Promise<void> {
  const work = async (operator: Operator) => {
    const lines = linesOf(file)
    const head = readHeader((await lines.next()).value)
    const { encryption, pool, log, say } = operator
    requireDecision(head.waiting, waitingMails)
    if (head.keyCheck !== encryption.mac(keyCheckPurpose, keyCheckPurpose).toString('base64url')) {
      throw new StartProblem(
        'The secret key here is not the one that the backup was made with, and would open nothing in it. ' +
          'Give that one as SECRET_KEY, or put its file secret-key into DATA_DIR first.',
      )
    }
    await makeTablesOf(operator, head)
    await migrateJobs(pool, log)
    const { rows, accountMails } = await insertAll(operator, head, lines)
    await migrate(pool, migrationsFolder, log)
    say(`${rows} rows of the backup of ${head.madeAt} are restored.`)
    await applyWaitingMails(operator, accountMails, waitingMails)
  }
  return withDatabase(dependencies, work, { schema: 'any' })
}

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

/** Run the backup's migrations, and require empty tables. */
async function makeTablesOf({ pool, log }: Operator, head: BackupHeader): Promise<void> {
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

type Inserted = { rows: number; accountMails: string[] }

async function insertAll({ pool }: Operator, head: BackupHeader, reading: AsyncGenerator<string>): Promise<Inserted> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const inserted = await insertLines(client, head, reading)
    await advanceIdentities(client, head)
    await client.query('commit')
    await client.query('analyze')
    return inserted
  } finally {
    // Closing the connection rolls back.
    client.release(true)
  }
}

/** Continue the numbers of identity columns after those of the restored rows. */
async function advanceIdentities(client: PoolClient, head: BackupHeader) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' and table_name = any ($1)`,
    [head.tables.map(({ name }) => name)],
  )
  for (const { table, column } of rows) {
    const name = `public.${quoted(table)}`
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${name} having count(*) > 0`,
      [name, column],
    )
  }
}

/** These rows name jobs of the other database. */
const clearJobsStatement = defineStatement({
  name: 'clear-jobs-of-deliveries',
  parameters: {},
  text: () => sql`update public.guest_delivery set job_id = null where job_id is not null`,
})

/** If this is interrupted, `doctor` finds the mails to guests, and `mail send-waiting` queues them. */
async function applyWaitingMails({ pool, database, say }: Operator, accountMails: string[], choice: WaitingMails) {
  const { guests } = await countWaiting(pool)
  const waiting = { guests, accountMails: accountMails.length }
  if (guests + accountMails.length === 0) return
  switch (choice) {
    case 'send':
      await clearJobsStatement.executeOn(pool, {})
      await queueAccountMails(pool, accountMails)
      await queueOrphanedDeliveries(database)
      say(`Of them, ${mailsOf(waiting)} waiting will be sent as soon as Parley runs.`)
      break
    case 'drop':
      await dropWaitingStatement.executeOn(pool, {})
      say(`Of them, ${mailsOf(waiting)} waiting will not be sent from here.`)
  }
}

async function insertLines(client: PoolClient, head: BackupHeader, reading: AsyncGenerator<string>): Promise<Inserted> {
  const tables = new Map(head.tables.map((table) => [table.name, table]))
  const accountMails: string[] = []
  let section = ''
  let waiting: string[] = []
  let characters = 0
  let rows = 0
  const insertWaiting = async () => {
    const table = tables.get(section)
    if (section === accountMailsName) accountMails.push(...waiting)
    else if (table !== undefined && waiting.length > 0) {
      const [name, columns] = [`public.${quoted(table.name)}`, table.columns.map(quoted).join(', ')]
      await client.query(
        `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
        [`[${waiting.join(',')}]`],
      )
    }
    rows += waiting.length
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
    section = line.slice(1)
    const isKnown = tables.has(section) || section === accountMailsName
    if (section === String(rows) && !isKnown) return { rows, accountMails }
    if (!isKnown) break
  }
  throw new StartProblem('The backup is damaged or cut off: its last line lacks the number of rows.')
}
