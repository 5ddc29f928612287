import { setTimeout as sleep } from 'node:timers/promises'
import { judged, median, printTable } from './figures.ts'
import { putUnderLoad } from './load.ts'
import { listTarget } from './meetings/lists.ts'
import type { Person } from './prepared-data.ts'
import { familyOf, memoryMb, residentMb, startProcess } from './processes.ts'
import { makeFolder, type Stage } from './stage.ts'

const laterStarts = 3
const lookIntervalMs = 5
const loadMs = 4_000
/** Issue 2, item 2: the service serves this soon after its first start. */
const longestStart = { kind: 'at most', value: 30 } as const
/** Issue 13, item 16. */
const maxIdleMb = { kind: 'at most', value: 150 } as const
const maxMbAfterLoad = { kind: 'at most', value: 300 } as const
/** Until the jobs that run at the start have run, and the driver has closed what it does not need. */
const idleMs = 15_000

/** From the start of the process to the first 200 of /readyz, with the private database: new, and as it was left. */
export async function benchStart() {
  await using started = new AsyncDisposableStack()
  const dataDir = await makeFolder(started)
  const first = await startOnceMs(dataDir)
  const later: number[] = []
  for (let start = 0; start < laterStarts; start++) later.push(await startOnceMs(dataDir))
  printTable('From the start of the process to a 200 of /readyz, in seconds', [
    ['first start, which makes the database', judged(first / 1000, longestStart)],
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
      await sleep(lookIntervalMs)
    }
  } finally {
    await service.stop()
  }
}

/** Of a process that has just started, was asked nothing, and is alone with its private database. */
export async function benchIdleMemory() {
  await using started = new AsyncDisposableStack()
  const service = await startProcess('apps/server/src/main.ts', { DATA_DIR: await makeFolder(started), PORT: '0' })
  started.defer(() => service.stop())
  await sleep(idleMs)
  printTable('Memory of an idle service, in MB', await memoryRows(service.pid, maxIdleMb))
}

async function memoryRows(pid: number, target: typeof maxIdleMb | typeof maxMbAfterLoad): Promise<string[][]> {
  const own = await memoryMb(pid)
  if (own === undefined) return [['the service', 'only told on Linux']]
  return [
    ['the service, its share of what it shares (PSS)', judged(own, target)],
    ['  all that is resident (RSS)', (await residentMb(pid)).toFixed(0)],
  ]
}

/** After some seconds of lists, and after whatever else of this run came before. */
export async function benchMemory(stage: Stage, host: Person) {
  await putUnderLoad(listTarget(stage, host), 16, loadMs)
  const postgres = await Promise.all((await familyOf(stage.postgresPid)).map(memoryMb))
  const total = postgres.reduce<number>((sum, megabytes) => sum + (megabytes ?? 0), 0)
  printTable('Memory after load, in MB', [
    ...(await memoryRows(stage.parley.pid, maxMbAfterLoad)),
    [`PostgreSQL, ${postgres.length} processes, what they share counted once`, total.toFixed(0)],
  ])
}
