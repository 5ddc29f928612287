import { listMeetings, type QueryOf, type Violation } from '@parley/contract'
import type { Deed } from '../access/serve.ts'
import type { Service } from '../access/service.ts'
import { notACursor, readCursor, writeCursor } from '../platform/cursor.ts'
import type { ListFilter } from './meeting-list-branches.ts'
import { ownerOf } from './meeting-list-owner.ts'
import { findPage, type PageRequest } from './meeting-list-store.ts'
import { appOf, lookerOf } from './meeting-looker.ts'
import { viewListedMeeting } from './meeting-view.ts'
import { readQueryRange } from './query-range.ts'
import { findSeriesInRange } from './series-in-range.ts'

const usualLimit = 50

type ListQuery = Partial<QueryOf<typeof listMeetings>>

export function serveListMeetings({ serve, clock, sealedBox, config }: Service) {
  const list: Deed<typeof listMeetings> = async ({ caller, params, query, database }) => {
    const bare = { ...readFilter(query, clock.now(), []), madeByApp: query.tpClientOnly ? appOf(caller) : null }
    const page = readPage(query, [])
    const owner = await ownerOf(database, params.userId, caller, config)
    const filter = { ...bare, seriesInRange: await findSeriesInRange(database, owner, bare) }

    const oneMore = { ...page, limit: page.limit + 1 }
    const { namesEveryAddress } = lookerOf(caller, config)
    const { totalCount, rows } = await findPage(database, owner, filter, oneMore, namesEveryAddress)
    const shown = rows.slice(0, page.limit)
    const last = shown.at(-1)
    const moreAvailable = rows.length > shown.length
    return {
      totalCount,
      moreAvailable,
      nextCursor: moreAvailable && last ? writeCursor({ at: last.startsAt, id: last.id }) : null,
      meetingDetails: shown.map((row) => viewListedMeeting(row, { caller, sealedBox, config })),
    }
  }

  serve(listMeetings, list, ({ query }) => {
    const violations: Violation[] = []
    readFilter(query, clock.now(), violations)
    readPage(query, violations)
    return violations
  })
}

function readPage(query: ListQuery, violations: Violation[]): PageRequest {
  const after = query.after === undefined ? undefined : readCursor(query.after)
  if (query.after !== undefined && after === undefined) violations.push(notACursor)
  return { order: query.order ?? 'asc', after, offset: query.offset ?? 0, limit: query.limit ?? usualLimit }
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
