import { auditLineJob } from '../access/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { addressFields, censorEntry, ecsBase, type LogFormat } from '../platform/log.ts'
import { isByOperator } from './audit-log-store.ts'

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

type StreamedEntry = {
  id: string
  tenantId: string
  actorId: string | null
  subjectId: string | null
  action: string
  detail: object
  address: string
  createdAt: Date
}

/** Distinguish the ECS categories of entries: sign-ins, and everything else. */
const isAboutSignIn = (action: string) => /^(session|sessions|sign-in)\./.test(action)

/** Format an audit entry as one line of JSON, without a line end. Secrets are removed as in the log. */
export function auditLine(entry: StreamedEntry, format: LogFormat): string {
  const { id, tenantId, actorId, subjectId, action, address, createdAt } = entry
  const { detail } = censorEntry({ detail: entry.detail })
  const time = createdAt.toISOString()
  const byOperator = isByOperator(entry)
  if (format === 'json') {
    const audit = { id, action, tenantId, actorId, subjectId, operator: byOperator, address, detail }
    return JSON.stringify({ level: 'info', time, audit, msg: `audit: ${action}` })
  }
  return JSON.stringify({
    'log.level': 'info',
    '@timestamp': time,
    ...ecsBase,
    event: {
      id,
      action,
      kind: 'event',
      dataset: 'parley.audit',
      category: [isAboutSignIn(action) ? 'authentication' : 'configuration'],
    },
    organization: { id: tenantId },
    ...((actorId ?? subjectId) !== null && {
      user: { ...(actorId !== null && { id: actorId }), ...(subjectId !== null && { target: { id: subjectId } }) },
    }),
    source: addressFields(address),
    parley: { operator: byOperator, detail },
    message: `audit: ${action}`,
  })
}
