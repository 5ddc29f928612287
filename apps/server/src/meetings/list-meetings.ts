import { listMeetings, type QueryOf } from '@parley/contract'
import type { Database } from '../../migrations/tables.ts'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import type { Config } from '../platform/config.ts'
import { readCursor, writeCursor } from '../platform/cursor.ts'
import { problem } from '../platform/problem.ts'
import { isUuid } from '../platform/uuid.ts'
import { countMeetings, findPage, type ListFilter, type ListOwner } from './meeting-list-store.ts'
import { lookerOf } from './meeting-looker.ts'
import { viewListedMeeting } from './meeting-view.ts'
import { readQueryRange } from './query-range.ts'
import { findSeriesInRange } from './series-in-range.ts'

const usualLimit = 50

export function serveListMeetings({ serve, clock, sealedBox, config }: Service) {
  serve(listMeetings, async ({ caller, params, query, database }) => {
    const bare = readFilter(query, clock.now())
    const page = {
      order: query.order ?? 'asc',
      after: query.after === undefined ? undefined : readCursor(query.after),
      offset: query.offset ?? 0,
      limit: query.limit ?? usualLimit,
    }
    const owner = await ownerOf(database, params.userId, caller, config)
    const filter = { ...bare, seriesInRange: await findSeriesInRange(database, owner, bare) }

    const oneMore = { ...page, limit: page.limit + 1 }
    const [totalCount, rows] = await Promise.all([
      countMeetings(database, owner, filter),
      findPage(database, owner, filter, oneMore, lookerOf(caller, config).everyAddressConfirmed),
    ])
    const shown = rows.slice(0, page.limit)
    const last = shown.at(-1)
    const moreAvailable = rows.length > shown.length
    return {
      totalCount,
      moreAvailable,
      nextCursor: moreAvailable && last ? writeCursor({ at: last.startsAt, id: last.id }) : null,
      meetingDetails: shown.map((row) => viewListedMeeting(row, { caller, sealedBox, config })),
    }
  })
}

/** `tpClientOnly` filters nothing for a person and their scripts, which belong to no app (meetings.md 6). */
function readFilter(query: QueryOf<typeof listMeetings>, now: Date): ListFilter {
  const { from, to } = readQueryRange('fromDate', query.fromDate, 'toDate', query.toDate)
  return {
    role: query.role ?? 'all',
    status: query.status ?? 'active',
    past: query.past,
    now,
    from,
    to,
    seriesInRange: [],
    topicPart: query.q,
  }
}

/** One's own list, or an administrator's look at another's; whether somebody else exists is not said (meetings.md 8.15). */
async function ownerOf(database: Database, userId: string, caller: Caller, config: Config): Promise<ListOwner> {
  if (userId === 'me' || userId === caller.accountId) return lookerOf(caller, config)
  if (!caller.administrator || !isUuid(userId)) throw problem('forbidden')
  const account = await database
    .selectFrom('account')
    .select(['id', 'emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .where('tenantId', '=', caller.tenantId)
    .executeTakeFirst()
  if (account === undefined) throw problem('forbidden')
  const confirmed = account.emailVerifiedAt !== null || config.emailVerification === 'off'
  return { accountId: account.id, addressKey: confirmed ? account.emailKey : null }
}
