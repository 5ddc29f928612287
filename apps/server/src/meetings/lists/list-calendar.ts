import { listCalendar, listConflicts, type QueryOf } from '@parley/contract'
import { type CalendarOccurrence, compareOccurrences, firstOccurrences } from '@parley/rules/meetings/calendar'
import { type RoomUse, roomStatusOf } from '@parley/rules/rooms/room-status'
import { type Parsed, refuseAt, refusedBySchema } from '@parley/rules/text/parsed'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { viewNamedDates } from '../meeting-view.ts'
import { findCohosted, findResponses, findRooms, findSingles } from './calendar-store.ts'
import { ownerOf, ownList } from './list-meetings.ts'
import { findColours } from './meeting-colour-store.ts'
import type { ListFilter, ListOwner } from './meeting-list-branches.ts'
import { readQueryRange } from './query-range.ts'
import { calendarSeriesOf, seriesAround } from './series-of-list.ts'

/** Register the lists of occurrences in a range. */
export function registerListCalendar(dependencies: Dependencies): void {
  serveListCalendar(dependencies)
  serveListConflicts(dependencies)
}

const defaultLimit = 500

/** Three months with the surrounding weeks that a calendar shows. */
const maxRangeMs = 100 * 24 * 60 * 60 * 1000

/** List the occurrences in a range. Series are expanded on the server, by its recurrence rules and time zones. */
function serveListCalendar(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(listCalendar, {
    read: ({ query }) => readRange(query),
    handle: async ({ caller, params, query, input: range, request, database }) => {
      const now = clock.now()
      const { limit = defaultLimit, status = 'active' } = query
      const access = { caller, request, endpoint: listCalendar, userId: params.userId }
      const owner = await ownerOf(database, dependencies, access)
      const filter: ListFilter = {
        role: query.role ?? 'all',
        status,
        past: undefined,
        now,
        ...range,
        seriesInRange: [],
        topicPart: undefined,
        madeByApp: null,
      }
      const asked = {
        ...range,
        limit: limit + 1,
        withCancelled: status === 'all',
      }

      const known = new Map<string, ListedMeeting>()
      const [series, singles] = await Promise.all([
        // Past occurrences of a cancelled series stay in the calendar.
        findSeriesDates(database, owner, { ...filter, status: 'all' }, asked, known),
        findSingles(database, owner, filter, { limit: limit + 1 }),
      ])
      for (const single of singles) known.set(single.id, { ...single, recur: false })
      const all = [
        ...series,
        ...singles.map(({ id, startsAt, endsAt, cancelledAt }) => ({
          id,
          originalStart: startsAt,
          startsAt,
          endsAt,
          status: cancelledAt === null ? ('active' as const) : ('cancelled' as const),
          topic: null,
        })),
      ].toSorted(compareOccurrences)
      const shown = all.slice(0, limit)
      const ids = [...new Set(shown.map(({ id }) => id))]
      const [cohosted, rooms, responseTo, colours] = await Promise.all([
        findCohosted(database, owner.addressKey, ids),
        findRooms(database, ids),
        findResponses(database, owner, ids),
        findColours(database, caller.accountId, ids),
      ])
      const statuses = statusesOf(shown, rooms, now)
      return {
        occurrences: shown.flatMap((occurrence) => {
          const meeting = known.get(occurrence.id)
          const colour = colours.get(occurrence.id)
          if (meeting === undefined || colour === undefined) return []
          const role =
            meeting.hostId === owner.accountId ? 'host' : cohosted.has(occurrence.id) ? 'cohost' : 'participant'
          const date = { ...viewCalendarOccurrence(occurrence, meeting, role), colour }
          // An administrator sees when the meetings of another person take place, not how to enter them.
          if (owner.onlyOfTenant !== null) return [{ ...date, svcMeetId: '' }]
          const room = statuses.get(occurrence)
          const response = role === 'host' ? undefined : responseTo(occurrence)
          return [
            {
              ...date,
              ...(room !== undefined && { room }),
              ...(response !== undefined && { response: response ?? ('none' as const) }),
            },
          ]
        }),
        moreAvailable: all.length > limit,
      }
    },
  })
}

/** Find the status of each occurrence. At most one occurrence of a meeting has its room in use. */
export function statusesOf(shown: readonly CalendarOccurrence[], rooms: ReadonlyMap<string, RoomUse>, now: Date) {
  const taking = shown.filter(({ id, status }) => status !== 'cancelled' && rooms.has(id))
  const found = [...Map.groupBy(taking, ({ id }) => id)].flatMap(([id, dates]) => {
    const room = rooms.get(id)
    const current = room && roomStatusOf(dates, room, now)
    return current === undefined ? [] : [[current.date, current.status] as const]
  })
  return new Map(found)
}

