import { isUuid } from '../platform/database/uuid.ts'
import type { Database } from '../tables/tables.ts'
import type { AuditRow } from './audit-log/audit-log-store.ts'

/** What entries of the audit log concern besides people: names of apps and topics of meetings, by the ids of both. */
export type AuditSubjects = ReadonlyMap<string, string>

/** Ids of the details that audit() is given. */
const idsOf = ({ detail }: AuditRow): string[] => {
  const { appId, meetingId } = detail as { appId?: unknown; meetingId?: unknown }
  return [appId, meetingId].filter((id): id is string => typeof id === 'string' && isUuid(id))
}

export const auditSubjectOf = (row: AuditRow, subjects: AuditSubjects): string =>
  idsOf(row).flatMap((id) => subjects.get(id) ?? [])[0] ?? ''

/** Apps by the name of their newest revision; a deleted app keeps it. */
export async function findAuditSubjects(database: Database, rows: readonly AuditRow[]): Promise<AuditSubjects> {
  const ids = [...new Set(rows.flatMap(idsOf))]
  if (ids.length === 0) return new Map()
  const [apps, meetings] = await Promise.all([
    database
      .selectFrom('appRevision')
      .distinctOn('appId')
      .select(['appId as id', 'name'])
      .where('appId', 'in', ids)
      .orderBy('appId')
      .orderBy('number', 'desc')
      .execute(),
    database.selectFrom('meeting').select(['id', 'topic as name']).where('id', 'in', ids).execute(),
  ])
  return new Map([...apps, ...meetings].map(({ id, name }) => [id, name]))
}
