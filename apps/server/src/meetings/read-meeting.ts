import { previewMeeting, readMeeting } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { rightsOfRole } from '@parley/rules/meetings/meeting-rights'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { findNoOccurrence, readMeetingDates, seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { previewSeries, scheduleWarnings } from '@parley/rules/meetings/series-preview'
import { carryCancellations, carryChanges, compareDates } from '@parley/rules/recurrence/carried-dates'
import { nextOccurrence, noExceptions, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
import { writeOffset } from '@parley/rules/recurrence/utc-offset'
import { requireRight } from '../access/require-right.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { findDroppedDates, findExceptions } from './exception-store.ts'
import { etagOf, openMeeting } from './meeting-access.ts'
import { type FoundMeeting, findMeetings, type MeetingLookup } from './meeting-store.ts'
import { viewChangedDate, viewOccurrence, viewSingleMeeting } from './meeting-view.ts'
import { withResponses } from './occurrences.ts'

/** Register the endpoints that read a meeting, and that preview one which is not stored. */
export function registerReadMeeting(dependencies: Dependencies): void {
  serveReadMeeting(dependencies)
  servePreviewMeeting(dependencies)
}

function serveReadMeeting(dependencies: Dependencies) {
  const { serve, clock, encryption, config } = dependencies
  const find = createFindShared(dependencies.database)
  serve(readMeeting, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const access = { caller, request, endpoint: readMeeting, meetingId: params.meetingId }
      const opened = await openMeeting(database, dependencies, access, 'read', (viewer, id) => find({ id, viewer }))
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

/**
 * `findMeeting` for requests that arrive together, in one statement. `database` is the pool rather than that of one
 * request's handler.
 */
function createFindShared(database: Database): (lookup: MeetingLookup) => Promise<FoundMeeting | undefined> {
  // A statement names accounts behind unverified addresses in all of its rows or in none.
  const findBy = (namesEveryAddress: boolean) =>
    createBatcher((lookups: readonly MeetingLookup[]) => findMeetings(database, lookups, namesEveryAddress))
  const [findNaming, findVerified] = [findBy(true), findBy(false)]
  return (lookup) => (lookup.viewer.namesEveryAddress ? findNaming(lookup) : findVerified(lookup))
}

const activeFrom = (series: Series, now: Date) => occurrences(series, now).filter(({ cancelled }) => !cancelled)

const defaultLimit = 10

/** Preview the occurrences of a rule for a form. Stores nothing. */
function servePreviewMeeting(dependencies: Dependencies) {
  const { serve, clock, config } = dependencies

  async function findChanged(database: Database, access: Omit<Parameters<typeof openMeeting>[2], 'endpoint'>) {
    requireRight({ access: 'meeting:update' }, access.caller, config.baseUrl)
    const { row, rights } = await openMeeting(
      database,
      dependencies,
      { ...access, endpoint: previewMeeting },
      'reschedule',
    )
    if (row.cancelledAt !== null) throw problem('meeting_cancelled')
    const series = seriesOf(row, await findExceptions(database, row.id))
    return { series, rights, droppedDates: await findDroppedDates(database, row.id) }
  }

  serve(previewMeeting, {
    read: ({ body, caller: { timeZone } }) =>
      readMeetingDates(body, { profileTimeZone: timeZone, timeZoneAliases: config.timeZoneAliases }),
    handle: async ({ caller, request, body: { limit = defaultLimit, meetingId }, input: dates, database }) => {
      const now = clock.now()
      const former = meetingId === undefined ? undefined : await findChanged(database, { caller, request, meetingId })
      const rights = former?.rights ?? rightsOfRole('host', false)
      const whole = seriesOf(dates, noExceptions)
      const cancelled = former === undefined ? [] : carryCancellations(former.series, whole).kept.map(({ to }) => to)
      const changed = former === undefined ? [] : carryChanges(former.series, whole).kept.map(({ change }) => change)
      const noOccurrence = former && findNoOccurrence(dates, cancelled)
      if (noOccurrence !== undefined) throw invalidRequest([noOccurrence])
      const series = { ...whole, cancelled, changed }
      const changes = former && compareDates(former.series, series, former.droppedDates, now)
      // For a change of a meeting, show past occurrences only if there are no others.
      const isAhead = former !== undefined && nextOccurrence(series, now) !== undefined
      const preview = previewSeries(series, limit, isAhead ? now : undefined)
      return {
        timeZoneIana: series.timeZone,
        endDate: series.endsBy?.toISOString() ?? null,
        occurrences: preview.occurrences.map((occurrence) => ({
          ...viewOccurrence(occurrence, statusOf(occurrence, null), rights),
          localStart: occurrence.localStart,
          utcOffset: writeOffset(occurrence.utcOffsetMinutes),
        })),
        moreAvailable: preview.moreAvailable,
        shifts: preview.shifts.map((shift) => ({
          startTime: shift.startsAt.toISOString(),
          before: writeOffset(shift.beforeMinutes),
          after: writeOffset(shift.afterMinutes),
        })),
        warnings: scheduleWarnings(series, now),
        restoredOccurrences: changes?.restored.map(viewChangedDate) ?? [],
        removedOccurrences: changes?.removed.map(viewChangedDate) ?? [],
        droppedCancellations: changes?.dropped.map((startsAt) => ({ startTime: startsAt.toISOString() })) ?? [],
      }
    },
  })
}
