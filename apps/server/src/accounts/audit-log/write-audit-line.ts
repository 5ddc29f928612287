import { auditLineJob } from '../../access/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { LogFormat } from '../../platform/log.ts'
import { auditLine } from './audit-line.ts'

/**
 * Write one entry to standard output (AUDIT_LOG=stdout). The job was queued with the entry, so the entry is committed.
 * If the process dies after the line and before the job's end, the same line, with the same id, is written again.
 */
export function createAuditLineTask(options: {
  database: Database
  format: LogFormat
  /** Writes a line; its argument has no line end. */
  write: (line: string) => void
}) {
  const { database, format, write } = options
  return auditLineJob.handle(async ({ id }) => {
    const entry = await database.selectFrom('auditEntry').selectAll().where('id', '=', id).executeTakeFirst()
    // The entry may have been deleted meanwhile, by the retention that the operator has set.
    if (entry !== undefined) write(auditLine(entry, format))
  })
}
