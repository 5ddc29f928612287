import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { writeProcesses } from './test-processes.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-processes-'))
after(() => rm(folder, { recursive: true, force: true }))
const log = join(folder, 'log')

/** Test files that log their names and their processes. */
const writeFiles = (...names: string[]) =>
  Promise.all(
    names.map(async (name) => {
      const path = join(folder, `${name}.test.js`)
      await writeFile(
        path,
        `import { appendFileSync } from 'node:fs'\nappendFileSync('${log}', '${name} ' + process.pid + '\\n')`,
      )
      return path
    }),
  )

/** Run the scripts at once, and list the names that each process has logged. */
async function run(scripts: readonly string[], environment: Record<string, string> = {}): Promise<string[][]> {
  await writeFile(log, '')
  const options = { env: { PATH: process.env.PATH, ...environment } }
  await Promise.all(scripts.map((script) => promisify(execFile)(process.execPath, [script], options)))
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  const byProcess = Map.groupBy(lines, (line) => line.split(' ')[1])
  return [...byProcess.values()].map((logged) => logged.map((line) => line.split(' ')[0] ?? ''))
}

test('each file runs once: some in a process of their own, the others in any process that shares them', async () => {
  const [alone = '', ...shared] = await writeFiles('alone', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  const scripts = await writeProcesses({ alone: [alone], shared, concurrency: 3 }, join(folder, 'shared'))
  assert.equal(scripts.length, 4)
  const ran = await run(scripts)
  assert.deepEqual(ran.flat().sort(), ['a', 'alone', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  assert.deepEqual(
    ran.filter((names) => names.includes('alone')),
    [['alone']],
  )
  for (const first of ['a', 'b', 'c']) assert.ok(ran.some((names) => names[0] === first))
})

test('a process runs at most 64 files, and all are run', async () => {
  const shared = await writeFiles(...Array.from({ length: 129 }, (_, index) => `file${index}`))
  const scripts = await writeProcesses({ alone: [], shared, concurrency: 1 }, join(folder, 'many'))
  assert.equal(scripts.length, 3)
  const ran = await run(scripts)
  assert.equal(new Set(ran.flat()).size, 129)
  assert.equal(ran.flat().length, 129)
  for (const names of ran) assert.ok(names.length <= 64)
})

test('no process is without a file', async () => {
  const shared = await writeFiles('a', 'b')
  assert.equal((await writeProcesses({ alone: [], shared, concurrency: 3 }, join(folder, 'few'))).length, 2)
})

test('an error outside the promise of a test fails the test that caused it, and only that', async () => {
  const path = join(folder, 'stray-errors.test.js')
  await writeFile(
    path,
    `import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
const longEnough = () => sleep(1_000)
test('before', () => sleep(1))
test('a timer throws', async () => {
  await sleep(1)
  setTimeout(() => { throw new Error('thrown') }, 1)
  await longEnough()
})
test('a promise is rejected', async () => {
  await fetch('data:,')
  void (async () => {
    await sleep(1)
    throw new Error('rejected')
  })()
  await longEnough()
})
test('after', () => sleep(1))
`,
  )
  const [script = ''] = await writeProcesses({ alone: [path], shared: [], concurrency: 1 }, join(folder, 'stray'))
  const { code, stdout } = await promisify(execFile)(process.execPath, ['--test-reporter=tap', script], {
    env: { PATH: process.env.PATH },
  }).catch((error) => error)
  assert.equal(code, 1)
  assert.deepEqual(
    [...stdout.matchAll(/^ {4}(ok|not ok) \d+ - (.*)$/gm)].map(([, outcome, name]) => `${name}: ${outcome}`),
    ['before: ok', 'a timer throws: not ok', 'a promise is rejected: not ok', 'after: ok'],
    stdout,
  )
})

test('on request, the times of each file are noted', async () => {
  const table = join(folder, 'times')
  const shared = await writeFiles('a', 'b')
  const scripts = await writeProcesses({ alone: [], shared, concurrency: 1 }, join(folder, 'times-of'))
  await run(scripts, { PARLEY_TEST_TIMES: table })
  const lines = (await readFile(table, 'utf8')).trim().split('\n')
  assert.deepEqual(
    lines.map((line) => line.replace(/^(\d+\.\d\d\t){3}/, '')),
    shared,
  )
})
