import { listAuditLog, type Violation } from '@parley/contract'
import type { Handler } from '../../access/serve.ts'
import { notACursor, readCursor, writeCursor } from '../../platform/database/cursor.ts'
import type { AccountsService } from '../accounts-service.ts'
import { findAuditSubjects } from '../audit-log-subjects.ts'
import { readAuditFilter } from './audit-log-filter.ts'
import { findAuditEntries } from './audit-log-store.ts'
import { viewAuditEntry } from './audit-log-view.ts'

const defaultLimit = 50

export function serveListAuditLog({ serve }: AccountsService) {
  const list: Handler<typeof listAuditLog> = async ({ caller, query, database }) => {
    const { limit = defaultLimit, after } = query
    const filter = readAuditFilter(query, caller.tenantId, [])
    const beforeId = after === undefined ? undefined : readCursor(after)?.id
    const found = await findAuditEntries(database, filter, { beforeId, limit: limit + 1 })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const subjects = await findAuditSubjects(database, page)
    const moreAvailable = found.length > limit
    return {
      moreAvailable,
      nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      entries: page.map((row) => viewAuditEntry(row, subjects)),
    }
  }

  serve(listAuditLog, {
    handle: list,
    check: ({ query, caller }) => {
      const violations: Violation[] = []
      readAuditFilter(query, caller.tenantId, violations)
      if (query.after !== undefined && readCursor(query.after) === undefined) violations.push(notACursor)
      return violations
    },
  })
}
