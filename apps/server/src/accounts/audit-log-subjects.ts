import { isUuid } from '../platform/database/uuid.ts'
import type { Database } from '../tables/tables.ts'

/** An entry that may mention an app or a meeting. */
type AuditRow = { detail: object }

/** Names of the apps and meetings that audit entries mention, by id. */
export type AuditSubjects = ReadonlyMap<string, string>

/** The ids in the details that `audit` recorded. */
const idsOf = ({ detail }: AuditRow): string[] => {
  const { appId, meetingId } = detail as { appId?: unknown; meetingId?: unknown }
  return [appId, meetingId].filter((id): id is string => typeof id === 'string' && isUuid(id))
}

export const auditSubjectOf = (row: AuditRow, subjects: AuditSubjects): string =>
  idsOf(row).flatMap((id) => subjects.get(id) ?? [])[0] ?? ''

/** Find the names; an app's is that of its newest revision, also after its deletion. */
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
