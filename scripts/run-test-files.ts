import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { roomiestFolder, startTestServer } from '../apps/server/test/test-database.ts'
import { groupFiles, type TestGroup, writeGroups } from './test-groups.ts'

/** A test that hangs ends with its name in the output, rather than with the patience of whoever waits. */
const testLimitMs = 240_000

/** Unless the options say otherwise: browsers that draw leave little time to others. */
const concurrency = availableParallelism() + 1

/** What a process runs one after the other; 12 take no less time than 8, and lose more when one of them crashes. */
const maxFilesOfGroup = 8

const root = fileURLToPath(new URL('../', import.meta.url))
const own = (script: string) => join(root, 'scripts', script)

/**
 * Run the files on one PostgreSQL that lives as long as the run, several in a process unless `needsOwnProcess` says so.
 * @param options for Node's test runner
 * @returns the exit code
 */
export async function runTestFiles(
  files: readonly string[],
  needsOwnProcess: (file: string) => boolean,
  options: readonly string[],
): Promise<number> {
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
  const run = (groups: readonly TestGroup[]) =>
    runOnce([...reportersTo(failures), ...options, ...groups.map(({ path }) => path)], environment, interruption.signal)
  try {
    const shared = files.filter((file) => !needsOwnProcess(file))
    const alone = files.filter(needsOwnProcess).map((file) => [file])
    const groups = await writeGroups([...alone, ...groupFiles(shared, maxFilesOfGroup, concurrency)], root, folder)
    const code = await run(groups)
    if (code === 0 || process.env.PARLEY_TEST_TWICE === undefined || interruption.signal.aborted) return code
    const failed = await failedOf(files, groups, failures)
    console.log(`FAILED, AND RUN ONCE MORE: ${failed.join(', ')}`)
    const again =
      failed.length === 0
        ? code
        : await run(
            await writeGroups(
              failed.map((file) => [file]),
              root,
              folder,
            ),
          )
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

/** A group whose process crashed did not run all of its files. */
async function failedOf(files: readonly string[], groups: readonly TestGroup[], failures: string): Promise<string[]> {
  const reported = new Set((await readFile(failures, 'utf8')).split('\n'))
  const crashed = new Set(groups.filter(({ path }) => reported.has(path)).flatMap((group) => group.files))
  return files.filter((file) => reported.has(resolve(root, file)) || crashed.has(file))
}

function runOnce(words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const runner = spawn(
    process.execPath,
    [...['--test', `--test-concurrency=${concurrency}`, `--test-timeout=${testLimitMs}`], ...words],
    { cwd: root, stdio: 'inherit', env },
  )
  signal.addEventListener('abort', () => runner.kill(signal.reason))
  return new Promise((resolve, reject) => {
    runner.on('error', reject)
    runner.on('exit', (code, endedBy) => resolve(endedBy === null ? (code ?? 1) : 1))
  })
}
