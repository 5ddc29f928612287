import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeader } from './backup-format.ts'

const head = { format: 'parley-backup', version: 1, migrations: [{ name: '0001-initial.sql', sha256: '' }] }

test('reads the header of a backup, and says why it refuses another file', () => {
  assert.deepEqual(readHeader(JSON.stringify(head)), head)
  for (const [line, reason] of [
    [undefined, 'The file is not a backup of Parley.'],
    ['{', 'The file is not a backup of Parley.'],
    [JSON.stringify({ ...head, version: 2 }), 'The backup was made by a newer Parley. Restore it with that one.'],
  ] as const) {
    assert.throws(() => readHeader(line), { name: 'StartProblem', message: reason })
  }
  const development = { ...head, version: 2, migrations: [{ name: '0001-accounts.sql', sha256: '' }] }
  assert.throws(
    () => readHeader(JSON.stringify(development)),
    /^StartProblem: The backup was made by a development version/,
  )
})
