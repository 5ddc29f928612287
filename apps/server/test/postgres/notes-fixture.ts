import { after, afterEach } from 'node:test'
import type { Pool } from 'pg'
import { createDatabase, createPool } from '../../src/platform/database/database.ts'
import type { DatabaseConnection } from '../../src/platform/database/database-address.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestDatabase } from './test-database.ts'

type Tables = { note: { id: number; writtenBy: string; size: number | string; data: object; at: Date | number } }

/** A database with a table of notes, and pools of connections to it, which end after each test. */
export async function setUpNotes() {
  const log = createLog({ level: 'silent' })
  const { connection: address, drop } = await createTestDatabase()
  const pools: Pool[] = []
  const endPools = () => Promise.all(pools.splice(0).map((pool) => pool.end()))
  afterEach(endPools)
  after(() => drop())

  function openPool(
    options: { connection?: DatabaseConnection; maxConnections?: number; statementTimeoutMs?: number } = {},
  ): Pool {
    const { connection = address, maxConnections = 4, statementTimeoutMs = 5_000 } = options
    const pool = createPool({ connection, maxConnections, statementTimeoutMs, log })
    pools.push(pool)
    return pool
  }

  await openPool().query(
    'create table note (id int primary key, written_by text, size int8, data jsonb, at timestamptz)',
  )
  return { connection: address, openPool, openDatabase: (pool = openPool()) => createDatabase<Tables>(pool), endPools }
}
