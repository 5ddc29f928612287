import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describeEnd, endProcess } from '../supervise.ts'
import { postgresEnvironment } from './environment.ts'
import type { RunAs } from './user.ts'

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
