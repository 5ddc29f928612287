import { listOccurrences, type QueryOf } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { type Occurrence, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import { mapReading, type Reading } from '@parley/rules/text/reading'
import type { Service } from '../access/service.ts'
import { findExceptions } from './exception-store.ts'
import { readQueryRange } from './lists/query-range.ts'
import { seriesOf } from './meeting-row.ts'
import { withResponses } from './responses/occurrence-responses.ts'
import { openMeeting } from './view/meeting-access.ts'
import { viewOccurrence } from './view/occurrence-view.ts'

const yearMs = 366 * 24 * 60 * 60 * 1000
const defaultLimit = 100

export function serveListOccurrences(service: Service) {
  const { serve, clock } = service
  serve(listOccurrences, {
    read: ({ query }) => readRange(query, clock.now()),
    handle: async ({ caller, params, query, input: { from, to }, database, request }) => {
      const asking = { caller, request, endpoint: listOccurrences, meetingId: params.meetingId }
      const { row, rights, viewer } = await openMeeting(database, service, asking)

      const limit = query.limit ?? defaultLimit
      const whole = seriesOf(row, await findExceptions(database, row.id))
      const held = row.cancelledAt === null ? whole : heldSeries(whole, row.cancelledAt)
      const shown = []
      let moreAvailable = false
      // A cancelled single meeting has no occurrences, not even a cancelled one.
      for (const occurrence of inRange(query.status === 'all' && held ? whole : held, from, to)) {
        const status = statusOf(occurrence, row.cancelledAt)
        if (status === 'cancelled' && query.status !== 'all') continue
        if (shown.length === limit) {
          moreAvailable = true
          break
        }
        shown.push(viewOccurrence(occurrence, status, rights))
      }
      const seen = { addressKey: viewer.addressKey, seeHostFields: rights.has('seeHostFields') }
      return { occurrences: await withResponses(database, row, seen, shown), moreAvailable }
    },
  })
}

/** The default range is one year from now. */
function readRange(query: Partial<QueryOf<typeof listOccurrences>>, now: Date): Reading<{ from: Date; to: Date }> {
  const thisSecond = new Date(Math.floor(now.getTime() / 1000) * 1000)
  const range = readQueryRange({ name: 'from', text: query.from, omitted: thisSecond }, { name: 'to', text: query.to })
  return mapReading(range, ({ from = thisSecond, to = new Date(from.getTime() + yearMs) }) => ({ from, to }))
}

function* inRange(series: Series | undefined, from: Date, to: Date): Generator<Occurrence> {
  if (series === undefined) return
  for (const occurrence of occurrences(series, from)) {
    if (occurrence.startsAt >= to) return
    yield occurrence
  }
}
