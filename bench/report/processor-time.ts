import { readFile } from 'node:fs/promises'
import { familyProcessorMs, processorMs } from '../processes.ts'
import type { ProcessorSeconds } from './result.ts'

/** The kernel counts in ticks of this length. */
const tickSeconds = 0.01

type Reading = { parley: number; postgres: number; driver: number; machine: number }

/**
 * Start to measure the processor time of Parley, of PostgreSQL with its backends, and of this process. Linux only.
 * @returns a function that returns the seconds used since then
 */
export async function startProcessorClock(pids: {
  parley: number
  postgres: number
}): Promise<() => Promise<ProcessorSeconds>> {
  const before = await readAll(pids)
  return async () => {
    const after = await readAll(pids)
    const [parley, postgres, driver] = [
      after.parley - before.parley,
      after.postgres - before.postgres,
      after.driver - before.driver,
    ]
    const others = Math.max(0, after.machine - before.machine - parley - postgres - driver)
    return { parley, postgres, driver, others }
  }
}

async function readAll(pids: { parley: number; postgres: number }): Promise<Reading> {
  const { user, system } = process.cpuUsage()
  return {
    parley: (await processorMs([pids.parley])) / 1000,
    postgres: (await familyProcessorMs(pids.postgres)) / 1000,
    driver: (user + system) / 1e6,
    machine: busySeconds(await readFile('/proc/stat', 'utf8')),
  }
}

/** The time of all cores in /proc/stat that was neither idle nor spent waiting for a disk (proc_stat(5)). */
function busySeconds(stat: string): number {
  const [, fields = ''] = /^cpu +(.+)$/m.exec(stat) ?? []
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0, steal = 0] = fields
    .split(' ')
    .map(Number)
  return (user + nice + system + interrupt + softInterrupt + steal) * tickSeconds
}
