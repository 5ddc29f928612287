import { listOccurrences } from '@parley/contract'
import { heldSeries } from '@parley/rules/cancellation'
import { type Occurrence, occurrences, type Series } from '@parley/rules/recurrence'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/problem.ts'
import { requireMeetingId } from './meeting-id.ts'
import { lookerOf } from './meeting-looker.ts'
import { seriesOf } from './meeting-row.ts'
import { findMeeting, findSkipped } from './meeting-store.ts'
import { viewOccurrence } from './occurrence-view.ts'
import { readQueryRange } from './query-range.ts'

const yearMs = 366 * 24 * 60 * 60 * 1000
const usualLimit = 100

export function serveListOccurrences({ serve, clock, config }: Service) {
  serve(listOccurrences, async ({ caller, params, query, database }) => {
    const range = readQueryRange('from', query.from, 'to', query.to)
    const from = range.from ?? clock.now()
    const to = range.to ?? new Date(from.getTime() + yearMs)
    const row = await findMeeting(database, requireMeetingId(params.meetingId), lookerOf(caller, config))
    if (row === undefined) throw problem('meeting_not_found')

    const limit = query.limit ?? usualLimit
    const whole = seriesOf(row, await findSkipped(database, row.id))
    const held = row.cancelledAt === null ? whole : heldSeries(whole, row.cancelledAt)
    const shown = []
    for (const occurrence of inRange(query.status === 'all' ? whole : held, from, to)) {
      const active = !occurrence.excluded && (row.cancelledAt === null || isHeld(occurrence, held))
      if (!active && query.status !== 'all') continue
      if (shown.length === limit) return { occurrences: shown, moreAvailable: true }
      shown.push(viewOccurrence(occurrence, active ? 'active' : 'cancelled'))
    }
    return { occurrences: shown, moreAvailable: false }
  })
}

function* inRange(series: Series | undefined, from: Date, to: Date): Generator<Occurrence> {
  if (series === undefined) return
  for (const occurrence of occurrences(series, from)) {
    if (occurrence.startsAt >= to) return
    yield occurrence
  }
}

const isHeld = ({ startsAt }: Occurrence, held: Series | undefined) =>
  held !== undefined && held.endsBy !== null && startsAt <= held.endsBy
