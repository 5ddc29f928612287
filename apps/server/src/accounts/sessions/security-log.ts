import { listSecurityLog, type SecurityEntry, securityActions } from '@parley/contract'
import { networkPrefix } from '../../access/network.ts'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { type AuditSubjects, auditSubjectOf, findAuditSubjects, isByOperator } from '../audit-log-store.ts'
import type { Dependencies } from '../dependencies.ts'

const defaultLimit = 50

/** List the events of the caller's own account, newest first: ids are in order of time. */
export function registerSecurityLog({ serve }: Dependencies) {
  serve(listSecurityLog, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query: { limit = defaultLimit }, input: after, database }) => {
      const found = await findEntries(database, caller.accountId, { beforeId: after?.id, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      const subjects = await findAuditSubjects(database, page)
      return {
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
        entries: page.map((row) => viewEntry(row, caller.accountId, subjects)),
      }
    },
  })
}

const findEntries = (
  database: Database,
  accountId: string,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
) =>
  database
    .selectFrom('auditEntry')
    .select(['id', 'createdAt', 'action', 'actorId', 'address', 'detail'])
    .where('subjectId', '=', accountId)
    .where('action', 'in', securityActions)
    .$if(beforeId !== undefined, (entries) => entries.where('id', '<', String(beforeId)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

type Row = Awaited<ReturnType<typeof findEntries>>[number]

function viewEntry(row: Row, accountId: string, subjects: AuditSubjects): SecurityEntry {
  const { id, createdAt, action, actorId, address, detail } = row
  const { name, userAgent } = detail as { name?: unknown; userAgent?: unknown }
  const isOrganisation = isByOperator({ actorId, detail }) || (actorId !== null && actorId !== accountId)
  const by = isOrganisation ? 'organisation' : actorId === null ? 'unknown' : 'you'
  return {
    _id: id,
    happenedOn: createdAt.toISOString(),
    action,
    by,
    about: typeof name === 'string' ? name : auditSubjectOf(row, subjects),
    // An administrator's network is not shown.
    network: by === 'organisation' ? '' : networkPrefix(address),
    userAgent: typeof userAgent === 'string' ? userAgent : '',
  }
}
