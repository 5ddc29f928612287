import type { Pool } from 'pg'

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

/** Find the sessions that block the one with this process id. Uses another connection. */
export async function findLockHolders(pool: Pool, waitingPid: number): Promise<LockHolder[]> {
  const { rows } = await pool.query<LockHolder & { openMs: number | null }>(
    `select pid, coalesce(usename, '') as role, coalesce(application_name, '') as application,
       coalesce(host(client_addr), '') as address, coalesce(state, '') as state,
       round(extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as "openMs",
       usename is null as "isBackground"
     from pg_stat_activity where pid = any (pg_blocking_pids($1))`,
    [waitingPid],
  )
  return rows.map((row) => ({ ...row, openMs: row.openMs ?? undefined }))
}

/** Whether one of these sessions is still in a transaction, as far as the role may see. */
export async function isStillHeld(pool: Pool, holders: readonly LockHolder[]): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where pid = any ($1) and state is distinct from 'idle' and usename is not null`,
    [holders.map(({ pid }) => pid)],
  )
  return (rowCount ?? 0) > 0
}

/** Describe a holder: "process 4711 (parley as app, idle in transaction for 12 s)". */
export function describeHolder({ pid, role, application, state, openMs, isBackground }: LockHolder): string {
  const who = isBackground ? 'autovacuum or another worker' : `${application || 'unnamed application'} as ${role}`
  const since = openMs === undefined ? '' : ` for ${Math.max(1, Math.round(openMs / 1000))} s`
  return `process ${pid} (${who}${state === '' ? '' : `, ${state}${since}`})`
}
