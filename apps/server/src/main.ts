import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from './platform/clock.ts'
import { readConfig } from './platform/config/config.ts'
import { createLog } from './platform/log.ts'
import { secureRandom } from './platform/random.ts'
import { StartProblem } from './platform/start-problem.ts'
import { startService } from './start-service.ts'

const read = readConfig(process.env)
const report = createStartReport(read.kind === 'read' ? read.config.logFormat : process.env.LOG_FORMAT)
if (read.kind === 'refused') {
  report.refuse(['Parley cannot start:', ...read.problems.map((found) => `- ${found}`)])
  process.exit(1)
}
const { config } = read
const log = createLog({ level: config.logLevel, format: config.logFormat })

try {
  const service = await startService({ config, clock: systemClock, random: secureRandom, log })
  // Before the address is printed: a script that waits for it may stop the service at once.
  let stopping = false
  const stop = async (exitCode: number) => {
    if (stopping) return
    stopping = true
    await service.stop()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0))
  service.failed.then((sentence) => {
    log.fatal(sentence)
    return stop(1)
  })
  releaseMemory()
  report.announce([
    `Parley serves at ${config.baseUrl}`,
    `- listens:   ${service.address}`,
    `- data:      ${config.databaseUrl === undefined ? config.dataDir : 'in the database of DATABASE_URL'}`,
    ...(service.inboundMail === undefined
      ? []
      : [`- answers:   ${service.inboundMail} takes mail to ${config.replyAddress}`]),
    `- reference: ${config.baseUrl}/reference`,
    ...firstSteps(service.setUpCode, config.baseUrl),
  ])
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  report.refuse([`Parley cannot start: ${error.message}`])
  process.exit(1)
}

/** The next steps of the operator of a new service, which are printed at each start until there is an account. */
function firstSteps(code: string | undefined, baseUrl: string): string[] {
  if (code === undefined) return []
  return [
    `- next:      open ${baseUrl} and make the first account; it is the administrator`,
    `- set-up:    ${code} is the code that it needs`,
  ]
}

type StartReport = {
  /** Say where the service is, once it serves. */
  announce(lines: readonly string[]): void
  /** Say why it does not start. */
  refuse(lines: readonly string[]): void
}

/**
 * Report the start to the operator, whatever LOG_LEVEL is: as text, or with `ecs` as one log entry, because a
 * collector of ECS logs expects nothing else.
 * @param format LOG_FORMAT, which has not been validated when the settings are refused
 */
function createStartReport(format: string | undefined): StartReport {
  if (format === 'ecs') {
    const log = createLog({ level: 'info', format })
    return {
      announce: (lines) => log.info(lines.join('\n')),
      refuse: (lines) => log.fatal(lines.join('\n')),
    }
  }
  return {
    announce: (lines) => console.log(lines.join('\n')),
    refuse: (lines) => console.error(lines.join('\n')),
  }
}

/**
 * Collect all garbage and give what is free back to the system. Loading 2,000 modules makes V8's young space as large
 * as it gets, and V8 does not shrink it again: its memory reducer waits for a quiet moment, which Node 26 never
 * reports. The process does nothing else meanwhile, for about 0.1 s.
 */
function releaseMemory() {
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
