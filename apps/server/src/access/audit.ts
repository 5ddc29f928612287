import type { AuditAction } from '@parley/contract'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Random } from '../platform/random.ts'

export type AuditEntry = {
  tenantId: string
  /** The account that acted; null without a session or token. */
  actorId: string | null
  /** The account that was changed; null for a person without an account. */
  subjectId: string | null
  action: AuditAction
  /** The values before and after the change; never a secret. */
  detail: object
  /** The network address of the request. */
  address: string
}

/** The job that writes an entry to standard output. */
export const auditLineJob = defineJob('write-audit-line', Type.Object({ id: Type.String() }))

/** Retry for some days: the entry itself is committed already. */
const maxAuditLineAttempts = 25

/**
 * Build a statement that inserts an entry and, with AUDIT_LOG=stdout, queues the job that writes its line. Every
 * connection of an instance or a command carries the setting (`sessionSettings` of database.ts). A line written after
 * the commit would be lost with the process, and a reader of the table would miss rows that become visible late.
 * `insert` returns the entry's id.
 */
export const withAuditLine = (insert: Fragment) => sql`with entry as (${insert} returning id)
  select graphile_worker.add_job(${sql.lit(auditLineJob.name)}, json_build_object('id', id),
    max_attempts => ${sql.lit(maxAuditLineAttempts)})
  from entry where current_setting('parley.audit_log', true) = 'stdout'`

const insertStatement = defineStatement({
  name: 'insert-audit-entry',
  parameters: {
    ...pick(tables.auditEntry, 'id', 'tenantId', 'actorId', 'subjectId', 'action', 'address'),
    detail: typed<string>('jsonb'),
    now: 'timestamptz',
  },
  text: (p) =>
    withAuditLine(sql`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
    values (${p.id}, ${p.tenantId}, ${p.actorId}, ${p.subjectId}, ${p.action}, ${p.detail}, ${p.address}, ${p.now})`),
})

/** Insert an audit entry in the transaction of the change. */
export async function audit(tx: Tx, random: Random, now: Date, entry: AuditEntry): Promise<void> {
  await insertStatement.execute(tx, { id: random.uuid(now), now, ...entry, detail: JSON.stringify(entry.detail) })
}
