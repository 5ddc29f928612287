import { changeOccurrence } from '@parley/contract'
import { planOccurrenceChange, readOccurrenceChange } from '@parley/rules/meetings/occurrence-change'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { seriesOf } from '../meeting-row.ts'
import { etagOf } from '../meeting-version.ts'
import { applyChange } from './apply-change.ts'
import { lockSeries, viewOccurrenceOf } from './lock-series.ts'

export function serveChangeOccurrence(service: Service) {
  const { serve, clock } = service
  serve(changeOccurrence, {
    read: ({ body }) => readOccurrenceChange(body),
    handle: async ({ caller, params, query, input: requested, database, request, answer }) => {
      const now = clock.now()
      return inTransaction(database, async (tx) => {
        const locked = await lockSeries(tx, service, { caller, params, ifMatch: request.ifMatch })
        const { row, exceptions, originalStart } = locked
        const plan = planOccurrenceChange(seriesOf(row, exceptions), row, { originalStart, requested }, now)
        const notifies = query.sendUpdates !== 'none'
        const after = await applyChange(tx, service, { ...locked, plan, notifies }, now)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(row, after, originalStart)
      })
    },
  })
}
