import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/postgres/embedded-postgres.ts'
import { openPostgresLog } from './postgres-process.ts'

test('the last messages are the last lines since the start', async (t) => {
  const path = join(await temporaryFolder(t), 'postgres.log')
  await writeFile(path, 'of another start\n')
  const log = await openPostgresLog(path)
  t.after(() => log.close())
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`)
  await writeFile(path, `${lines.join('\n')}\n`, { flag: 'a' })
  assert.equal(await log.lastWords(), ` The end of ${path}:\n${lines.slice(2).join('\n')}`)
})

test('survives a deleted log, with its folder or without', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'postgres.log')
  const log = await openPostgresLog(path)
  t.after(() => log.close())
  for (const gone of [path, folder]) {
    await rm(gone, { recursive: true })
    assert.equal(await log.lastWords(), ` Its last words in ${path} cannot be read.`)
  }
})
