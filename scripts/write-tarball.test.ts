import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { writeTarball } from './write-tarball.ts'

const bytes = (text: string) => Buffer.from(text)
const long = `${'folder/'.repeat(18)}${'name'.repeat(20)}.txt`

test('tar unpacks every file as it was, whatever its length and its path', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tarball-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const texts = { empty: '', 'a/short.txt': 'x', 'a/block.txt': 'y'.repeat(512), 'ü.txt': 'ä', [long]: 'z'.repeat(513) }
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: bytes(text),
    isExecutable: path === 'empty',
  }))
  await writeFile(join(folder, 'files.tgz'), writeTarball(files))
  await promisify(execFile)('tar', ['xzf', 'files.tgz'], { cwd: folder })
  for (const [path, text] of Object.entries(texts)) assert.equal(await readFile(join(folder, path), 'utf8'), text)
  assert.equal((await stat(join(folder, 'empty'))).mode & 0o777, 0o755)
  assert.equal((await stat(join(folder, 'ü.txt'))).mode & 0o777, 0o644)
})

test('the order of the files makes no difference, and a path that does not fit is an error', () => {
  const [one, other] = [
    { path: 'one', bytes: bytes('1') },
    { path: 'other', bytes: bytes('2') },
  ]
  assert.deepEqual(writeTarball([one, other]), writeTarball([other, one]))
  assert.throws(() => writeTarball([{ path: 'x'.repeat(101), bytes: bytes('') }]), /too long/)
})
