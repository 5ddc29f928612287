import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { installChromium } from '../e2e/browser.ts'
import { findLivekit } from '../test/livekit/livekit-program.ts'
import { runTestFiles } from './run-test-files.ts'
import { selectTestFiles, unlessNamed } from './select-test-files.ts'

/**
 * npm test: every *.test.ts, on one PostgreSQL that lives as long as the run.
 * Arguments are files, patterns or beginnings of paths to run instead; those that begin with -- go to Node's test
 * runner. Scripts that run other files put their patterns before `--unless-named`. With PARLEY_TEST_TWICE, files that
 * fail are run once more, and the output says so.
 */
const everything = [
  'packages/**/*.test.ts',
  'apps/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/**/*.test.ts',
]
/** Tests of programs that a fresh machine lacks are skipped there, but named in the output. */
const notRunHere = [
  'NOT RUN HERE: the stories, in the browser and of services that are killed: npm run stories',
  'NOT RUN HERE: the OAuth clients, calendar readers, mail server, TURN server and proxies of Debian, and LiveKit. ' +
    'Run scripts/install-interop-tools.sh once, then: npm run test:interop',
  'NOT RUN HERE: the loss of PostgreSQL servers, etcd and proxies under load, with Patroni. Run ' +
    'scripts/install-interop-tools.sh once, then: npm run failover. All of it every night: .ci/nightly',
].join('\n')
const livekitNotRun =
  'NOT RUN HERE: everything with a real LiveKit (test/livekit), because livekit-server is not built. It takes Go 1.26 or ' +
  'newer: install one, then run scripts/install-interop-tools.sh again.'

const root = fileURLToPath(new URL('../', import.meta.url))
const commandLine = process.argv.slice(2)
const { files: found, unmatched, isNamed, options } = selectTestFiles(root, commandLine, everything)
const isWhole = !isNamed && !commandLine.includes(unlessNamed)
/**
 * The files of the whole drive no browser, and spend half of their time waiting for PostgreSQL or for child processes.
 * Browsers that render leave little processor time to other processes.
 */
const concurrency = isWhole ? 2 * availableParallelism() : availableParallelism() + 1
const needsLivekit = (file: string) => file.startsWith('test/livekit/') && file.endsWith('.interop.ts')
const isInBrowser = (file: string) => /^(e2e|test\/livekit|test\/turn)\//.test(file)
/** Stories and interop runs last long and share little; a crash of one of them must not end another. */
const needsOwnProcess = (file: string) => !/\.test\.[jt]s$/.test(file) || isInBrowser(file)
const files = findLivekit() === undefined ? found.filter((file) => !needsLivekit(file)) : found

if (unmatched.length > 0 || found.length === 0) {
  console.error(`No test files match ${unmatched.join(' ')}`)
  process.exitCode = 1
} else {
  if (files.some(isInBrowser)) installChromium()
  process.exitCode = files.length === 0 ? 0 : await runTestFiles(files.sort(), needsOwnProcess, concurrency, options)
  if (isWhole) console.log(notRunHere)
  if (files.length < found.length) console.log(livekitNotRun)
}
