import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { secureRandom } from '../random.ts'
import { StartProblem } from '../start-problem.ts'
import { readOrMakeSecretKey } from './secret-key.ts'

const key = '00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF'
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley key '))
})

afterEach(() => rm(folder, { recursive: true }))

test('creates the secret key once, readable by its owner only', async () => {
  const made = await readOrMakeSecretKey(folder, secureRandom)
  assert.equal(made.length, 32)
  assert.equal((await stat(join(folder, 'secret-key'))).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['secret-key'])
  assert.deepEqual(await readOrMakeSecretKey(folder, secureRandom), made)
})

test('processes that create it at the same time agree on one', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => readOrMakeSecretKey(folder, secureRandom)))
  assert.equal(new Set(keys.map((one) => one.toString('hex'))).size, 1)
  assert.deepEqual(await readdir(folder), ['secret-key'])
})

test('refuses to start with a damaged secret key, and leaves it as it is', async () => {
  for (const damaged of ['', key.slice(1), `${key}0`, `${key.slice(1)}z`]) {
    await writeFile(join(folder, 'secret-key'), damaged)
    await assert.rejects(
      readOrMakeSecretKey(folder, secureRandom),
      (error) =>
        error instanceof StartProblem && /secret-key is damaged/.test(error.message) && !/0011/.test(error.message),
    )
    assert.equal(await readFile(join(folder, 'secret-key'), 'utf8'), damaged)
  }
})

test('does not replace a secret key that cannot be read', async () => {
  await mkdir(join(folder, 'secret-key'))
  await chmod(join(folder, 'secret-key'), 0o700)
  await assert.rejects(readOrMakeSecretKey(folder, secureRandom), /cannot be read/)
})
