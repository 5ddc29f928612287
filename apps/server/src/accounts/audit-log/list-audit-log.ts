import { listAuditLog } from '@parley/contract'
import { combine } from '@parley/rules/text/reading'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { AccountsService } from '../accounts-service.ts'
import { findAuditSubjects } from '../audit-log-subjects.ts'
import { readAuditFilter } from './audit-log-filter.ts'
import { findAuditEntries } from './audit-log-store.ts'
import { viewAuditEntry } from './audit-log-view.ts'

const defaultLimit = 50

export function serveListAuditLog({ serve }: AccountsService) {
  serve(listAuditLog, {
    read: ({ query, caller }) =>
      combine({ filter: readAuditFilter(query, caller.tenantId), after: readAfter(query.after) }),
    handle: async ({ query: { limit = defaultLimit }, input: { filter, after }, database }) => {
      const found = await findAuditEntries(database, filter, { beforeId: after?.id, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const subjects = await findAuditSubjects(database, page)
      const moreAvailable = found.length > limit
      return {
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
        entries: page.map((row) => viewAuditEntry(row, subjects)),
      }
    },
  })
}