type ListedMeeting = { code: string; topic: string; hostId: string; recur: boolean }
type RequestedOccurrences = Parameters<typeof firstOccurrences>[1]

const viewCalendarOccurrence = (
  { id, status, topic: ownTopic, ...dates }: CalendarOccurrence,
  { code, topic, recur }: ListedMeeting,
  role: 'host' | 'cohost' | 'participant',
) => ({
  meetingId: id,
  svcMeetId: code,
  topic: ownTopic ?? topic,
  recur,
  role,
  ...viewNamedDates(dates, status),
})

function readRange({ fromDate, toDate }: Partial<QueryOf<typeof listCalendar>>): Parsed<{ from: Date; to: Date }> {
  const range = readQueryRange({ name: 'fromDate', text: fromDate }, { name: 'toDate', text: toDate })
  if (range.violations !== undefined) return range
  const { from, to } = range.value
  if (from === undefined || to === undefined) return refusedBySchema
  if (to.getTime() - from.getTime() <= maxRangeMs) return { value: { from, to } }
  return refuseAt('/toDate', 'too_long', 'must be at most 100 days after fromDate')
}

/** The first dates of the owner's series in a range. Add a summary of their meetings to `known`. */
async function findSeriesDates(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  asked: RequestedOccurrences,
  known: Map<string, ListedMeeting>,
): Promise<CalendarOccurrence[]> {
  const found: CalendarOccurrence[] = []
  for await (const batch of seriesAround(database, owner, filter)) {
    for (const row of batch) known.set(row.id, { ...row, recur: true })
    found.push(...firstOccurrences(batch.map(calendarSeriesOf), asked))
  }
  return found
}

/** A month. To look further ahead there is the calendar. */
const maxIntervalMs = 31 * 24 * 60 * 60 * 1000

/** More conflicts do not help to decide whether a time is free. */
const maxConflicts = 50

/** Maximum of dates to read. Declined invitations and added meetings among them are omitted. */
const maxRead = 1000

/** List the caller's own dates that overlap an interval. Other people's dates are never read. */
function serveListConflicts({ serve, clock, config }: Dependencies) {
  serve(listConflicts, {
    read: ({ query }) => readInterval(query),
    handle: async ({ caller, input: interval, database }) => {
      const owner = ownList(caller, config)
      const filter: ListFilter = {
        role: 'calendar',
        status: 'active',
        past: undefined,
        now: clock.now(),
        ...interval,
        seriesInRange: [],
        topicPart: undefined,
        madeByApp: null,
      }
      const known = new Map<string, ListedMeeting>()
      const [series, singles] = await Promise.all([
        findSeriesDates(database, owner, filter, { ...interval, limit: maxRead, withCancelled: false }, known),
        findSingles(database, owner, filter, { limit: maxRead }),
      ])
      for (const single of singles) known.set(single.id, { ...single, recur: false })
      const all = [
        ...series,
        ...singles.map((single) => ({
          ...single,
          originalStart: single.startsAt,
          status: 'active' as const,
          topic: null,
        })),
      ]
      const responseTo = await findResponses(database, owner, [...known.keys()])
      const isAttended = (occurrence: CalendarOccurrence) => {
        const response = responseTo(occurrence)
        return response !== undefined && response !== 'declined'
      }
      const found = all.filter(isAttended).toSorted(compareOccurrences)
      const shown = found.slice(0, maxConflicts)
      const cohosted = await findCohosted(
        database,
        owner.addressKey,
        shown.map(({ id }) => id),
      )
      return {
        conflicts: shown.flatMap((occurrence) => {
          const meeting = known.get(occurrence.id)
          if (meeting === undefined) return []
          const role =
            meeting.hostId === owner.accountId ? 'host' : cohosted.has(occurrence.id) ? 'cohost' : 'participant'
          return [viewCalendarOccurrence(occurrence, meeting, role)]
        }),
        // Dates that were not read may be among them.
        moreAvailable: found.length > maxConflicts || series.length >= maxRead || singles.length >= maxRead,
      }
    },
  })
}

function readInterval({ start, end }: Partial<QueryOf<typeof listConflicts>>): Parsed<{ from: Date; to: Date }> {
  const range = readQueryRange({ name: 'start', text: start }, { name: 'end', text: end })
  if (range.violations !== undefined) return range
  const { from, to } = range.value
  if (from === undefined || to === undefined) return refusedBySchema
  if (to.getTime() - from.getTime() <= maxIntervalMs) return { value: { from, to } }
  return refuseAt('/end', 'too_long', 'must be at most 31 days after start')
}
