import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { roomiestFolder, startTestServer } from '../apps/server/test/test-database.ts'

/** A test that hangs ends with its name in the output, rather than with the patience of whoever waits. */
const testLimitMs = 240_000

/** Unless the options say otherwise: browsers that draw leave little time to others. */
const concurrency = availableParallelism() + 1

const root = fileURLToPath(new URL('../', import.meta.url))
const own = (script: string) => join(root, 'scripts', script)

/**
 * Runs each file in a process of its own, on one PostgreSQL that lives as long as the run.
 * @param options for Node's test runner
 * @returns the exit code
 */
export async function runTestFiles(files: readonly string[], options: readonly string[]): Promise<number> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort(signal))
  const memory = await roomiestFolder()
  const folder = await mkdtemp(join(memory, 'parley-run-'))
  const failures = join(folder, 'failures')
  const server = await startTestServer()
  const environment = {
    // Each file is a process that reads the same few hundred modules.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'),
    ...process.env,
    TMPDIR: memory,
    TEST_DATABASE_SERVER: JSON.stringify(server.connection),
  }
  const run = (these: readonly string[]) =>
    runOnce([...reportersTo(failures), ...options, ...these], environment, interruption.signal)
  try {
    const code = await run(files)
    if (code === 0 || process.env.PARLEY_TEST_TWICE === undefined || interruption.signal.aborted) return code
    const failed = await failedOf(files, failures)
    console.log(`FAILED, AND RUN ONCE MORE: ${failed.join(', ')}`)
    const again = failed.length === 0 ? code : await run(failed)
    console.log(again === 0 ? `FAILED ONCE, THEN PASSED; find out why: ${failed.join(', ')}` : 'FAILED TWICE')
    return again
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const reportersTo = (failures: string) => [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...[`--test-reporter=${own('report-failed-files.ts')}`, `--test-reporter-destination=${failures}`],
]

async function failedOf(files: readonly string[], failures: string): Promise<string[]> {
  const told = new Set((await readFile(failures, 'utf8')).split('\n'))
  return files.filter((file) => told.has(resolve(root, file)))
}

function runOnce(words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const runner = spawn(
    process.execPath,
    [
      ...['--test', `--import=${own('end-after-tests.ts')}`],
      ...[`--test-concurrency=${concurrency}`, `--test-timeout=${testLimitMs}`],
      ...words,
    ],
    { cwd: root, stdio: 'inherit', env },
  )
  signal.addEventListener('abort', () => runner.kill(signal.reason))
  return new Promise((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', (code, endedBy) => resolve(endedBy === null ? (code ?? 1) : 1))
  })
}
