import { previewMeeting } from '@parley/contract'
import { findNoOccurrence, readMeetingDates } from '@parley/rules/meetings/meeting-request'
import { rightsOfRole } from '@parley/rules/meetings/meeting-rights'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { previewSeries, scheduleWarnings } from '@parley/rules/meetings/series-preview'
import { carryChanges, carryExclusions, compareDates } from '@parley/rules/recurrence/exclusions'
import { nextOccurrence, noExceptions } from '@parley/rules/recurrence/recurrence'
import { writeOffset } from '@parley/rules/recurrence/utc-offset'
import { requireRight } from '../access/require-right.ts'
import type { Service } from '../access/service.ts'
import type { Database } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import { findExceptions } from './exception-store.ts'
import { findDroppedDates } from './exclusion-store.ts'
import { seriesOf } from './meeting-row.ts'
import { openMeeting } from './view/meeting-access.ts'
import { viewChangedDate, viewOccurrence } from './view/occurrence-view.ts'

const defaultLimit = 10

/** Preview the occurrences of a rule for a form. Stores nothing. */
export function servePreviewMeeting(service: Service) {
  const { serve, clock, config } = service

  async function findChanged(database: Database, asking: Omit<Parameters<typeof openMeeting>[2], 'endpoint'>) {
    requireRight({ access: 'meeting:update' }, asking.caller, config.baseUrl)
    const { row, rights } = await openMeeting(database, service, { ...asking, endpoint: previewMeeting }, 'reschedule')
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
      const excluded = former === undefined ? [] : carryExclusions(former.series, whole).kept.map(({ to }) => to)
      const changed = former === undefined ? [] : carryChanges(former.series, whole).kept.map(({ change }) => change)
      const noOccurrence = former && findNoOccurrence(dates, excluded)
      if (noOccurrence !== undefined) throw invalidRequest([noOccurrence])
      const series = { ...whole, excluded, changed }
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
