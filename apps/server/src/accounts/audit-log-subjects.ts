import { isReviewed, shownNameText } from '../access/shown-app.ts'
import type { Database } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'

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

/** Find the names; an app's is that of its newest revision, also after its deletion, as far as it may be shown. */
export async function findAuditSubjects(database: Database, rows: readonly AuditRow[]): Promise<AuditSubjects> {
  const ids = [...new Set(rows.flatMap(idsOf))]
  if (ids.length === 0) return new Map()
  const [apps, meetings] = await Promise.all([
    database
      .selectFrom('app as p')
      .innerJoin('appRevision as r', 'r.appId', 'p.id')
      .distinctOn('p.id')
      .select(['p.id', 'p.registration', 'p.clientId', 'r.name', 'r.callbackUrls'])
      .select(isReviewed.as('isReviewed'))
      .where('p.id', 'in', ids)
      .orderBy('p.id')
      .orderBy('r.number', 'desc')
      .execute(),
    database.selectFrom('meeting').select(['id', 'topic as name']).where('id', 'in', ids).execute(),
  ])
  const named = apps.map(({ id, name, callbackUrls, ...app }) => ({
    id,
    name: shownNameText({ ...app, name: { claimedName: name } }, callbackUrls),
  }))
  return new Map([...named, ...meetings].map(({ id, name }) => [id, name]))
}
