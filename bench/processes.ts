import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serviceEnvironment, serviceFlags } from '../scripts/service-flags.ts'

export type RunningProcess = {
  pid: number
  port: number
  /** Terminate the process and wait for its end; may be called twice. */
  stop(): Promise<void>
}

const startLimitMs = 60_000
const stopLimitMs = 20_000

/**
 * Start a program in a separate process and wait until it prints the address on which it listens. It gets the service's
 * flags and allocator settings, as do the baseline and the peer.
 * @param script its path from the root of the repository
 * @param environment its whole environment except the paths, so that the runner's settings affect no figure
 */
export async function startProcess(script: string, environment: Record<string, string>): Promise<RunningProcess> {
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env
  const program = [...serviceFlags, '--import', import.meta.resolve('./end-with-runner.ts'), pathOf(script)]
  const child = spawn(process.execPath, program, {
    env: definedOf({ PATH, HOME, TMPDIR, NODE_OPTIONS, ...serviceEnvironment, ...environment }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = Promise.withResolvers<number>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < 10_000) output += text
    const [, found] = /(?:listens:|(?<!Parley) serves at) +http:\/\/\S+?:(\d+)\s/.exec(output) ?? []
    if (found !== undefined) port.resolve(Number(found))
  })
  child.once('error', port.reject)
  child.once('exit', (code) => port.reject(new Error(`${script} ended at its start (${code}): ${output}`)))
  const late = setTimeout(() => port.reject(new Error(`${script} is late: ${output}`)), startLimitMs)

  async function stop() {
    child.kill('SIGTERM')
    const giveUp = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
    await ended
    clearTimeout(giveUp)
  }
  try {
    return { pid: child.pid ?? 0, port: await port.promise, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(late)
  }
}

const pathOf = (script: string) => fileURLToPath(new URL(`../${script}`, import.meta.url))

function definedOf(environment: Record<string, string | undefined>): Record<string, string> {
  const defined: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) defined[name] = value
  return defined
}

/** @returns the resident memory of a process in MB, including shared memory (RSS); NaN except on Linux */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/**
 * @returns the memory of a process in MB, with its proportional share of shared memory (PSS); undefined except on Linux
 */
export async function memoryMb(pid: number): Promise<number | undefined> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(rollup) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/**
 * @returns the processor time of these processes so far in milliseconds, with a resolution of 10 ms each; NaN except on
 * Linux
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  const times = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name may contain spaces. It is followed by the state and ten numbers, then user and system time
    // (proc_pid_stat(5)).
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * 10
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/**
 * @returns the processor time of a process and its descendants in milliseconds, including ended ones that their parents
 * have waited for
 */
export async function familyProcessorMs(pid: number): Promise<number> {
  const times = (await familyOf(pid)).map(async (each) => {
    const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/** @returns the ids of a process and its descendants */
export async function familyOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}
