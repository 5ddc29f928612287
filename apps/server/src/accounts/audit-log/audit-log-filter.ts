import type { listAuditLog, QueryOf, Violation } from '@parley/contract'
import { notATimestamp } from '@parley/rules/meetings/meeting-times'
import { readTimestamp } from '@parley/rules/text/timestamp'
import { isUuid } from '../../platform/database/uuid.ts'
import type { AuditFilter } from './audit-log-store.ts'

type Sent = Partial<Pick<QueryOf<typeof listAuditLog>, 'action' | 'actor' | 'subject' | 'fromDate' | 'toDate'>>

/** Read a filter within the administrator's organisation, and add its violations. */
export function readAuditFilter(sent: Sent, tenantId: string, violations: Violation[]): AuditFilter {
  const personIn = (field: 'actor' | 'subject') => {
    const id = sent[field]
    if (id !== undefined && !isUuid(id)) {
      violations.push({ path: `/${field}`, code: 'bad_format', message: `${field} must be a user id.` })
    }
    return id
  }
  const timeIn = (field: 'fromDate' | 'toDate') => {
    const text = sent[field]
    const at = text === undefined ? undefined : readTimestamp(text)
    if (text !== undefined && at === undefined) {
      violations.push({ path: `/${field}`, code: 'bad_format', message: notATimestamp(field) })
    }
    return at
  }
  return {
    tenantId,
    action: sent.action,
    actorId: personIn('actor'),
    subjectId: personIn('subject'),
    from: timeIn('fromDate'),
    to: timeIn('toDate'),
  }
}
