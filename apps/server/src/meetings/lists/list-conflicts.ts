import { listConflicts, type QueryOf } from '@parley/contract'
import { compareOccurrences } from '@parley/rules/meetings/calendar'
import { type Reading, refuseAt, refusedBySchema } from '@parley/rules/text/reading'
import type { Service } from '../../access/service.ts'
import { findAttended, findCohosted, findSingles } from './calendar-store.ts'
import { type Facts, findSeriesDates, viewCalendarOccurrence } from './list-calendar.ts'
import type { ListFilter } from './meeting-list-branches.ts'
import { ownList } from './meeting-list-owner.ts'
import { readQueryRange } from './query-range.ts'

/** A month. To look further ahead there is the calendar. */
const maxIntervalMs = 31 * 24 * 60 * 60 * 1000

/** More is no answer to whether a time is free. */
const maxConflicts = 50

/** How many dates are read at most, of which declined invitations and added meetings are left out. */
const maxRead = 1000

/** List the caller's own dates that overlap an interval. Other people's are never looked at. */
export function serveListConflicts({ serve, clock, config }: Service) {
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
      const known = new Map<string, Facts>()
      const [series, singles] = await Promise.all([
        findSeriesDates(database, owner, filter, { ...interval, limit: maxRead, withCancelled: false }, known),
        findSingles(database, owner, filter, maxRead),
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
      const isAttended = await findAttended(database, owner, [...known.keys()])
      const found = all.filter(isAttended).toSorted(compareOccurrences)
      const shown = found.slice(0, maxConflicts)
      const cohosted = await findCohosted(
        database,
        owner.addressKey,
        shown.map(({ id }) => id),
      )
      return {
        conflicts: shown.flatMap((occurrence) => {
          const facts = known.get(occurrence.id)
          if (facts === undefined) return []
          const role =
            facts.hostId === owner.accountId ? 'host' : cohosted.has(occurrence.id) ? 'cohost' : 'participant'
          return [viewCalendarOccurrence(occurrence, facts, role)]
        }),
        // Dates that were not read may be among them.
        moreAvailable: found.length > maxConflicts || series.length >= maxRead || singles.length >= maxRead,
      }
    },
  })
}

function readInterval({ start, end }: Partial<QueryOf<typeof listConflicts>>): Reading<{ from: Date; to: Date }> {
  const range = readQueryRange({ name: 'start', text: start }, { name: 'end', text: end })
  if (range.violations !== undefined) return range
  const { from, to } = range.value
  if (from === undefined || to === undefined) return refusedBySchema
  if (to.getTime() - from.getTime() <= maxIntervalMs) return { value: { from, to } }
  return refuseAt('/end', 'too_long', 'must be at most 31 days after start')
}
