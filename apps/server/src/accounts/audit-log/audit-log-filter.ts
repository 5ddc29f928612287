import type { listAuditLog, QueryOf } from '@parley/contract'
import { combine, mapReading, type Reading, readOptional, refuseAt } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { isUuid } from '../../platform/database/uuid.ts'
import type { AuditFilter } from './audit-log-store.ts'

type Sent = Partial<Pick<QueryOf<typeof listAuditLog>, 'action' | 'actor' | 'subject' | 'fromDate' | 'toDate'>>

/** Read a filter within the administrator's organisation. */
export const readAuditFilter = (sent: Sent, tenantId: string): Reading<AuditFilter> =>
  mapReading(
    combine({
      actorId: readOptional(sent.actor, (id) => readUserId('actor', id)),
      subjectId: readOptional(sent.subject, (id) => readUserId('subject', id)),
      from: readOptional(sent.fromDate, (text) => readTimestampField('/fromDate', text)),
      to: readOptional(sent.toDate, (text) => readTimestampField('/toDate', text)),
    }),
    (filter) => ({ tenantId, action: sent.action, ...filter }),
  )

const readUserId = (field: 'actor' | 'subject', id: string): Reading<string> =>
  isUuid(id) ? { value: id } : refuseAt(`/${field}`, 'bad_format', 'must be a user id')
