import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { createLog } from '../../src/platform/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts'
import { descendantsOf, haveEnded } from '../processes/process-tree.ts'

export type RestartablePostgres = {
  connection: PoolConfig
  /** Kill the server's main process, as in a crash; its connections break. */
  kill(): Promise<void>
  /** Start it again on the same data, at the same address. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** A test's own PostgreSQL, which can be stopped and started while the code under test runs. */
export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-restart-'))
  await chmod(dataDir, 0o755)
  const log = createLog({ level: 'silent' })
  const start = () => startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
  let server: EmbeddedPostgres = await start()
  return {
    connection: server.connection,
    async kill() {
      const [firstLine] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n', 1)
      const backends = await descendantsOf(Number(firstLine))
      process.kill(Number(firstLine), 'SIGKILL')
      await server.ended
      // The backends notice the crash by themselves and answer until then.
      await haveEnded(backends)
    },
    async startAgain() {
      await server.stop()
      server = await start()
    },
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
