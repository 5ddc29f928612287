import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

/** One result for each workload, and one for the soak; docs/performance.md is generated from them. */
export const resultsFolder = fileURLToPath(new URL('../results/', import.meta.url))

const Latencies = Type.Object({
  p50Ms: Type.Number(),
  p95Ms: Type.Number(),
  p99Ms: Type.Number(),
  maxMs: Type.Number(),
})
export type Latencies = Static<typeof Latencies>

const Statement = Type.Object({
  /** The operations on tables: reads and writes. */
  summary: Type.String(),
  /** As normalized by pg_stat_statements, truncated. */
  text: Type.String(),
  calls: Type.Integer(),
  meanMs: Type.Number(),
  /** The share of the execution time of all statements of the service, from 0 to 1. */
  share: Type.Number(),
})
export type Statement = Static<typeof Statement>

const ProcessorSeconds = Type.Object({
  parley: Type.Number(),
  postgres: Type.Number(),
  driver: Type.Number(),
  /** Everything else that ran on the machine. */
  others: Type.Number(),
})
export type ProcessorSeconds = Static<typeof ProcessorSeconds>

const Phase = Type.Object({
  kind: Type.Union([Type.Literal('fixed-rate'), Type.Literal('saturation')]),
  startedAt: Type.String(),
  seconds: Type.Number(),
  connections: Type.Integer(),
  /** Scheduled arrivals a second; fixed rate only. */
  ratePerSecond: Type.Optional(Type.Number()),
  /** Requests with a 2xx reply. */
  succeeded: Type.Integer(),
  errors: Type.Record(Type.String(), Type.Integer()),
  /** Whether the prepared data was used up before the end. */
  ranOut: Type.Boolean(),
  latencies: Latencies,
  /** The delay with which the driver sent requests for which a connection was free; fixed rate only. */
  dispatchDelayP99Ms: Type.Optional(Type.Number()),
  processorSeconds: ProcessorSeconds,
  statements: Type.Array(Statement),
})
export type Phase = Static<typeof Phase>

const Environment = Type.Object({
  machine: Type.String(),
  cores: Type.Integer(),
  system: Type.String(),
  node: Type.String(),
  postgres: Type.String(),
  parley: Type.String(),
  settings: Type.String(),
  data: Type.String(),
})
export type Environment = Static<typeof Environment>

const WorkloadResult = Type.Object({
  workload: Type.String(),
  request: Type.String(),
  environment: Environment,
  warmUpSeconds: Type.Number(),
  phases: Type.Array(Phase),
})
export type WorkloadResult = Static<typeof WorkloadResult>

const SoakSample = Type.Object({
  /** Since the start of the load. */
  seconds: Type.Number(),
  rssMb: Type.Number(),
  pssMb: Type.Number(),
  postgresPssMb: Type.Number(),
  fileHandles: Type.Integer(),
  eventLoopDelayP50Ms: Type.Number(),
  eventLoopDelayP99Ms: Type.Number(),
  eventLoopDelayMaxMs: Type.Number(),
})
export type SoakSample = Static<typeof SoakSample>

const SoakResult = Type.Object({
  environment: Environment,
  startedAt: Type.String(),
  seconds: Type.Number(),
  sampleSeconds: Type.Number(),
  workloads: Type.Array(
    Type.Object({
      workload: Type.String(),
      ratePerSecond: Type.Number(),
      succeeded: Type.Integer(),
      errors: Type.Record(Type.String(), Type.Integer()),
      latencies: Latencies,
    }),
  ),
  processorSeconds: ProcessorSeconds,
  samples: Type.Array(SoakSample),
})
export type SoakResult = Static<typeof SoakResult>

/** @returns the path that was written */
export function writeWorkloadResult(folder: string, result: WorkloadResult): Promise<string> {
  return writeResult(join(folder, `report-${result.workload}.json`), result)
}

/**
 * Add the phases that only the existing file has, if they were measured in the same environment.
 * @returns the complete result
 */
export async function addOtherPhase(folder: string, result: WorkloadResult): Promise<WorkloadResult> {
  const { workloads } = await readResults(folder)
  const written = workloads.find(({ workload }) => workload === result.workload)
  if (written === undefined || !isDeepStrictEqual(written.environment, result.environment)) return result
  const others = written.phases.filter(({ kind }) => !result.phases.some((phase) => phase.kind === kind))
  const phases = [...result.phases, ...others].sort((a, b) => a.kind.localeCompare(b.kind))
  return { ...result, phases }
}

/** @returns the path that was written */
export function writeSoakResult(folder: string, result: SoakResult): Promise<string> {
  return writeResult(join(folder, 'soak.json'), result)
}

async function writeResult(path: string, result: object): Promise<string> {
  await writeFile(path, `${JSON.stringify(result, undefined, 2)}\n`)
  return path
}

/** @throws Error when a file does not have the format of this version */
export async function readResults(folder: string): Promise<{ workloads: WorkloadResult[]; soak?: SoakResult }> {
  const workloads: WorkloadResult[] = []
  let soak: SoakResult | undefined
  for (const name of (await readdir(folder)).sort()) {
    const value: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'))
    if (basename(name).startsWith('report-')) workloads.push(Value.Parse(WorkloadResult, value))
    if (name === 'soak.json') soak = Value.Parse(SoakResult, value)
  }
  return { workloads, ...(soak !== undefined && { soak }) }
}
