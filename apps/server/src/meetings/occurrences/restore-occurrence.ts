import { restoreOccurrence } from '@parley/contract'
import { planRestoring } from '@parley/rules/meetings/occurrence-change'
import type { Service } from '../../access/service.ts'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import { problem } from '../../platform/http/problem.ts'
import { deleteSkipped } from '../exception-store.ts'
import { seriesOf } from '../meeting-row.ts'
import { etagOf } from '../meeting-version.ts'
import { changeMeeting } from '../view/meeting-access.ts'
import { changeExceptions } from './change-exceptions.ts'
import { findSeriesOf, viewOccurrenceOf } from './series-of-occurrence.ts'

export function serveRestoreOccurrence(service: Service) {
  const { serve, clock } = service
  serve(restoreOccurrence, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: restoreOccurrence, meetingId: params.meetingId }
      return changeMeeting(database, service, asking, 'reschedule', async (tx, opened) => {
        const { row, actor } = opened
        const { exceptions, originalStart } = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const plan = planRestoring(seriesOf(row, exceptions), originalStart, now)
        switch (plan.kind) {
          case 'no-such-occurrence':
            throw problem('occurrence_not_found')
          case 'occurrence-over':
            throw problem('occurrence_over')
          case 'nothing-to-do':
            answer.header('etag', etagOf(row))
            return viewOccurrenceOf(opened, exceptions, originalStart)
          case 'restore': {
            await deleteSkipped(tx, row.id, originalStart)
            const excluded = exceptions.excluded.filter((skipped) => skipped.getTime() !== originalStart.getTime())
            const after = { ...exceptions, excluded }
            const notifies = query.sendUpdates !== 'none'
            const change = { actor, meeting: row, before: exceptions, after, notifies, isRefusable: true }
            await changeExceptions(tx, service, change, now)
            const more = { originalStartTime: originalStart.toISOString() }
            const event = { type: 'meeting.occurrence.restored' as const, meetingId: row.id, more, now }
            await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
            answer.header('etag', etagOf({ version: row.version + 1 }))
            return viewOccurrenceOf(opened, after, originalStart)
          }
        }
      })
    },
  })
}
