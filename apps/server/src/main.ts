import { systemClock } from './platform/clock.ts'
import { readConfig } from './platform/config/config.ts'
import { createLog } from './platform/log.ts'
import { secureRandom } from './platform/random.ts'
import { releaseMemory } from './platform/release-memory.ts'
import { StartProblem } from './platform/start-problem.ts'
import { createStartReport } from './start-report.ts'
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
