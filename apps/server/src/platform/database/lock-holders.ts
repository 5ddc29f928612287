import { sql } from 'kysely'
import type { Pool } from 'pg'
import { defineStatement } from './define-statement.ts'

/** A session that holds a lock for which another one waits; texts are empty where the role may not see them. */
export type LockHolder = {
  pid: number
  role: string
  application: string
  address: string
  state: string
  /** The age of its transaction; undefined where the role may not see it. */
  openMs: number | undefined
  /**
   * A background worker of PostgreSQL such as autovacuum, which yields to sessions that wait for `deadlock_timeout`.
   */
  isBackground: boolean
}

const blockingStatement = defineStatement({
  name: 'find-lock-holders',
  parameters: { waitingPid: 'integer' },
  columns: {
    pid: 'integer',
    role: 'text',
    application: 'text',
    address: 'text',
    state: 'text',
    openMs: 'double precision?',
    isBackground: 'boolean',
  },
  text: (p) => sql`select pid, coalesce(usename, '')::text as role, coalesce(application_name, '') as application,
    coalesce(host(client_addr), '') as address, coalesce(state, '') as state,
    round(extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as open_ms,
    usename is null as is_background
  from pg_stat_activity where pid = any (pg_blocking_pids(${p.waitingPid}))`,
})

/** Find the sessions that block the one with this process id. Uses another connection. */
export async function findLockHolders(pool: Pool, waitingPid: number): Promise<LockHolder[]> {
  const rows = await blockingStatement.executeOn(pool, { waitingPid })
  return rows.map((row) => ({ ...row, openMs: row.openMs ?? undefined }))
}

const heldStatement = defineStatement({
  name: 'find-sessions-in-transaction',
  parameters: { pids: 'integer[]' },
  text: (p) => sql`select from pg_stat_activity
    where pid = any (${p.pids}) and state is distinct from 'idle' and usename is not null`,
})

/** Whether one of these sessions is still in a transaction, as far as the role may see. */
export async function isStillHeld(pool: Pool, holders: readonly LockHolder[]): Promise<boolean> {
  const held = await heldStatement.executeOn(pool, { pids: holders.map(({ pid }) => pid) })
  return held.length > 0
}

/** Describe a holder: "process 4711 (parley as app, idle in transaction for 12 s)". */
export function describeHolder({ pid, role, application, state, openMs, isBackground }: LockHolder): string {
  const who = isBackground ? 'autovacuum or another worker' : `${application || 'unnamed application'} as ${role}`
  const since = openMs === undefined ? '' : ` for ${Math.max(1, Math.round(openMs / 1000))} s`
  return `process ${pid} (${who}${state === '' ? '' : `, ${state}${since}`})`
}
