import type { AuditAction } from '@parley/contract'
import type { Database } from '../../platform/database/database.ts'

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

/** Find entries before `beforeId`, newest first; ids are in order of time. */
export const findAuditEntries = (
  database: Database,
  filter: AuditFilter,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
) =>
  matching(database, filter)
    .leftJoin('account as actor', 'actor.id', 'e.actorId')
    .leftJoin('account as subject', 'subject.id', 'e.subjectId')
    .select(['e.id', 'e.createdAt', 'e.action', 'e.detail', 'e.address', 'e.actorId', 'e.subjectId'])
    .select(['actor.name as actorName', 'actor.lname as actorLastName', 'actor.email as actorEmail'])
    .select(['subject.name as subjectName', 'subject.lname as subjectLastName', 'subject.email as subjectEmail'])
    .$if(beforeId !== undefined, (entries) => entries.where('e.id', '<', String(beforeId)))
    .orderBy('e.id', 'desc')
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
