import { readMeeting } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/http/problem.ts'
import { findExceptions } from './exception-store.ts'
import { requireMeetingId } from './meeting-id.ts'
import type { MeetingReads } from './meeting-reads.ts'
import { seriesOf } from './meeting-row.ts'
import { etagOf } from './meeting-version.ts'
import { withResponses } from './responses/occurrence-responses.ts'
import { viewSingleMeeting } from './view/meeting-view.ts'
import { rightsOf, viewerOf } from './view/meeting-viewer.ts'
import { viewOccurrence } from './view/occurrence-view.ts'

export function serveReadMeeting({ serve, clock, encryption, config }: Service, reads: MeetingReads) {
  serve(readMeeting, {
    handle: async ({ caller, params, query, database, answer }) => {
      const viewer = viewerOf(caller, config)
      const row = await reads.find({ id: requireMeetingId(params.meetingId), viewer })
      if (row === undefined) throw problem('meeting_not_found')
      answer.header('etag', etagOf(row))
      const view = viewSingleMeeting(row, { caller, encryption, config })
      if (query.occurrences === undefined) return [view]

      const whole = seriesOf(row, await findExceptions(database, row.id))
      // The running occurrence of a cancelled series takes place to its end.
      const series = row.cancelledAt === null ? whole : heldSeries(whole, row.cancelledAt)
      const ahead = series === undefined ? [] : activeFrom(series, clock.now()).take(query.occurrences)
      const shown = [...ahead].map((occurrence) => viewOccurrence(occurrence, statusOf(occurrence, row.cancelledAt)))
      const seen = { addressKey: viewer.addressKey, seeHostFields: rightsOf(row, caller).seeHostFields }
      return [{ ...view, occurrences: await withResponses(database, row, seen, shown) }]
    },
  })
}

const activeFrom = (series: Series, now: Date) => occurrences(series, now).filter(({ excluded }) => !excluded)
