import type { AuditAction } from '@parley/contract'
import { isReviewed, shownNameText } from '../access/shown-app.ts'
import type { Database } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'

export type AuditFilter = {
  tenantId: string
  action: AuditAction | undefined
  actorId: string | undefined
  subjectId: string | undefined
  from: Date | undefined
  to: Date | undefined
}

/** Query the matching entries of one organisation. */
const matching = (database: Database, filter: AuditFilter) => {
  const { action, actorId, subjectId, from, to } = filter
  let entries = database.selectFrom('auditEntry as e').where('e.tenantId', '=', filter.tenantId)
  if (action !== undefined) entries = entries.where('e.action', '=', action)
  if (actorId !== undefined) entries = entries.where('e.actorId', '=', actorId)
  if (subjectId !== undefined) entries = entries.where('e.subjectId', '=', subjectId)
  if (from !== undefined) entries = entries.where('e.createdAt', '>=', from)
  if (to !== undefined) entries = entries.where('e.createdAt', '<', to)
  return entries
}

type AuditPage = { order?: 'asc' | 'desc'; after: string | undefined; limit: number }

/**
 * Find the entries after the id `after`, newest first unless ordered otherwise. Ids are in order of time, and the index
 * by organisation and id is read in both directions: a page costs the same in an organisation of a million entries.
 */
export const findAuditEntries = (
  database: Database,
  filter: AuditFilter,
  { order = 'desc', after, limit }: AuditPage,
) =>
  matching(database, filter)
    .leftJoin('account as actor', 'actor.id', 'e.actorId')
    .leftJoin('account as subject', 'subject.id', 'e.subjectId')
    .select(['e.id', 'e.createdAt', 'e.action', 'e.detail', 'e.address', 'e.actorId', 'e.subjectId'])
    .select(['actor.name as actorName', 'actor.lname as actorLastName', 'actor.email as actorEmail'])
    .select(['subject.name as subjectName', 'subject.lname as subjectLastName', 'subject.email as subjectEmail'])
    .$if(after !== undefined, (entries) => entries.where('e.id', order === 'asc' ? '>' : '<', String(after)))
    .orderBy('e.id', order)
    .limit(limit)
    .execute()

export type AuditRow = Awaited<ReturnType<typeof findAuditEntries>>[number]

/** Count the matching entries before `beforeId`, at most up to `limit`. */
export async function countAuditEntries(
  database: Database,
  filter: AuditFilter,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<number> {
  const { count } = await database
    .selectFrom(matching(database, filter).where('e.id', '<', beforeId).select('e.id').limit(limit).as('found'))
    .select((found) => found.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** An entry that may mention an app or a meeting. */
type AuditDetail = { detail: object }

/** Names of the apps and meetings that audit entries mention, by id. */
export type AuditSubjects = ReadonlyMap<string, string>

/** The ids in the details that `audit` recorded. */
const idsOf = ({ detail }: AuditDetail): string[] => {
  const { appId, meetingId } = detail as { appId?: unknown; meetingId?: unknown }
  return [appId, meetingId].filter((id): id is string => typeof id === 'string' && isUuid(id))
}

export const auditSubjectOf = (row: AuditDetail, subjects: AuditSubjects): string =>
  idsOf(row).flatMap((id) => subjects.get(id) ?? [])[0] ?? ''

/** Find the names; an app's is that of its newest revision, also after its deletion, as far as it may be shown. */
export async function findAuditSubjects(database: Database, rows: readonly AuditDetail[]): Promise<AuditSubjects> {
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

/** Whether an operator's command (src/cli) wrote an entry: it has no actor account. */
export const isByOperator = ({ actorId, detail }: { actorId: string | null; detail: unknown }): boolean =>
  actorId === null && (detail as { by?: unknown }).by === 'operator'
