import { driveFixedRate, driveSaturation, type LoadResult, type RequestSource } from './drive-load.ts'
import type { ReportFixture } from './fixture.ts'
import { startProcessorClock } from './processor-time.ts'
import type { Phase } from './result.ts'
import { readDearestStatements, resetStatements } from './statements.ts'

export type PhasePlan = {
  seconds: number
  connections: number
  source: RequestSource
  /** Requests a second at a fixed rate; saturation if absent. */
  ratePerSecond?: number
}

/** Put the service under one load, and measure its cost. Statements and processor time are counted from here on. */
export async function measurePhase(fixture: ReportFixture, plan: PhasePlan): Promise<Phase> {
  const { seconds, connections, source, ratePerSecond } = plan
  const startedAt = new Date().toISOString()
  await resetStatements(fixture.owner)
  const readClock = await startProcessorClock({ parley: fixture.parley.pid, postgres: fixture.postgresPid })
  const target = { port: fixture.parley.port, connections, durationMs: seconds * 1000, source }
  const load = await (ratePerSecond === undefined
    ? driveSaturation(target)
    : driveFixedRate({ ...target, ratePerSecond }))
  const processorSeconds = await readClock()
  return {
    kind: ratePerSecond === undefined ? 'saturation' : 'fixed-rate',
    startedAt,
    connections,
    ...(ratePerSecond !== undefined && { ratePerSecond, dispatchDelayP99Ms: load.dispatchDelays.quantileMs(0.99) }),
    ...countsOf(load),
    processorSeconds,
    statements: await readDearestStatements(fixture.owner),
  }
}

function countsOf({ elapsedMs, latencies, errors, ranOut }: LoadResult) {
  return {
    seconds: elapsedMs / 1000,
    succeeded: latencies.count,
    errors: Object.fromEntries(errors),
    ranOut,
    latencies: latencies.summarize(),
  }
}
