import { undoOccurrenceChange } from '@parley/contract'
import { planTakingBack } from '@parley/rules/meetings/occurrence-change'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { seriesOf } from '../meeting-row.ts'
import { etagOf } from '../meeting-version.ts'
import { applyChange } from './apply-change.ts'
import { lockSeries, viewOccurrenceOf } from './lock-series.ts'

export function serveUndoOccurrenceChange(service: Service) {
  const { serve, clock } = service
  serve(undoOccurrenceChange, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      return inTransaction(database, async (tx) => {
        const locked = await lockSeries(tx, service, { caller, params, ifMatch: request.ifMatch })
        const { row, exceptions, originalStart } = locked
        const plan = planTakingBack(seriesOf(row, exceptions), originalStart, now)
        const notifies = query.sendUpdates !== 'none'
        const after = await applyChange(tx, service, { ...locked, plan, notifies }, now)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(row, after, originalStart)
      })
    },
  })
}
