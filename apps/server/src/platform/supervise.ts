import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './errors.ts'
import { timedOut, withTimeout } from './with-timeout.ts'

/** A child process that ran this long had recovered: its end begins a new series of restarts. */
const defaultSteadyMs = 60_000

/** A child process that has started. */
export type SupervisedProcess = {
  /** Resolves with a sentence or phrase that says why it ended. */
  ended: Promise<string>
  /** End the process if it is running, and release its resources. */
  stop(): Promise<unknown>
}

type SupervisorOptions = {
  /** Start the child process. A rejection counts as an end. */
  start(): SupervisedProcess | Promise<SupervisedProcess>
  /** The pause before a restart, counted from 0 in each series; undefined gives up. */
  pauseMsBefore(restart: number): number | undefined
  onRestart(end: ProcessEnd & { pauseMs: number }): void
  /** Stop the child process and do not restart it. */
  signal: AbortSignal
  /** For tests. */
  steadyMs?: number
}

/** Why a child process ended, and how many restarts in a row preceded its end. */
type ProcessEnd = { reason: string; restarts: number }

/**
 * Run a child process, and restart it whenever it ends.
 * @returns the last end when restarts are given up; undefined when `signal` has stopped it
 */
export async function supervise({
  start,
  pauseMsBefore,
  onRestart,
  signal,
  steadyMs = defaultSteadyMs,
}: SupervisorOptions): Promise<ProcessEnd | undefined> {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => resolve(undefined))

  /** Run the process once. */
  async function run(): Promise<{ reason: string; wasSteady: boolean }> {
    const child = await start()
    const startedAtMs = performance.now()
    const reason = (await Promise.race([child.ended, stopped])) ?? 'stopped'
    const wasSteady = performance.now() - startedAtMs > steadyMs
    await child.stop()
    return { reason, wasSteady }
  }

  for (let restarts = 0; !signal.aborted; restarts++) {
    const { reason, wasSteady } = await run().catch((error: unknown) => ({
      reason: messageOf(error),
      wasSteady: false,
    }))
    if (signal.aborted) return undefined
    if (wasSteady) restarts = 0
    const pauseMs = pauseMsBefore(restarts)
    if (pauseMs === undefined) return { reason, restarts }
    onRestart({ reason, restarts, pauseMs })
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}

type EndingStep = {
  /** Ask the process to end. */
  send(): void
  /** How long it may take. */
  limitMs: number
}

/** End a process by each step in turn, in the gentlest way that works in time; kill it after the last one. */
export async function endProcess(ended: Promise<unknown>, steps: readonly EndingStep[], kill: () => void) {
  for (const { send, limitMs } of steps) {
    send()
    if ((await withTimeout(limitMs, () => ended)) !== timedOut) return
  }
  kill()
  await ended
}

const describeExit = (code: number | null, signal: string | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`

/**
 * Wait for the end of a child process, and describe it: 'exit code 1', 'signal SIGKILL', or why it could not be
 * started.
 * @param describe replaces the description of its exit
 */
export async function describeEnd(child: ChildProcess, describe = describeExit): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit')
    return describe(code, signal)
  } catch (error) {
    return messageOf(error)
  }
}
