import { type AuditLogEntry, exportAuditLog } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { csvLine } from '../../platform/http/csv.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { findAuditSubjects } from '../audit-log-subjects.ts'
import { readAuditFilter } from './audit-log-filter.ts'
import { type AuditFilter, type AuditRow, countAuditEntries, findAuditEntries } from './audit-log-store.ts'
import { viewAuditEntry } from './audit-log-view.ts'

/** About 30 MB, which spreadsheets can open. */
const maxExportedEntries = 100_000

/** Each page is a query of its own, so that a slow reader holds no connection. */
const pageSize = 1000

/** Export the audit log. The export itself is recorded before the first line is sent. */
export function serveExportAuditLog({ serve, clock, random }: AccountsService, maxEntries = maxExportedEntries) {
  serve(exportAuditLog, {
    read: ({ query, caller }) => readAuditFilter(query, caller.tenantId),
    handle: async ({ caller, query, input: filter, request, database }) => {
      const now = clock.now()
      // Ids are in order of time: entries from now on, including the export's own, are not in the file.
      const beforeId = random.uuid(now)
      const count = await countAuditEntries(database, filter, { beforeId, limit: maxEntries + 1 })
      if (count > maxEntries) throw problem('export_too_large')
      const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: null }
      const { format, ...filterFields } = query
      await inTransaction(database, (tx) =>
        audit(tx, random, now, {
          ...entry,
          action: 'audit-log.exported',
          detail: { format, count, ...filterFields },
          address: request.address,
        }),
      )
      const fileName = `audit-log-${now.toISOString().slice(0, 10)}.${format}`
      const entries = entriesOf(database, filter, beforeId)
      return format === 'csv'
        ? { mediaType: 'text/csv', fileName, lines: csvOf(entries) }
        : { mediaType: 'application/x-ndjson', fileName, lines: ndjsonOf(entries) }
    },
  })
}

async function* entriesOf(database: Database, filter: AuditFilter, firstId: string): AsyncGenerator<AuditLogEntry> {
  let beforeId: string | undefined = firstId
  while (beforeId !== undefined) {
    const rows: AuditRow[] = await findAuditEntries(database, filter, { beforeId, limit: pageSize })
    const subjects = await findAuditSubjects(database, rows)
    for (const row of rows) yield viewAuditEntry(row, subjects)
    beforeId = rows.at(-1)?.id
  }
}

async function* ndjsonOf(entries: AsyncIterable<AuditLogEntry>) {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

async function* csvOf(entries: AsyncIterable<AuditLogEntry>) {
  yield csvLine([
    'id',
    'happenedOn',
    'action',
    'actorId',
    'actorName',
    'actorEmail',
    'subjectId',
    'subjectName',
    'subjectEmail',
    'address',
    'detail',
    'operator',
    'about',
  ])
  for await (const { _id, happenedOn, action, actor, subject, address, detail, ...entry } of entries) {
    yield csvLine([
      _id,
      happenedOn,
      action,
      actor?._id ?? '',
      actor?.name ?? '',
      actor?.email ?? '',
      subject?._id ?? '',
      subject?.name ?? '',
      subject?.email ?? '',
      address,
      JSON.stringify(detail),
      String(entry.operator),
      entry.about,
    ])
  }
}
