import { readMeeting } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { findExceptions } from './exception-store.ts'
import { seriesOf } from './meeting-row.ts'
import { type FoundMeeting, findMeetings, type MeetingLookup } from './meeting-store.ts'
import { etagOf } from './meeting-version.ts'
import { withResponses } from './responses/occurrence-responses.ts'
import { openMeeting } from './view/meeting-access.ts'
import { viewSingleMeeting } from './view/meeting-view.ts'
import { viewOccurrence } from './view/occurrence-view.ts'

/** Reads of meetings that concurrent requests share. */
type MeetingReads = {
  /** Find a meeting as `findMeeting` does; undefined when the viewer may not know it. */
  find(lookup: MeetingLookup): Promise<FoundMeeting | undefined>
}

/** `database` is the pool rather than that of one request's handler: one statement answers many requests. */
export function createMeetingReads(database: Database): MeetingReads {
  // A statement names accounts behind unverified addresses in all of its rows or in none.
  const findBy = (namesEveryAddress: boolean) =>
    createBatcher((lookups: readonly MeetingLookup[]) => findMeetings(database, lookups, namesEveryAddress))
  const [findNaming, findVerified] = [findBy(true), findBy(false)]
  return { find: (lookup) => (lookup.viewer.namesEveryAddress ? findNaming(lookup) : findVerified(lookup)) }
}

export function serveReadMeeting(service: Service, reads: MeetingReads) {
  const { serve, clock, encryption, config } = service
  serve(readMeeting, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const asking = { caller, request, endpoint: readMeeting, meetingId: params.meetingId }
      const opened = await openMeeting(database, service, asking, 'read', (viewer, id) => reads.find({ id, viewer }))
      const { row, rights, viewer } = opened
      answer.header('etag', etagOf(row))
      const view = viewSingleMeeting(row, { caller, encryption, config, rights })
      if (query.occurrences === undefined) return [view]

      const whole = seriesOf(row, await findExceptions(database, row.id))
      // The running occurrence of a cancelled series takes place to its end.
      const series = row.cancelledAt === null ? whole : heldSeries(whole, row.cancelledAt)
      const ahead = series === undefined ? [] : activeFrom(series, clock.now()).take(query.occurrences)
      const shown = [...ahead].map((occurrence) =>
        viewOccurrence(occurrence, statusOf(occurrence, row.cancelledAt), rights),
      )
      const seen = { addressKey: viewer.addressKey, seeHostFields: rights.has('seeHostFields') }
      return [{ ...view, occurrences: await withResponses(database, row, seen, shown) }]
    },
  })
}

const activeFrom = (series: Series, now: Date) => occurrences(series, now).filter(({ excluded }) => !excluded)
