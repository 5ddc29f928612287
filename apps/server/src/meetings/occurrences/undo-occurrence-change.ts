import { undoOccurrenceChange } from '@parley/contract'
import { planTakingBack } from '@parley/rules/meetings/occurrence-change'
import type { Service } from '../../access/service.ts'
import { seriesOf } from '../meeting-row.ts'
import { etagOf } from '../meeting-version.ts'
import { changeMeeting } from '../view/meeting-access.ts'
import { applyChange } from './apply-change.ts'
import { findSeriesOf, viewOccurrenceOf } from './series-of-occurrence.ts'

export function serveUndoOccurrenceChange(service: Service) {
  const { serve, clock } = service
  serve(undoOccurrenceChange, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: undoOccurrenceChange, meetingId: params.meetingId }
      // It also deletes the texts of this date.
      return changeMeeting(database, service, asking, 'changeContent', async (tx, opened) => {
        const { row, actor } = opened
        const series = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const { exceptions, originalStart } = series
        const plan = planTakingBack(seriesOf(row, exceptions), originalStart, now)
        const notifies = query.sendUpdates !== 'none'
        const after = await applyChange(tx, service, { ...series, row, actor, plan, notifies }, now)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(opened, after, originalStart)
      })
    },
  })
}
