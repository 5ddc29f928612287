import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('run-tests.ts', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'parley-runner-'))
after(() => rm(folder, { recursive: true, force: true }))

/**
 * Run test files with these contents, by file name.
 * @returns the result
 */
async function run(name: string, texts: Record<string, string>, environment: Record<string, string> = {}) {
  const files = await Promise.all(
    Object.entries(texts).map(async ([file, text]) => {
      const path = join(folder, `${name}-${file}.test.js`)
      await writeFile(
        path,
        `import { test } from 'node:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n${text}`,
      )
      return path
    }),
  )
  const { PATH, TEST_DATABASE_SERVER } = process.env
  const env = { PATH, TMPDIR: tmpdir(), ...(TEST_DATABASE_SERVER && { TEST_DATABASE_SERVER }), ...environment }
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [runner, ...files], { env }, (error, said) => resolve({ code: error?.code ?? 0, said }))
  })
}

const many = "for (let n = 0; n < 2000; n++) test('test ' + n, () => {})"
const broken = "test('broken', () => { throw new Error('broken') })"
const atFirst = (file: string) =>
  `test('at first', () => { const was = existsSync('${file}'); writeFileSync('${file}', ''); if (!was) throw new Error() })`

test('every test is reported, and a failing test fails the run', async () => {
  const { code, said } = await run('once', { many, broken })
  assert.match(said, /ℹ tests 2001\n/)
  assert.match(said, /ℹ fail 1\n/)
  assert.equal(code, 1)
  assert.doesNotMatch(said, /ONCE/)
})

test('a file whose process ends has not passed, and other processes run the rest', async () => {
  const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h']
  const others = Object.fromEntries(names.map((name) => [name, "test('passes', () => {})"]))
  const { code, said } = await run('ended', {
    a: "test('ends', () => new Promise(() => setTimeout(() => process.exit(0), 300)))",
    ...others,
  })
  assert.equal(code, 1)
  assert.match(said, /ℹ tests 7\n/)
  assert.match(said, /DID NOT PASS: \S+a\.test\.js\n/)
})

test('on request, failed files are run once more, and the output says so', async () => {
  const twice = { PARLEY_TEST_TWICE: '1' }
  const healed = await run('healed', { many, flaky: atFirst(join(folder, 'seen')) }, twice)
  assert.equal(healed.code, 0)
  assert.match(healed.said, /FAILED, AND RUN ONCE MORE: \S+healed-flaky\.test\.js\n/)
  assert.match(healed.said, /FAILED ONCE, THEN PASSED/)
  const failed = await run('failed', { broken, gone: 'process.kill(process.pid, 9)' }, twice)
  assert.equal(failed.code, 1)
  assert.match(failed.said, /ONCE MORE: \S+failed-broken\.test\.js, \S+failed-gone\.test\.js\n/)
  assert.match(failed.said, /FAILED TWICE/)
})
