import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { claimDataFolder } from '../../src/platform/data-folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts'
import type { PostgresConnection } from '../../src/platform/postgres/readiness.ts'

/** Whether the test process may change users, which half of these tests need. */
export const isRoot = process.getuid?.() === 0

const silent = pino({ level: 'silent' })

/** A folder for one test that every user may enter. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

let made: Promise<string> | undefined

/** A data folder with a database: a copy of one created once per process, because initdb takes a second. */
export async function dataFolder(t: TestContext, name = 'data'): Promise<string> {
  made ??= makeOne()
  const folder = join(await temporaryFolder(t), name)
  await mkdir(folder)
  // This takes a third of the time of Node's own recursive copy.
  await promisify(execFile)('cp', ['-R', join(await made, 'postgres'), folder])
  return folder
}

async function makeOne(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await withPostgres(folder, async () => {})
  return folder
}

/** Claim the data folder, start PostgreSQL, do the work, stop and release. */
export async function withPostgres<T>(dataDir: string, work: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const claim = await claimDataFolder(dataDir)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    return await work(postgres).finally(() => postgres.stop())
  } finally {
    await claim.release()
  }
}

export async function query(connection: PostgresConnection, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Insert numbers, each in its own transaction, until the connection breaks; resolves with the last committed number.
 */
export async function writeUntilBroken(connection: PostgresConnection): Promise<number> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE number_written (number int)')
  let acknowledged = 0
  try {
    for (;;) {
      await client.query('INSERT INTO number_written VALUES ($1)', [acknowledged + 1])
      acknowledged += 1
    }
  } catch {
    return acknowledged
  }
}

export type Parley = {
  process: ChildProcess
  connection: PostgresConnection
  /** Send the signal and wait until the process has ended; resolves with its output. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<string>
}

type Way = SpawnOptions & {
  /** A command that starts other commands, such as `setpriv --reuid=1000`. */
  by?: readonly string[]
}

/** Start a process that only holds a data folder and its PostgreSQL. */
export async function startParley(t: TestContext, dataDir: string, { by = [], ...options }: Way = {}): Promise<Parley> {
  const outcome = await tryParley(t, dataDir, { by, ...options })
  if (typeof outcome === 'string') throw new Error(`Parley did not start: ${outcome}`)
  return outcome
}

/** Start the process where it may refuse; the result is then its message. */
export async function tryParley(
  t: TestContext,
  dataDir: string,
  { by = [], ...options }: Way = {},
): Promise<Parley | string> {
  const [command = '', ...words] = [...by, process.execPath, fileURLToPath(import.meta.url), dataDir]
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  const { promise: ready, resolve: reportReady } = Promise.withResolvers<PostgresConnection | undefined>()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface(stream).on('line', (line) => {
      said.push(line)
      if (line.startsWith('{"host"')) reportReady(JSON.parse(line))
    })
  }
  const closed = once(child, 'close')
  void closed.then(() => reportReady(undefined))
  t.after(() => child.kill('SIGKILL'))
  const connection = await ready
  if (connection === undefined) return said.join('\n')
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await closed
    return said.join('\n')
  }
  return { process: child, connection, end }
}

/** Poll for as long as the test may last. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** List the processes whose command line contains a word, from Linux's process list. */
export async function processesWith(word: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.map(Number).filter((pid, index) => pid !== process.pid && lines[index]?.includes(word))
}

/** List the inode numbers of a process's sockets. */
export async function socketsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
}

async function beParley(dataDir: string) {
  process.on('SIGINT', () => console.log('interrupted'))
  const claim = await claimDataFolder(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
  void postgres.ended.then((sentence) => {
    console.log(sentence)
    process.exit(3)
  })
  process.once('SIGTERM', async () => {
    await postgres.stop()
    await claim.release()
    console.log('stopped')
    process.exit(0)
  })
  console.log(JSON.stringify(postgres.connection))
}

if (import.meta.main) {
  await beParley(process.argv[2] ?? '').catch((error: Error) => {
    console.log(error.name === 'StartProblem' ? error.message : error.stack)
    process.exit(1)
  })
}
