import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf } from '../../test/processes/run-service.ts'

test('answers an unknown command with the list of commands', async (t) => {
  for (const words of [
    ['dance'],
    ['admin', 'create'],
    ['backup'],
    ['account', 'list', '--hand-over'],
    ['import'],
    ['import', 'a.ics', '--hosts'],
  ]) {
    const { code, output } = await runParley(t, {}, ...words)
    assert.equal(code, 2, words.join(' '))
    assert.match(output, /^ {2}doctor +look at/m)
  }
  assert.equal((await runParley(t, {})).code, 0)
  const mistyped = await runParley(t, { DATA_DIR: await dataFolderOf(t) }, 'admin', 'create', 'olga')
  assert.deepEqual([mistyped.code, mistyped.output], [1, 'olga is not an email address.'])
  const absent = ['import', '--dry-run', 'absent.ics', '--host', 'olga@example.org']
  assert.equal((await runParley(t, { DATA_DIR: await dataFolderOf(t) }, ...absent)).code, 1)
})
