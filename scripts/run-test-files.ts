import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { roomiestFolder, startTestServer } from '../apps/server/test/postgres/test-database.ts'
import { type TestProcesses, writeProcesses } from './test-processes.ts'

/** A test that takes longer fails, with its name in the output. With LOOKS=all it looks at each page twice as often. */
const testLimitMs = process.env.LOOKS === 'all' ? 480_000 : 240_000

/** V8's memory for new objects, in MB: with its usual 16, a tenth of all processor time is spent on collecting them. */
const youngObjects = '--max-semi-space-size=64'

const root = fileURLToPath(new URL('../', import.meta.url))
const own = (script: string) => join(root, 'scripts', script)

/**
 * Run the files on one PostgreSQL that lives as long as the run, or that of the run which this is a part of, in
 * `concurrency` processes, which they share unless `needsOwnProcess` says otherwise.
 * @param options for Node's test runner
 * @returns the exit code
 */
export async function runTestFiles(
  files: readonly string[],
  needsOwnProcess: (file: string) => boolean,
  concurrency: number,
  options: readonly string[],
): Promise<number> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort(signal))
  const memory = await roomiestFolder()
  const folder = await mkdtemp(join(memory, 'parley-run-'))
  const passed = join(folder, 'passed')
  const server = process.env.TEST_DATABASE_SERVER === undefined ? await startTestServer() : undefined
  const environment = {
    // Each file is a process that reads the same few hundred modules.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'),
    ...process.env,
    TMPDIR: memory,
    ...(server && { TEST_DATABASE_SERVER: JSON.stringify(server.connection) }),
  }
  const run = async (name: string, processes: TestProcesses) => {
    const paths = await writeProcesses(processes, join(folder, name))
    const words = [...reportersTo(passed), `--test-concurrency=${processes.concurrency}`, ...options, ...paths]
    return runOnce(words, environment, interruption.signal)
  }
  try {
    // What takes long must not run last, while other processors have nothing to do: stories are the longer the more
    // text they have; of the other files, those of test/ are the longest, and those of packages/ start nothing.
    const sizeOf = (file: string) => statSync(resolve(root, file)).size
    const alone = files.filter(needsOwnProcess).sort((one, other) => sizeOf(other) - sizeOf(one))
    const others = files.filter((file) => !needsOwnProcess(file)).reverse()
    const isOfPackage = (file: string) => file.startsWith('packages/')
    const shared = [...others.filter((file) => !isOfPackage(file)), ...others.filter(isOfPackage)]
    const code = await run('first', { alone, shared, concurrency })
    const failed = await filesNotIn(passed, files)
    if (code === 0 && failed.length === 0) return 0
    if (process.env.PARLEY_TEST_TWICE === undefined || interruption.signal.aborted) {
      console.log(`DID NOT PASS: ${failed.join(', ')}`)
      return 1
    }
    console.log(`FAILED, AND RUN ONCE MORE: ${failed.join(', ')}`)
    const again = failed.length === 0 ? code : await run('again', { alone: failed, shared: [], concurrency: 1 })
    const hasPassed = again === 0 && (await filesNotIn(passed, failed)).length === 0
    console.log(hasPassed ? `FAILED ONCE, THEN PASSED; find out why: ${failed.join(', ')}` : 'FAILED TWICE')
    return hasPassed ? 0 : 1
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const reportersTo = (passed: string) => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${own('report-passed-files.ts')}`,
  `--test-reporter-destination=${passed}`,
]

/** @returns the files that the last run did not report as passed */
async function filesNotIn(passed: string, files: readonly string[]): Promise<string[]> {
  const reported = new Set((await readFile(passed, 'utf8')).split('\n'))
  return files.filter((file) => !reported.has(file))
}

function runOnce(words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const runner = spawn(process.execPath, [youngObjects, '--test', `--test-timeout=${testLimitMs}`, ...words], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  signal.addEventListener('abort', () => runner.kill(signal.reason))
  return new Promise((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', (code, endedBy) => resolve(endedBy === null ? (code ?? 1) : 1))
  })
}
