import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { limitsPage } from '../scripts/write-limits.ts'

const page = new URL('../docs/limits.md', import.meta.url)

test('docs/limits.md has the limits of the source', async () => {
  const written = limitsPage()
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(page, written)
  assert.equal(await readFile(page, 'utf8'), written, 'UPDATE_SNAPSHOTS=1 npm test -- test/limits.test.ts writes it')
})
