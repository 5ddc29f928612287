import { auditLineJob } from '../../access/audit.ts'
import type { LogFormat } from '../../platform/log.ts'
import type { Database } from '../../tables/tables.ts'
import { auditLine } from './audit-line.ts'

/**
 * Writes one entry to standard output (AUDIT_LOG=stdout). Its job was queued with the entry, so the entry is committed; a
 * process that dies between the line and the end of the job leaves the same line, with the same id, to the next one.
 */
export function createAuditLineTask(options: {
  database: Database
  format: LogFormat
  /** Takes a line without its end. */
  write: (line: string) => void
}) {
  const { database, format, write } = options
  return auditLineJob.handle(async ({ id }) => {
    const entry = await database.selectFrom('auditEntry').selectAll().where('id', '=', id).executeTakeFirst()
    // The entry may have been deleted meanwhile, by the retention that the operator has set.
    if (entry !== undefined) write(auditLine(entry, format))
  })
}
