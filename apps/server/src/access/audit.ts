import type { AuditAction } from '@parley/contract'
import { Type } from 'typebox'
import { statement } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Random } from '../platform/random.ts'
import type { Tx } from '../tables/tables.ts'

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
const maxAttempts = 25

/**
 * Build a statement that inserts an entry and, with AUDIT_LOG=stdout, queues the job that writes its line. Every
 * connection of an instance or a command carries the setting (`sessionSettings` of database.ts). `insert` returns the
 * entry's id.
 */
export const withAuditLine = (insert: string) => `with entry as (${insert} returning id)
  select graphile_worker.add_job('${auditLineJob.name}', json_build_object('id', id), max_attempts => ${maxAttempts})
  from entry where current_setting('parley.audit_log', true) = 'stdout'`

const insertStatement = statement<never>(
  'insert-audit-entry',
  withAuditLine(`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`),
)

/** Insert an audit entry in the transaction of the change. */
export async function audit(tx: Tx, random: Random, now: Date, entry: AuditEntry): Promise<void> {
  const { tenantId, actorId, subjectId, action, detail, address } = entry
  await insertStatement(tx, [
    random.uuid(now),
    tenantId,
    actorId,
    subjectId,
    action,
    JSON.stringify(detail),
    address,
    now,
  ])
}
