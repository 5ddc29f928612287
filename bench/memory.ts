import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTarget, median, printTable } from './figures.ts'
import { type BenchFixture, makeFolder } from './fixture.ts'
import { inTurn, measureLoad, requestBytes } from './load.ts'
import type { Person } from './prepared-data.ts'
import { familyOf, memoryMb, residentMb, startProcess } from './processes.ts'

const laterStarts = 3
const pollIntervalMs = 5
const loadMs = 4_000
/** Limit for the first start, in seconds. */
const maxStartSeconds = { kind: 'at most', value: 30 } as const
const maxIdleMb = { kind: 'at most', value: 150 } as const
const maxMbAfterLoad = { kind: 'at most', value: 300 } as const
/** Enough for the jobs of the start to finish and for the driver to close idle connections. */
const idleMs = 15_000

/**
 * Measure the time from process start to the first 200 of /readyz, with a new and with an existing private database.
 */
export async function benchStart() {
  await using started = new AsyncDisposableStack()
  const dataDir = await makeFolder(started)
  const first = await startOnceMs(dataDir)
  const later: number[] = []
  for (let start = 0; start < laterStarts; start++) later.push(await startOnceMs(dataDir))
  printTable('From the start of the process to a 200 of /readyz, in seconds', [
    ['Start', 'Figure'],
    ['first start, which creates the database', evaluateTarget(first / 1000, maxStartSeconds)],
    [`later start, median of ${laterStarts}`, (median(later) / 1000).toFixed(2)],
  ])
}

async function startOnceMs(dataDir: string): Promise<number> {
  const beganMs = performance.now()
  const service = await startProcess('apps/server/src/main.ts', { DATA_DIR: dataDir, PORT: '0' })
  try {
    for (;;) {
      const { status } = await fetch(`http://127.0.0.1:${service.port}/readyz`)
      if (status === 200) return performance.now() - beganMs
      await sleep(pollIntervalMs)
    }
  } finally {
    await service.stop()
  }
}

/** Measure a service that has just started, has received no requests, and has a private database. */
export async function benchIdleMemory() {
  await using started = new AsyncDisposableStack()
  const service = await startProcess('apps/server/src/main.ts', { DATA_DIR: await makeFolder(started), PORT: '0' })
  started.defer(() => service.stop())
  await sleep(idleMs)
  printTable('Memory of an idle service, in MB', [['Process', 'MB'], ...(await memoryRows(service.pid, maxIdleMb))])
}

async function memoryRows(pid: number, target: typeof maxIdleMb | typeof maxMbAfterLoad): Promise<string[][]> {
  const own = await memoryMb(pid)
  if (own === undefined) return [['the service', 'measured on Linux only']]
  return [
    ['the service, proportional share (PSS)', evaluateTarget(own, target)],
    ['  resident (RSS)', (await residentMb(pid)).toFixed(0)],
  ]
}

/** Measure after some seconds of list requests, and after the earlier parts of this run. */
export async function benchMemory(fixture: BenchFixture, host: Person) {
  const request = requestBytes('GET', '/api/meeting/me?limit=20', host.token)
  await measureLoad(inTurn(fixture.parley.port, [request]), 16, loadMs)
  const postgres = await Promise.all((await familyOf(fixture.postgresPid)).map(memoryMb))
  const total = postgres.reduce<number>((sum, megabytes) => sum + (megabytes ?? 0), 0)
  printTable('Memory after load, in MB', [
    ['Process', 'MB'],
    ...(await memoryRows(fixture.parley.pid, maxMbAfterLoad)),
    [`PostgreSQL, ${postgres.length} processes, shared memory counted once`, total.toFixed(0)],
  ])
}
