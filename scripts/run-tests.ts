import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer } from '../apps/server/test/test-database.ts'
import { installChromium } from '../e2e/browser.ts'
import { findLivekit } from '../test/livekit/livekit-program.ts'

/**
 * npm test: every *.test.ts in a process of its own, on one PostgreSQL that lives as long as the run.
 * Arguments are files or patterns to run instead; those that begin with -- go to Node's test runner.
 */
const everything = [
  'packages/**/*.test.ts',
  'apps/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
  'e2e/**/*.test.ts',
]
/** A test that hangs ends with its name in the output, rather than with the patience of whoever waits. */
const TEST_LIMIT_MS = 240_000

/** What a fresh machine does not have must not fail its tests, and must not be forgotten. */
const notRunHere = [
  'NOT RUN HERE: the longer stories in the browser: npm run stories',
  'NOT RUN HERE: the OAuth clients, calendar readers, mail server, TURN server and proxies of Debian, and LiveKit. ' +
    'Run scripts/install-judges.sh once, then: npm run judges',
].join('\n')
const livekitNotRun =
  'NOT RUN HERE: everything with a real LiveKit (test/livekit), because livekit-server is not built. It takes Go 1.26 or ' +
  'newer: install one, then run scripts/install-judges.sh again.'

const root = fileURLToPath(new URL('../', import.meta.url))
const asked = process.argv.slice(2)
const options = asked.filter((argument) => argument.startsWith('--'))
const patterns = asked.filter((argument) => !argument.startsWith('--'))
const found = globSync(patterns.length === 0 ? everything : patterns, { cwd: root, exclude: ['**/node_modules/**'] })
const needsLivekit = (file: string) => file.startsWith('test/livekit/') && file.endsWith('.judge.ts')
const isInBrowser = (file: string) => /^(e2e|test\/livekit|test\/turn)\//.test(file)
const files = findLivekit() === undefined ? found.filter((file) => !needsLivekit(file)) : found

/** Files wait for PostgreSQL about half of their time; with one more, tests that kill servers were too slow to see it. */
const concurrency = availableParallelism() + 1

if (found.length === 0) {
  console.error(`No test files match ${patterns.join(' ')}`)
  process.exitCode = 1
} else {
  if (files.some(isInBrowser)) installChromium()
  process.exitCode = files.length === 0 ? 0 : await runTests(files.sort())
  if (patterns.length === 0) console.log(notRunHere)
  if (files.length < found.length) console.log(livekitNotRun)
}

async function runTests(testFiles: readonly string[]): Promise<number> {
  const interruption = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interruption.resolve)

  const server = await startTestServer()
  try {
    const runner = spawn(
      process.execPath,
      [
        '--test',
        '--test-reporter=spec',
        // A failed clean-up leaves servers and browsers open, and the run must end all the same.
        '--test-force-exit',
        `--test-concurrency=${concurrency}`,
        `--test-timeout=${TEST_LIMIT_MS}`,
        ...options,
        ...testFiles,
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          // Each file is a process that reads the same few hundred modules.
          NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'),
          ...process.env,
          TEST_DATABASE_SERVER: JSON.stringify(server.connection),
        },
      },
    )
    void interruption.promise.then((signal) => runner.kill(signal))
    return await new Promise((resolve, reject) => {
      runner.on('error', reject)
      runner.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 1))
    })
  } finally {
    await server.stop()
  }
}
