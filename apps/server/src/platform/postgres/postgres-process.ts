import { spawn } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { copyFile, type FileHandle, open, readFile, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeEnd, endProcess } from '../supervise.ts'
import { postgresEnvironment, type RunAs } from './user.ts'

/** Passed as text, so that a user without access to Parley's own folder can run it too. */
const watcher = readFileSync(new URL('./watcher.sh', import.meta.url), 'utf8')

/**
 * PostgreSQL's fast shutdown (INT) ends with a checkpoint, which a slow disk may delay. The immediate one (QUIT) is as
 * safe, but needs recovery at the next start.
 */
const shutdowns = [
  { signal: 'INT', limitMs: 20_000 },
  { signal: 'QUIT', limitMs: 5_000 },
] as const

export type PostgresProcess = {
  /** Resolves with the result, e.g. 'exit code 0' or 'signal 9', when the program has ended. */
  ended: Promise<string>
  hasEnded(): boolean
  /** End the program, in the gentlest way that works in time. */
  shutDown(): Promise<void>
}

/**
 * Start one of PostgreSQL's programs under the watcher, which stops it when this process dies.
 *
 * @param logFile file descriptor for the program's output
 */
export function startPostgresProcess(runAs: RunAs, program: readonly string[], logFile: number): PostgresProcess {
  const child = spawn('/bin/sh', ['-c', watcher, 'postgres-watcher', ...runAs.prefix, ...program], {
    ...runAs.user,
    cwd: '/',
    detached: true,
    env: postgresEnvironment(),
    stdio: ['pipe', logFile, logFile],
  })
  // The pipe breaks when the program ends before it reads a signal; `ended` reports that.
  child.stdin?.on('error', () => {})
  let over = false
  const ended = describeEnd(child, describeWatcherExit).finally(() => {
    over = true
  })
  return {
    ended,
    hasEnded: () => over,
    shutDown: () =>
      endProcess(
        ended,
        // Through the watcher, which knows the program's process id for certain.
        shutdowns.map(({ signal, limitMs }) => ({ send: () => child.stdin?.write(`${signal}\n`), limitMs })),
        () => {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        },
      ),
  }
}

/** A shell reports a signal as 128 plus its number. */
function describeWatcherExit(code: number | null, signal: string | null): string {
  if (signal !== null) return `its watcher got ${signal}`
  return code !== null && code > 128 ? `signal ${code - 128}` : `exit code ${code}`
}

/** PostgreSQL logs little: this is weeks of output. At most twice as much is kept. */
const logLimitBytes = 5_000_000
const checkIntervalMs = 60_000
const maxReportedLines = 8
/** Two WAL segments: with less free space, a full disk is the likely cause of any failure. */
const scarceBytes = 32 * 1024 * 1024

export type PostgresLog = {
  /** The descriptor for PostgreSQL's standard output and error. */
  descriptor: number
  /**
   * The end of a failure message: a full disk, if it is full, and the last lines since the start. Never throws, because
   * it runs during error handling.
   */
  lastWords(): Promise<string>
  close(): Promise<void>
}

/** Open PostgreSQL's log for appending and keep it bounded: when it outgrows the limit, it is moved to `<path>.1`. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  // In append mode, so that PostgreSQL continues at the right offset after we have truncated the file.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600)
  await keepBounded(file, path)
  const { size: beginning } = await file.stat()
  const timer = setInterval(() => void keepBounded(file, path).catch(() => {}), checkIntervalMs).unref()
  return {
    descriptor: file.fd,
    async lastWords() {
      const scarcity = (await isScarce(dirname(path))) ? ` The disk with ${dirname(path)} is full.` : ''
      const written = await readFile(path).catch(() => undefined)
      if (written === undefined) return `${scarcity} Its last words in ${path} cannot be read.`
      const ours = written.length >= beginning ? written.subarray(beginning) : written
      const lines = ours.toString('utf8').trim().split('\n').slice(-maxReportedLines)
      return `${scarcity} The end of ${path}:\n${lines.join('\n')}`
    },
    async close() {
      clearInterval(timer)
      await file.close()
    },
  }
}

async function isScarce(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize < scarceBytes
}

async function keepBounded(file: FileHandle, path: string) {
  if ((await file.stat()).size <= logLimitBytes) return
  await copyFile(path, `${path}.1`)
  await file.truncate(0)
}
