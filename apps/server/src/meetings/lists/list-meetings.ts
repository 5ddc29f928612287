import { listMeetings, type QueryOf, type Violation } from '@parley/contract'
import type { Handler } from '../../access/serve.ts'
import type { Service } from '../../access/service.ts'
import { type Cursor, notACursor, readCursor, writeCursor } from '../../platform/database/cursor.ts'
import { viewListedMeeting } from '../view/meeting-view.ts'
import { appOf, viewerOf } from '../view/meeting-viewer.ts'
import type { ListFilter } from './meeting-list-branches.ts'
import { ownerOf } from './meeting-list-owner.ts'
import { findPage, type PageRequest } from './meeting-list-store.ts'
import { readQueryRange } from './query-range.ts'
import { readSeriesOfList } from './series-of-list.ts'

const defaultLimit = 50

type ListQuery = Partial<QueryOf<typeof listMeetings>>

export function serveListMeetings({ serve, clock, encryption, config }: Service) {
  const list: Handler<typeof listMeetings> = async ({ caller, params, query, database }) => {
    const page = readPage(query, [])
    const now = pagingTime(page.after, clock.now())
    const bare = { ...readFilter(query, now, []), madeByApp: query.tpClientOnly ? appOf(caller) : null }
    const owner = await ownerOf(database, params.userId, caller, config)
    const series = await readSeriesOfList(database, owner, bare)
    const filter = { ...bare, seriesInRange: series.inRange }

    const oneMore = { ...page, limit: page.limit + 1 }
    const { namesEveryAddress } = viewerOf(caller, config)
    const options = { namesEveryAddress, seriesAhead: series.ahead }
    const { totalCount, rows } = await findPage(database, owner, filter, oneMore, options)
    const nextOf = new Map(series.ahead.map(({ id, next }) => [id, next]))
    const shown = rows.slice(0, page.limit)
    const last = shown.at(-1)
    const moreAvailable = rows.length > shown.length
    return {
      totalCount,
      moreAvailable,
      nextCursor: moreAvailable && last ? writeCursor({ at: last.listedAt, id: last.id, asOf: now }) : null,
      meetingDetails: shown.map((row) => ({
        ...viewListedMeeting(row, { caller, encryption, config }),
        ...(query.past === false && { nextOccurrence: viewTimes(nextOf.get(row.id) ?? row) }),
      })),
    }
  }

  serve(listMeetings, {
    handle: list,
    check: ({ query }) => {
      const violations: Violation[] = []
      readFilter(query, clock.now(), violations)
      readPage(query, violations)
      return violations
    },
  })
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

const viewTimes = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
})

function readPage(query: ListQuery, violations: Violation[]): PageRequest {
  const after = query.after === undefined ? undefined : readCursor(query.after)
  if (query.after !== undefined && after === undefined) violations.push(notACursor)
  return { order: query.order ?? 'asc', after, offset: query.offset ?? 0, limit: query.limit ?? defaultLimit }
}

function readFilter(query: ListQuery, now: Date, violations: Violation[]): ListFilter {
  const from = { name: 'fromDate', text: query.fromDate }
  const range = readQueryRange(from, { name: 'toDate', text: query.toDate }, violations)
  return {
    role: query.role ?? 'all',
    status: query.status ?? 'active',
    past: query.past,
    now,
    ...range,
    seriesInRange: [],
    topicPart: query.q,
    madeByApp: null,
  }
}
