import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { createDatabase, createPool } from '../../apps/server/src/platform/database/database.ts'
import { connectionTo } from '../../apps/server/src/platform/database/database-address.ts'
import { readDatabaseFailure } from '../../apps/server/src/platform/database/database-failure.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { basic, codeFor, tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import type { Person } from '../../apps/server/test/people.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import type { Clients } from './load.ts'

/** A connection to the cluster's current primary, for statements of the test itself. */
export type ParleyDatabase = Pick<TestApp, 'database'> & {
  /** Retry while the cluster has no primary. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** The WAL senders of the primary. */
  findWalSenders(): Promise<number[]>
  end(): Promise<void>
}

const maxAttempts = 10
const chains = 4
const codesOfRun = 40

export function openParleyDatabase(url: string): ParleyDatabase {
  const log = createLog({ level: 'silent' })
  const pool = createPool({ connection: connectionTo(url), maxConnections: 3, statementTimeoutMs: 20_000, log })
  async function query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await pool.query<Row>(text, values)).rows
      } catch (error) {
        if (attempt === maxAttempts || readDatabaseFailure(error) === undefined) throw error
        await sleep(1_000)
      }
    }
  }
  return {
    query,
    database: createDatabase(pool),
    async findWalSenders() {
      return (await query<{ pid: number }>('select pid from pg_stat_replication')).map(({ pid }) => pid)
    },
    end: () => pool.end(),
  }
}

/** Create a host and an app of hers, anew for each run of the load. */
export async function connectClients(base: string, front: string, { database }: ParleyDatabase) {
  const olga = await signUp(base, 'Olga')
  const person = { profile: { _id: olga.userId } } as Person
  // The helpers for apps use only these properties of a service.
  const service = { base, database } as TestApp
  const app = await approvedApp({ database, config: { tenants: new Map() } }, person)
  return async (): Promise<Clients> => ({
    front,
    token: olga.token,
    authorization: basic(app.clientId, app.clientSecret),
    refreshTokens: await Promise.all(
      Array.from({ length: chains }, async () => (await tokensFor(service, app, person)).refresh_token),
    ),
    codes: await Promise.all(Array.from({ length: codesOfRun }, () => codeFor(service, app, person))),
  })
}
