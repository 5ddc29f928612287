import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

type Process = { pid: number; parent: number; name: string }

/** List the descendants of a process, parents before children, from Linux's process list and never by name. */
export async function descendantsOf(pid: number): Promise<number[]> {
  return below(pid, await listProcesses()).map((found) => found.pid)
}

/** List the embedded media engines below a process. */
export async function mediaEnginesBelow(pid: number): Promise<number[]> {
  const pids = await descendantsOf(pid)
  const commands = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, 'latin1').catch(() => '')))
  return pids.filter((_, at) => commands[at]?.includes('src/media/main.ts'))
}

/** Find the postmaster of the PostgreSQL that a service started. */
export async function postmasterOf(pid: number): Promise<number> {
  const found = below(pid, await listProcesses()).find(({ name }) => name === 'postgres')
  if (found === undefined) throw new Error(`No PostgreSQL runs below the process ${pid}`)
  return found.pid
}

/** Resolve when none of the processes runs any more. */
export async function haveEnded(pids: readonly number[]): Promise<void> {
  while ((await listProcesses()).some(({ pid }) => pids.includes(pid))) await sleep(20)
}

/**
 * Kill all processes at once, as a power cut does, so that none reacts to another's end. Some may have ended already.
 */
export function killAll(pids: readonly number[]) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Breadth first: a parent comes before its children. */
function below(pid: number, all: readonly Process[]): Process[] {
  const children = all.filter(({ parent }) => parent === pid)
  return [...children, ...children.flatMap((child) => below(child.pid, all))]
}

/** List running processes; zombies do not count. */
async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.flatMap((stat) => {
    const [, pid, name = '', state, parent] = /^(\d+) \((.*)\) (\S) (\d+)/s.exec(stat) ?? []
    return pid === undefined || state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), name }]
  })
}
