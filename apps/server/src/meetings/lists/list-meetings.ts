import { type Endpoint, listMeetings, type QueryOf, removeAddedMeeting } from '@parley/contract'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import { addViolations, combine } from '@parley/rules/text/parsed'
import { type Violation, violationAt } from '@parley/rules/text/violation'
import type { Caller } from '../../access/caller.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Cursor, readAfter, writeCursor } from '../../platform/database/cursor.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { appOf, auditView, isThroughApp, requireMeetingId, rightsInList, viewerOf } from '../meeting-access.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { viewListedMeeting, viewNamedDates } from '../meeting-view.ts'
import { deleteAddedMeeting } from './added-meeting-store.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { countMeetings, findPage, type MeetingListPage, type PageRequest } from './meeting-list-store.ts'
import { readQueryRange } from './query-range.ts'
import { readSeriesOfList, type SeriesOfList } from './series-of-list.ts'

/** Register the list of meetings, and the removal of a meeting from it. */
export function registerListMeetings(dependencies: Dependencies): void {
  serveListMeetings(dependencies)
  serveRemoveAddedMeeting(dependencies)
}

const defaultLimit = 50

function serveListMeetings(dependencies: Dependencies) {
  const { serve, clock, encryption, config } = dependencies
  serve(listMeetings, {
    read: ({ query }) =>
      addViolations(combine({ range: readRange(query), after: readAfter(query.after) }), findPagingConflict(query)),
    handle: async ({ caller, params, query, input: { range, after }, request, database }) => {
      const { order, offset = 0, limit = defaultLimit } = query
      const now = pagingTime(after, clock.now())
      const bare: ListFilter = {
        role: query.role ?? 'all',
        status: query.status ?? 'active',
        past: query.past,
        now,
        ...range,
        seriesInRange: [],
        topicPart: query.q,
        madeByApp: query.tpClientOnly ? appOf(caller) : null,
      }
      const access = { caller, request, endpoint: listMeetings, userId: params.userId }
      const owner = await ownerOf(database, dependencies, access)
      const page = { after, offset, limit: limit + 1 }
      const { namesEveryAddress } = viewerOf(caller, config)
      const list = { database, owner, filter: bare, namesEveryAddress }
      const { totalCount, rows, isCut, nextOf } =
        order === undefined && query.past === undefined
          ? await readAheadFirst(list, page)
          : await readPage(list, { order: order ?? 'asc', ...page })
      const isAhead = (row: MeetingRow) =>
        nextOf.has(row.id) || (row.rule.repeat === 'none' && row.cancelledAt === null && row.endsAt > now)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const moreAvailable = rows.length > shown.length || isCut
      return {
        totalCount,
        moreAvailable,
        nextCursor:
          moreAvailable && last
            ? writeCursor({ at: last.listedAt, id: last.id, asOf: now, over: last.over ?? false })
            : null,
        meetingDetails: shown.map((row) => ({
          ...viewListedMeeting(row, { caller, encryption, config, rights: rightsInList(owner, row, caller) }),
          ...(isAhead(row) && { nextOccurrence: viewNext(row, nextOf.get(row.id)) }),
        })),
      }
    },
  })
}

type NextOccurrences = ReadonlyMap<string, Occurrence | undefined>

/** `over`: the row is in the second part of a list that begins with what is ahead. */
type ReadPage = Omit<MeetingListPage, 'rows'> & {
  rows: (MeetingListPage['rows'][number] & { over?: boolean })[]
  nextOf: NextOccurrences
}

type ReadList = {
  database: Database
  owner: ListOwner
  filter: ListFilter
  namesEveryAddress: boolean
}

/** A part of a list: the filter of the whole list, whose matches are the total, and what is known of its series. */
type WholeList = { filter: ListFilter; series: SeriesOfList | undefined }

/**
 * Read a page of running and future meetings, the next one first, followed by past ones, the latest first: a client
 * without paging and filters gets what is coming. Both parts have the order of their own lists, and a cursor says in
 * which part the previous page ended.
 */
async function readAheadFirst(list: ReadList, page: Omit<PageRequest, 'order'>): Promise<ReadPage> {
  const { database, owner } = list
  const hasRange = list.filter.from !== undefined || list.filter.to !== undefined
  // The series in a range are those of both parts, and of the total.
  const series = hasRange ? await readSeriesOfList(database, owner, list.filter) : undefined
  const filter = { ...list.filter, seriesInRange: series?.inRange ?? [] }
  const whole = { filter, series }
  const readPart = (past: boolean, part: PageRequest) => readPage({ ...list, filter: { ...filter, past } }, part, whole)

  const ahead = page.after?.over ? undefined : await readPart(false, { ...page, order: 'asc' })
  if (ahead !== undefined && (ahead.isCut || ahead.rows.length === page.limit)) return ahead
  const rowsAhead = ahead?.rows ?? []
  // The offset may leave out more than all that are ahead.
  const isBeyondAhead = page.offset > 0 && rowsAhead.length === 0
  const over = await readPart(true, {
    order: 'desc',
    after: page.after?.over ? page.after : undefined,
    offset: isBeyondAhead ? page.offset - (await countMeetings(database, owner, { ...filter, past: false })) : 0,
    limit: page.limit - rowsAhead.length,
  })
  return {
    totalCount: over.totalCount,
    rows: [...rowsAhead, ...over.rows.map((row) => ({ ...row, over: true }))],
    isCut: over.isCut,
    nextOf: ahead?.nextOf ?? new Map(),
  }
}

