import { failureCodeOf, runCommand } from './cli/run-command.ts'
import { systemClock } from './platform/clock.ts'
import { readConfig } from './platform/config/config.ts'
import { createLog } from './platform/log.ts'
import { secureRandom } from './platform/random.ts'
import { StartProblem } from './platform/start-problem.ts'

/** npm run parley: the operator's commands. Their results go to standard output, everything else to standard error. */
const words = process.argv.slice(2)
const read = readConfig(process.env)
if (read.kind === 'refused') {
  console.error(['Some settings are wrong:', ...read.problems.map((found) => `- ${found}`)].join('\n'))
  process.exit(failureCodeOf(words))
}
const log = createLog({ level: 'error', destination: process.stderr })
const say = (line: string) => console.log(line)
const sayOnStderr = (line: string) => console.error(line)

try {
  const dependencies = { config: read.config, clock: systemClock, random: secureRandom, log, say, sayOnStderr }
  process.exitCode = await runCommand(words, dependencies)
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  console.error(error.message)
  process.exitCode = failureCodeOf(words)
}
