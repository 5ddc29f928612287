import type { AuditLogEntry } from '@parley/contract'
import { type AuditSubjects, auditSubjectOf } from '../audit-log-subjects.ts'
import { isByOperator } from '../operator-entry.ts'
import type { AuditRow } from './audit-log-store.ts'

export const viewAuditEntry = (row: AuditRow, subjects: AuditSubjects): AuditLogEntry => ({
  _id: row.id,
  happenedOn: row.createdAt.toISOString(),
  action: row.action,
  actor: viewPerson(row.actorId, row.actorName, row.actorLastName, row.actorEmail),
  subject: viewPerson(row.subjectId, row.subjectName, row.subjectLastName, row.subjectEmail),
  operator: isByOperator(row),
  about: auditSubjectOf(row, subjects),
  address: row.address,
  detail: { ...row.detail },
})

const viewPerson = (id: string | null, name: string | null, lname: string | null, email: string | null) =>
  id === null ? null : { _id: id, name: `${name ?? ''} ${lname ?? ''}`.trim(), email: email ?? '' }