/**
 * Read a page and the next occurrences of its series. A page of meetings that were over a day ago holds no series with
 * an occurrence ahead: it is read without expanding any.
 */
export async function readPage(
  { database, owner, filter, namesEveryAddress }: ReadList,
  page: PageRequest,
  whole?: WholeList,
): Promise<ReadPage> {
  const earliestAhead = new Date(filter.now.getTime() - maxMeetingMs)
  const mayBeOver = filter.past === undefined && filter.from === undefined && filter.to === undefined
  if (mayBeOver && page.order === 'asc' && (page.after === undefined || page.after.at < earliestAhead)) {
    const found = await findPage(database, owner, filter, page, { namesEveryAddress, seriesAhead: [], counted: filter })
    const last = found.rows.at(-1)
    if (last !== undefined && (found.isCut || found.rows.length === page.limit) && last.listedAt < earliestAhead) {
      return { ...found, nextOf: new Map() }
    }
  }
  const { ahead, inRange } = whole?.series ?? (await readSeriesOfList(database, owner, filter))
  const ofRange = { ...filter, seriesInRange: inRange }
  const counted = whole?.filter ?? ofRange
  const found = await findPage(database, owner, ofRange, page, { namesEveryAddress, seriesAhead: ahead, counted })
  return { ...found, nextOf: new Map(ahead.map(({ id, next }) => [id, next])) }
}

/** How long the pages of a list keep the time of its first page. */
const maxPagingMs = 24 * 60 * 60 * 1000

/**
 * All pages of a list are computed for the time of the first one, so that a series that moves to its next occurrence
 * meanwhile is neither left out nor listed twice (docs/api-conventions.md, "Lists").
 */
function pagingTime(after: Cursor | undefined, now: Date): Date {
  const ageMs = now.getTime() - (after?.asOf?.getTime() ?? now.getTime())
  return after?.asOf !== undefined && ageMs >= 0 && ageMs <= maxPagingMs ? after.asOf : now
}

/** An offset leaves rows out from the start of the list, and a cursor names the row to continue after. */
function findPagingConflict({ after, offset }: Partial<QueryOf<typeof listMeetings>>): Violation | undefined {
  if (after === undefined || offset === undefined || offset === 0) return undefined
  return violationAt('/offset', { code: 'not_together', message: 'cannot be sent together with after' })
}

const viewNext = (row: MeetingRow, next: Occurrence | undefined) =>
  next === undefined
    ? viewNamedDates({ ...row, originalStart: row.startsAt }, row.cancelledAt === null ? 'active' : 'cancelled')
    : viewNamedDates(next, statusOf(next, row.cancelledAt))

const readRange = ({ fromDate, toDate }: Partial<QueryOf<typeof listMeetings>>) =>
  readQueryRange({ name: 'fromDate', text: fromDate }, { name: 'toDate', text: toDate })

type RequestedAccess = { caller: Caller; request: { address: string }; endpoint: Endpoint; userId: string }

/** The caller's own meetings. */
export const ownList = (caller: Caller, config: Config): ListOwner => ({
  ...viewerOf(caller, config),
  onlyOfTenant: null,
})

/**
 * Find the owner of a list: the caller, or for an administrator another account of the organisation, which is in the
 * audit log. To all others another account is as unknown as one that does not exist.
 * @throws account_not_found
 */
export async function ownerOf(
  database: Database,
  dependencies: Pick<Dependencies, 'clock' | 'random' | 'encryption' | 'config'>,
  { caller, request, endpoint, userId }: RequestedAccess,
): Promise<ListOwner> {
  const { config } = dependencies
  if (userId === 'me' || userId === caller.accountId) return ownList(caller, config)
  if (!caller.administrator || isThroughApp(caller) || !isUuid(userId)) throw problem('account_not_found')
  const account = await database
    .selectFrom('account')
    .select(['id', 'emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .where('tenantId', '=', caller.tenantId)
    .executeTakeFirst()
  if (account === undefined) throw problem('account_not_found')
  const view = { action: 'meetings.viewed' as const, subjectId: account.id }
  await inTransaction(database, (tx) => auditView(tx, dependencies, { caller, request, endpoint }, view))
  return {
    accountId: account.id,
    addressKey: isAddressTrusted(account, config) ? account.emailKey : null,
    namesEveryAddress: viewerOf(caller, config).namesEveryAddress,
    onlyOfTenant: caller.tenantId,
  }
}

/** Remove a meeting that the caller has added from the caller's list. Invitations stay. */
function serveRemoveAddedMeeting({ serve }: Dependencies) {
  serve(removeAddedMeeting, {
    handle: ({ caller, params, database }) =>
      inTransaction(database, async (tx) => {
        const removed = await deleteAddedMeeting(tx, caller.accountId, requireMeetingId(params.meetingId))
        if (!removed) throw problem('meeting_not_found')
        return { status: 'The meeting is off your list.' }
      }),
  })
}
