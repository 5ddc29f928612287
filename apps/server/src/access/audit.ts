import type { AuditAction } from '@parley/contract'
import { Type } from 'typebox'
import { statement } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Random } from '../platform/random.ts'
import type { Tx } from '../tables/tables.ts'

export type AuditEntry = {
  tenantId: string
  /** Who did it; null for somebody who is not signed in. */
  actorId: string | null
  /** Whom it was done to; null for somebody without an account. */
  subjectId: string | null
  action: AuditAction
  /** What was before and what is after; never a secret. */
  detail: object
  /** The network address of the request. */
  address: string
}

/** The task that writes an entry to standard output. */
export const auditLineJob = defineJob('write-audit-line', Type.Object({ id: Type.String() }))

/** Tried for some days: a line is lost only with the entry itself. */
const maxAttempts = 25

/**
 * A statement that inserts an entry, and with AUDIT_LOG=stdout, which every connection of an instance or a command is told
 * (`sessionSettings` of database.ts), queues the job that writes its line. `insert` returns the entry's id.
 */
export const withAuditLine = (insert: string) => `with entry as (${insert} returning id)
  select graphile_worker.add_job('${auditLineJob.name}', json_build_object('id', id), max_attempts => ${maxAttempts})
  from entry where current_setting('parley.audit_log', true) = 'stdout'`

const insertStatement = statement<never>(
  'insert-audit-entry',
  withAuditLine(`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`),
)

/** Writes who changed what about whom, in the transaction of the change. */
export async function audit(tx: Tx, random: Random, now: Date, entry: AuditEntry): Promise<void> {
  const { tenantId, actorId, subjectId, action, detail, address } = entry
  await insertStatement(tx, [
    ...[random.uuid(now), tenantId, actorId, subjectId, action, JSON.stringify(detail), address, now],
  ])
}
