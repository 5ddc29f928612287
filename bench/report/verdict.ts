import { fitLine } from './fit-line.ts'
import type { Phase, SoakResult, SoakSample } from './result.ts'

/** People wait for these replies. */
export const maxP99Ms = 250
/** A process that uses this share of a core is limited by it. */
const fullCore = 0.93
const fullMachine = 0.95
/** The shortest valid run in seconds, except for the rounding of timers. */
export const minSeconds = { report: 599, soak: 3_590 } as const
/** A machine is quiet while other programs use at most this share of all cores. */
const quietShare = 0.05

/**
 * Write one sentence: whether a fixed rate was kept, or what limited the saturation; and whether the machine was quiet.
 */
export function assessPhase(phase: Phase, cores: number): string {
  const outcome = phase.kind === 'fixed-rate' ? assessFixedRate(phase) : findLimit(phase, cores)
  const others = phase.processorSeconds.others / phase.seconds
  return (
    outcome + (isQuiet(phase, cores) ? '' : `. Not a quiet machine: other programs used ${others.toFixed(2)} cores`)
  )
}

export function isQuiet(
  { processorSeconds, seconds }: Pick<Phase, 'processorSeconds' | 'seconds'>,
  cores: number,
): boolean {
  return processorSeconds.others / seconds <= quietShare * cores
}

function assessFixedRate({ errors, latencies, ranOut }: Phase): string {
  if (ranOut) return 'invalid: the prepared data ran out'
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  if (failed > 0) return `not kept: ${failed.toLocaleString('en')} errors`
  if (latencies.p99Ms > maxP99Ms) return `kept, but the 99th percentile is above ${maxP99Ms} ms`
  return 'kept'
}

function findLimit({ processorSeconds, seconds, errors, ranOut }: Phase, cores: number): string {
  const [parley, postgres, driver, others] = [
    processorSeconds.parley / seconds,
    processorSeconds.postgres / seconds,
    processorSeconds.driver / seconds,
    processorSeconds.others / seconds,
  ]
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  const ended = ranOut ? '; ended early, when the prepared data ran out' : ''
  const suffix = (failed > 0 ? `; ${failed.toLocaleString('en')} errors` : '') + ended
  if (driver >= fullCore) return `limited by the driver: Parley can do more${suffix}`
  if (parley + postgres + driver + others >= fullMachine * cores) return `limited by the machine's processor${suffix}`
  if (parley >= fullCore) return `limited by Parley's process, which has one thread for JavaScript${suffix}`
  return `not limited by the processor: waits for the disk or for locks${suffix}`
}

export type Growth = {
  perHour: number
  /** Standard error of `perHour`. */
  error: number
  grows: boolean
}

/** The share of the samples at the beginning that is ignored, while caches fill and code is compiled. */
const settlingPart = 1 / 6
/** Growth per hour of less than this share of the mean is negligible. */
const negligiblePart = 0.02

/**
 * Assess the growth of one measure by least squares over the samples after the settling time. It grows if the slope is
 * more than two standard errors above 0 and more than 2 % of the mean per hour.
 */
export function assessGrowth(samples: readonly SoakSample[], measure: (sample: SoakSample) => number): Growth {
  const end = samples.at(-1)?.seconds ?? 0
  const settled = samples.filter(({ seconds }) => seconds >= end * settlingPart)
  const points = settled.map((sample) => ({ x: sample.seconds / 3600, y: measure(sample) }))
  const { slope, slopeError } = fitLine(points)
  const mean = points.reduce((sum, { y }) => sum + y, 0) / points.length
  return { perHour: slope, error: slopeError, grows: slope > 2 * slopeError && slope > negligiblePart * mean }
}

export const soakMeasures = [
  { name: 'Resident memory of Parley (RSS), MB', digits: 0, measure: (sample: SoakSample) => sample.rssMb },
  { name: 'Proportional memory of Parley (PSS), MB', digits: 0, measure: (sample: SoakSample) => sample.pssMb },
  { name: 'Memory of PostgreSQL (PSS), MB', digits: 0, measure: (sample: SoakSample) => sample.postgresPssMb },
  { name: 'File handles of Parley', digits: 1, measure: (sample: SoakSample) => sample.fileHandles },
  { name: 'Event-loop delay p50, ms', digits: 2, measure: (sample: SoakSample) => sample.eventLoopDelayP50Ms },
  { name: 'Event-loop delay p99, ms', digits: 2, measure: (sample: SoakSample) => sample.eventLoopDelayP99Ms },
] as const

/** Write one sentence about a soak. Runs shorter than an hour are not conclusive. */
export function assessSoak({ samples, workloads, seconds }: SoakResult): string {
  const growing = soakMeasures.filter(({ measure }) => assessGrowth(samples, measure).grows).map(({ name }) => name)
  const failed = workloads.flatMap(({ errors }) => Object.values(errors)).reduce((sum, count) => sum + count, 0)
  const parts = [
    failed === 0 ? 'no errors' : `${failed.toLocaleString('en')} errors`,
    growing.length === 0 ? 'nothing grows' : `growing: ${growing.join('; ')}`,
  ]
  if (seconds < minSeconds.soak) parts.push('shorter than an hour, so the slopes say little')
  return parts.join('; ')
}
