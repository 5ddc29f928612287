import { type AuditLogEntry, exportAuditLog, listAuditLog, type QueryOf } from '@parley/contract'
import { csvLine } from '@parley/rules/text/csv'
import { combine, mapParsed, type Parsed, readOptional, refuseAt } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { audit } from '../access/audit.ts'
import { readAfter, writeCursor } from '../platform/database/cursor.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import {
  type AuditFilter,
  type AuditRow,
  type AuditSubjects,
  auditSubjectOf,
  countAuditEntries,
  findAuditEntries,
  findAuditSubjects,
  isByOperator,
} from './audit-log-store.ts'
import type { Dependencies } from './dependencies.ts'

/** Register the endpoints of an organisation's audit log. */
export function registerAuditLog(dependencies: Dependencies): void {
  serveListAuditLog(dependencies)
  serveExportAuditLog(dependencies)
}

const defaultLimit = 50

function serveListAuditLog({ serve }: Dependencies) {
  serve(listAuditLog, {
    read: ({ query, caller }) =>
      combine({ filter: readAuditFilter(query, caller.tenantId), after: readAfter(query.after) }),
    handle: async ({ query: { limit = defaultLimit, order = 'desc' }, input: { filter, after }, database }) => {
      const found = await findAuditEntries(database, filter, { order, after: after?.id, limit: limit + 1 })
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

/** About 30 MB, which spreadsheets can open. */
const maxExportedEntries = 100_000

/** Each page is a query of its own, so that a slow reader holds no connection. */
const pageSize = 1000

/** Export the audit log. The export itself is recorded before the first line is sent. */
function serveExportAuditLog({ serve, clock, random }: Dependencies, maxEntries = maxExportedEntries) {
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
  let after: string | undefined = firstId
  while (after !== undefined) {
    const rows: AuditRow[] = await findAuditEntries(database, filter, { after, limit: pageSize })
    const subjects = await findAuditSubjects(database, rows)
    for (const row of rows) yield viewAuditEntry(row, subjects)
    after = rows.at(-1)?.id
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

type Sent = Partial<Pick<QueryOf<typeof listAuditLog>, 'action' | 'actor' | 'subject' | 'fromDate' | 'toDate'>>

/** Read a filter within the administrator's organisation. */
const readAuditFilter = (sent: Sent, tenantId: string): Parsed<AuditFilter> =>
  mapParsed(
    combine({
      actorId: readOptional(sent.actor, (id) => readUserId('actor', id)),
      subjectId: readOptional(sent.subject, (id) => readUserId('subject', id)),
      from: readOptional(sent.fromDate, (text) => readTimestampField('/fromDate', text)),
      to: readOptional(sent.toDate, (text) => readTimestampField('/toDate', text)),
    }),
    (filter) => ({ tenantId, action: sent.action, ...filter }),
  )

const readUserId = (field: 'actor' | 'subject', id: string): Parsed<string> =>
  isUuid(id) ? { value: id } : refuseAt(`/${field}`, 'bad_format', 'must be a user id')

const viewAuditEntry = (row: AuditRow, subjects: AuditSubjects): AuditLogEntry => ({
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
