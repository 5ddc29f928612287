import { listMeetings, type QueryOf } from '@parley/contract'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import { combine } from '@parley/rules/text/reading'
import type { Service } from '../../access/service.ts'
import { type Cursor, readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../tables/tables.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { viewListedMeeting } from '../view/meeting-view.ts'
import { appOf, viewerOf } from '../view/meeting-viewer.ts'
import { viewNamedDates } from '../view/occurrence-view.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { ownerOf } from './meeting-list-owner.ts'
import { findPage, type Page, type PageRequest } from './meeting-list-store.ts'
import { readQueryRange } from './query-range.ts'
import { readSeriesOfList } from './series-of-list.ts'

const defaultLimit = 50

export function serveListMeetings({ serve, clock, encryption, config }: Service) {
  serve(listMeetings, {
    read: ({ query }) => combine({ range: readRange(query), after: readAfter(query.after) }),
    handle: async ({ caller, params, query, input: { range, after }, database }) => {
      const { order = 'asc', offset = 0, limit = defaultLimit } = query
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
      const owner = await ownerOf(database, params.userId, caller, config)
      const page = { order, after, offset, limit: limit + 1 }
      const { namesEveryAddress } = viewerOf(caller, config)
      const { totalCount, rows, nextOf } = await readPage(database, owner, bare, page, namesEveryAddress)
      const isAhead = (row: MeetingRow) =>
        nextOf.has(row.id) || (row.rule.repeat === 'none' && row.cancelledAt === null && row.endsAt > now)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const moreAvailable = rows.length > shown.length
      return {
        totalCount,
        moreAvailable,
        nextCursor: moreAvailable && last ? writeCursor({ at: last.listedAt, id: last.id, asOf: now }) : null,
        meetingDetails: shown.map((row) => ({
          ...viewListedMeeting(row, { caller, encryption, config }),
          ...(isAhead(row) && { nextOccurrence: viewNext(row, nextOf.get(row.id)) }),
        })),
      }
    },
  })
}

type NextOccurrences = ReadonlyMap<string, Occurrence | undefined>

/**
 * Read a page and the next occurrences of its series. A page of meetings that were over a day ago holds no series with
 * an occurrence ahead: it is read without expanding any.
 */
async function readPage(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
  namesEveryAddress: boolean,
): Promise<Page & { nextOf: NextOccurrences }> {
  const earliestAhead = new Date(filter.now.getTime() - maxMeetingMs)
  const mayBeOver = filter.past === undefined && filter.from === undefined && filter.to === undefined
  if (mayBeOver && page.order === 'asc' && (page.after === undefined || page.after.at < earliestAhead)) {
    const found = await findPage(database, owner, filter, page, { namesEveryAddress, seriesAhead: [] })
    const last = found.rows.at(-1)
    if (last !== undefined && found.rows.length === page.limit && last.listedAt < earliestAhead) {
      return { ...found, nextOf: new Map() }
    }
  }
  const { ahead, inRange } = await readSeriesOfList(database, owner, filter)
  const ofRange = { ...filter, seriesInRange: inRange }
  const found = await findPage(database, owner, ofRange, page, { namesEveryAddress, seriesAhead: ahead })
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

const viewNext = (row: MeetingRow, next: Occurrence | undefined) =>
  next === undefined
    ? viewNamedDates({ ...row, originalStart: row.startsAt }, row.cancelledAt === null ? 'active' : 'cancelled')
    : viewNamedDates(next, statusOf(next, row.cancelledAt))

const readRange = ({ fromDate, toDate }: Partial<QueryOf<typeof listMeetings>>) =>
  readQueryRange({ name: 'fromDate', text: fromDate }, { name: 'toDate', text: toDate })
