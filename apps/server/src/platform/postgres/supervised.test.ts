import assert from 'node:assert/strict'
import { readlink, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { dataFolder, query, until } from '../../../test/postgres/embedded-postgres.ts'
import { createLog } from '../log.ts'
import { readPidFile } from './leftovers.ts'
import { startSupervisedPostgres } from './supervised.ts'

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
