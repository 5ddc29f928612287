import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../platform/config/config.ts'
import { claimDataFolder, FolderInUse } from '../platform/data-folder.ts'
import { connectionTo, type DatabaseConnection } from '../platform/database/database-address.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'
import { serviceConnection } from '../platform/postgres/readiness.ts'

type OpenDatabase = {
  connection: DatabaseConnection
  /** Whether a running Parley uses it. */
  inUse: boolean
  close(): Promise<void>
}

/**
 * Open the service's database for one command: the operator's own, or the private one. A running Parley's database is
 * reached through its socket; otherwise PostgreSQL is started for the duration of the command.
 *
 * @throws StartProblem
 */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    return { connection: connectionTo(config.databaseUrl), inUse: false, close: async () => {} }
  }
  try {
    const folder = await claimDataFolder(config.dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log }).catch(async (error) => {
      await folder.release()
      throw error
    })
    const close = async () => {
      await postgres.stop()
      await folder.release()
    }
    return { connection: postgres.connection, inUse: false, close }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    // The socket is in this folder or behind its link (postgres/socket-folder.ts).
    const connection = serviceConnection(join(config.dataDir, 'postgres-socket'))
    return { connection, inUse: true, close: async () => {} }
  }
}
