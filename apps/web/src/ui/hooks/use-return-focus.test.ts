import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, '../..')

test('every dialog that is mounted only while open restores the focus on closing', () => {
  const dialog = /<(?:Modal|Drawer|ConfirmDialog)\s+opened(?!=)/
  const files = globSync('**/*.tsx', { cwd: folder }).map((file) => ({
    file,
    source: readFileSync(join(folder, file), 'utf8'),
  }))
  const dialogs = files.filter(({ source }) => dialog.test(source))
  assert.ok(dialogs.length > 10, 'the pattern finds the dialogs')
  assert.deepEqual(
    dialogs.filter(({ source }) => !source.includes('useReturnFocus()')).map(({ file }) => file),
    [],
  )
})
