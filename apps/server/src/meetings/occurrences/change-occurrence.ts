import { changeOccurrence } from '@parley/contract'
import { planOccurrenceChange, readOccurrenceChange } from '@parley/rules/meetings/occurrence-change'
import type { Service } from '../../access/service.ts'
import { seriesOf } from '../meeting-row.ts'
import { etagOf } from '../meeting-version.ts'
import { changeMeeting } from '../view/meeting-access.ts'
import { applyChange } from './apply-change.ts'
import { findSeriesOf, viewOccurrenceOf } from './series-of-occurrence.ts'

export function serveChangeOccurrence(service: Service) {
  const { serve, clock } = service
  serve(changeOccurrence, {
    read: ({ body }) => readOccurrenceChange(body),
    handle: async ({ caller, params, query, input: requested, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: changeOccurrence, meetingId: params.meetingId }
      return changeMeeting(database, service, asking, 'reschedule', async (tx, opened) => {
        const { row, actor } = opened
        if (requested.topic !== undefined || requested.description !== undefined) opened.require('changeContent')
        const series = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const { exceptions, originalStart } = series
        const plan = planOccurrenceChange(seriesOf(row, exceptions), row, { originalStart, requested }, now)
        const notifies = query.sendUpdates !== 'none'
        const after = await applyChange(tx, service, { ...series, row, actor, plan, notifies }, now)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(opened, after, originalStart)
      })
    },
  })
}
