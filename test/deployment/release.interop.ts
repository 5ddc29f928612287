import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A release in a clone of this repository, as it is committed. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const place = await mkdtemp(join(tmpdir(), 'parley-release-'))
after(() => rm(place, { recursive: true, force: true }))
const clone = join(place, 'clone')
await run('git', ['clone', '-q', root, clone])
await linkPackages(clone)

/** Give a tree the packages that are installed here, and its own workspaces. */
async function linkPackages(tree: string) {
  for (const folder of ['node_modules', 'apps/server/node_modules', 'apps/web/node_modules']) {
    await mkdir(join(tree, folder), { recursive: true })
    for (const name of await readdir(join(root, folder))) {
      if (name !== '@parley') await symlink(join(root, folder, name), join(tree, folder, name))
    }
  }
  await mkdir(join(tree, 'node_modules/@parley'))
  for (const parent of ['packages', 'apps'])
    for (const name of await readdir(join(tree, parent)))
      await symlink(join(tree, parent, name), join(tree, 'node_modules/@parley', name))
}

const releaseOf = (...words: string[]) =>
  run(process.execPath, ['scripts/release.ts', ...words], { cwd: clone }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }) => ({ code, said: stderr }),
  )
const sumsOf = () => readFile(join(clone, 'release/7.8.9/SHA256SUMS'), 'utf8')
async function commit() {
  await run('git', ['add', '--all'], { cwd: clone })
  const author = ['-c', 'user.name=Parley', '-c', 'user.email=p@example.org']
  await run('git', [...author, 'commit', '-qm', 'Release'], { cwd: clone })
}

test('a release writes the version and the date, and everything that is published', async () => {
  assert.equal((await releaseOf('7.8')).code, 2)
  const { code, said } = await releaseOf('7.8.9', '--date', '2031-02-03')
  assert.equal(code, 0, said)
  const sums = await sumsOf()
  const named = sums
    .trim()
    .split('\n')
    .map((line) => line.split('  ') as [string, string])
  assert.deepEqual(
    named.map(([, name]) => name),
    [
      'parley-7.8.9.cdx.json',
      'parley-7.8.9.csaf.json',
      'parley-7.8.9.openapi.json',
      'parley-7.8.9.openvex.json',
      'parley-7.8.9.tar.gz',
      'parley-client-7.8.9.tgz',
      'parley-client-py-7.8.9.tgz',
    ],
  )
  for (const [sum, name] of named) {
    const bytes = await readFile(join(clone, 'release/7.8.9', name))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sum)
  }
  for (const name of ['parley-client-7.8.9.tgz', 'parley-client-py-7.8.9.tgz']) {
    const recorded = await readFile(join(clone, 'test/released-clients', name))
    assert.deepEqual(recorded, await readFile(join(clone, 'release/7.8.9', name)), 'Later versions are tested with it')
  }
  assert.match(await readFile(join(clone, 'CHANGELOG.md'), 'utf8'), /^## 7\.8\.9 \(2031-02-03\)$/m)
  const openapi = JSON.parse(await readFile(join(clone, 'release/7.8.9/parley-7.8.9.openapi.json'), 'utf8'))
  assert.equal(openapi.info.version, '7.8.9')
  const { version: former } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const { stdout } = await run('git', ['grep', '-l', '-F', former], { cwd: clone }).catch((error) => {
    // Nothing was found.
    if (error.code === 1) return { stdout: '' }
    throw error
  })
  // What these say is about that version.
  const about = ['docs/decisions/', 'docs/maintenance.md']
  assert.deepEqual(
    stdout.split('\n').filter((path) => path !== '' && !about.some((one) => path.startsWith(one))),
    [],
  )
  const { workspaces } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'))
  assert.ok(workspaces.length > 0, 'The manifest keeps its other fields')
})

test('the same source gives the same files, to anyone who builds it anew', async () => {
  const sums = await sumsOf()
  assert.match((await releaseOf('7.8.9')).said, /has changes: commit them first/)
  await commit()
  await rm(join(clone, 'release'), { recursive: true })
  await rm(join(clone, 'apps/web/dist'), { recursive: true })
  const { code, said } = await releaseOf('7.8.9')
  assert.equal(code, 0, said)
  assert.match(said, /7\.8\.9 \(2031-02-03\)/, 'The date is that of the changes')
  assert.equal(await sumsOf(), sums)
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: clone })
  assert.equal(stdout, '')
})

test('what an operator unpacks has its pages, its commands and no tests', async () => {
  await run('tar', ['xzf', join(clone, 'release/7.8.9/parley-7.8.9.tar.gz')], { cwd: place })
  const unpacked = join(place, 'parley-7.8.9')
  await linkPackages(unpacked)
  const node = (script: string, ...words: string[]) => run(process.execPath, [script, ...words], { cwd: unpacked })
  assert.equal((await node('scripts/build-web.ts')).stdout, '', 'The pages are built already')
  const { stdout } = await node('apps/server/src/parley.ts', 'config')
  assert.match(stdout, /BASE_URL/)
  const files = await readdir(unpacked, { recursive: true })
  assert.deepEqual(
    files.filter((path) => /\.test\.ts$/.test(path) && !path.includes('node_modules')),
    [],
  )
})
