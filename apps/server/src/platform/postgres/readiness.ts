import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartProblem } from '../start-problem.ts'
import { clusterOwner } from './cluster.ts'
import { readPidFile } from './leftovers.ts'
import type { PostgresLog, PostgresProcess } from './postgres-process.ts'
import { socketPort } from './socket-folder.ts'

const serviceRole = 'parley'
const pollIntervalMs = 15
/** Recovery after a crash takes seconds; this allows for a slow disk with a full log. */
const readyLimitMs = 300_000

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const unknownRole = '28000'
const unknownDatabase = '3D000'
/** The socket does not exist yet or was closed, or the server is starting up. */
const notReady = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'])

/** `ssl` and `options` are explicit, so that PGSSLMODE and PGOPTIONS in the operator's environment have no effect. */
export type PostgresConnection = {
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false
  options: string
}

/** The service's connection: as a user that owns the database and nothing else, as with an external server. */
export const serviceConnection = (socketFolder: string): PostgresConnection => ({
  host: socketFolder,
  port: socketPort,
  user: serviceRole,
  password: '',
  database: serviceRole,
  ssl: false,
  options: '-c client_encoding=UTF8',
})

/**
 * Wait until the server responds, and create the service's user and database. Throw a StartProblem if it ends or is
 * late.
 */
export async function waitUntilReady(
  server: Pick<PostgresProcess, 'hasEnded' | 'ended'>,
  cluster: string,
  connection: PostgresConnection,
  log: Pick<PostgresLog, 'lastWords'>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < readyLimitMs; waitedMs += pollIntervalMs) {
    if (server.hasEnded()) {
      throw new StartProblem(`PostgreSQL did not start (${await server.ended}).${await log.lastWords()}`)
    }
    if ((await readPidFile(cluster)).isReady && (await ensureDatabase(connection))) return
    await sleep(pollIntervalMs)
  }
  throw new StartProblem(`PostgreSQL was not ready after ${readyLimitMs / 60_000} minutes.${await log.lastWords()}`)
}

/** Whether the server responds; if so, the service's database exists afterwards. */
async function ensureDatabase(connection: PostgresConnection): Promise<boolean> {
  try {
    await run(connection, 'SELECT 1')
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if ((typeof code === 'string' && notReady.has(code)) || isCut(error)) return false
    if (code !== unknownRole && code !== unknownDatabase) throw error
    const owner = { ...connection, user: clusterOwner, database: 'postgres' }
    // CREATEDB, because tests copy databases from a template.
    if (code === unknownRole) await run(owner, `CREATE ROLE ${serviceRole} LOGIN CREATEDB`)
    await run(owner, `CREATE DATABASE ${serviceRole} OWNER ${serviceRole}`)
    return true
  }
}

/** The server died before it responded; pg has no code for it. */
const isCut = (error: unknown) => error instanceof Error && error.message.startsWith('Connection terminated')

async function run(connection: PostgresConnection, statement: string) {
  const client = new pg.Client(connection)
  // An unhandled 'error' event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}
