import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'

const pollIntervalMs = 50
/** An immediate shutdown takes a tenth of a second, longer on a hanging disk. */
const waitLimitMs = 5_000

/**
 * The name in the process titles of a cluster's PostgreSQL. Derived from device and inode, so that it identifies the
 * folder, not the path.
 */
export async function clusterName(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true })
  return `parley-${dev.toString(36)}-${ino.toString(36)}`
}

/**
 * Stop the processes of a PostgreSQL that a killed Parley left on this cluster, and remove a `postmaster.pid` whose
 * process id now belongs to another process. Only for the holder of the data folder's lock: any PostgreSQL on the
 * cluster is then a leftover. Throw a StartProblem if one keeps running.
 */
export async function stopLeftoverPostgres(cluster: string, log: Logger): Promise<void> {
  const name = await clusterName(cluster)
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const leftovers = await processesOf(name)
    if (leftovers.length > 0) log.warn({ cluster, processes: leftovers }, 'Stopping a PostgreSQL that was left behind')
    for (const pid of leftovers) signalProcess(pid, signal)
    if (await within(waitLimitMs, async () => (await processesOf(name)).length === 0)) break
  }

  const { pid, socket } = await readPidFile(cluster)
  if (!(await within(waitLimitMs, async () => !(await acceptsConnections(socket))))) {
    throw new StartProblem(
      `A PostgreSQL that cannot be seen from here, perhaps in another container, still runs on ${cluster}. Stop it first.`,
    )
  }
  // PostgreSQL itself handles a pid file whose process is gone.
  if (pid !== undefined && signalProcess(pid, 0)) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/**
 * Read postmaster.pid. Its lines: process id, data folder, start time, port, socket folder, address, shared memory,
 * state.
 */
export async function readPidFile(cluster: string): Promise<{ pid?: number; socket?: string; isReady: boolean }> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder, , , state] = text.split('\n')
  return {
    ...(Number(pid) > 0 && { pid: Number(pid) }),
    ...(socketFolder && { socket: join(socketFolder, `.s.PGSQL.${port}`) }),
    isReady: state?.trim() === 'ready',
  }
}

async function processesOf(name: string): Promise<number[]> {
  const found = process.platform === 'linux' ? await listLinuxProcesses() : await listProcesses()
  return found.filter(({ title }) => title.includes(name)).map(({ pid }) => pid)
}

type Process = { pid: number; title: string }

async function listLinuxProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process[]> => {
      // Processes that have ended meanwhile cannot be read.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      if ((await read('comm')).trim() !== 'postgres') return []
      return [{ pid: Number(pid), title: await read('cmdline') }]
    }),
  )
  return found.flat()
}

async function listProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args='], { maxBuffer: 50_000_000 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, title = ''] = /^\s*(\d+) ((?:\S*\/)?postgres\b.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), title }]
  })
}

/** Signal a process; false when it does not exist or belongs to another user. Signal 0 only checks. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function acceptsConnections(socket: string | undefined): Promise<boolean> {
  if (socket === undefined) return Promise.resolve(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const connection = createConnection(socket)
  connection.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => connection.destroy())
}

async function within(limitMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollIntervalMs) {
    if (await isSo()) return true
    await sleep(pollIntervalMs)
  }
  return isSo()
}
