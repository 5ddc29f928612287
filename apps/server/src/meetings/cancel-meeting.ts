import { cancelMeeting } from '@parley/contract'
import { planCancellation } from '@parley/rules/meetings/cancellation'
import { undoableUntil } from '@parley/rules/meetings/undo'
import { readOptional } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import type { Service } from '../access/service.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import { endSeries } from './end-series.ts'
import { findExceptions, insertSkipped } from './exception-store.ts'
import { seriesOf } from './meeting-row.ts'
import { etagOf, requireVersion } from './meeting-version.ts'
import { changeExceptions } from './occurrences/change-exceptions.ts'
import { queueEndCall, queueReconcileRoom } from './reconcile-room-job.ts'
import { cancelFollowing } from './split/cancel-following.ts'
import { insertUndoable } from './undo/undo-store.ts'
import { changeMeeting } from './view/meeting-access.ts'

/** Ten years of a daily series. All of them are read with the meeting. */
const maxSkipped = 3660

export function serveCancelMeeting(service: Service) {
  const { serve, clock } = service
  serve(cancelMeeting, {
    read: ({ body }) => readOptional(body.occurrence, (text) => readTimestampField('/occurrence', text)),
    handle: async ({ caller, params, query, body, input: occurrence, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: cancelMeeting, meetingId: params.meetingId }
      return changeMeeting(database, service, asking, 'cancel', async (tx, { row, actor }) => {
        requireVersion(request.ifMatch, row)

        const exceptions = await findExceptions(tx, row.id)
        const series = seriesOf(row, exceptions)
        const plan = planCancellation(series, row.cancelledAt, { extent: body.cancel, occurrence }, now)
        const notifies = query.sendUpdates !== 'none'
        const waitUntil = undoableUntil(query.undoable ?? false, caller.credential.kind === 'session', now)
        const keepUndoable = async () => waitUntil && (await insertUndoable(tx, row.id, actor, waitUntil))
        switch (plan.kind) {
          case 'no-such-occurrence':
            throw invalidOccurrence('no_such_occurrence', 'is no date of this meeting')
          case 'occurrence-over':
            throw invalidOccurrence('occurrence_over', 'is over')
          case 'all-over': {
            const message = `is ${body.cancel}, and no date of this series is running or ahead`
            throw invalidRequest([violationAt('/cancel', { code: 'occurrence_over', message })])
          }
          case 'occurrence-begun':
            throw invalidOccurrence('occurrence_begun', 'has begun, or one after it has: name a later one')
          case 'nothing-left-to-do':
            break
          case 'skip': {
            if (exceptions.excluded.length >= maxSkipped) throw problem('too_many_skipped')
            const after = { ...exceptions, excluded: [...exceptions.excluded, plan.occurrence] }
            await insertSkipped(tx, row.id, plan.occurrence, actor, now)
            const change = { actor, meeting: row, before: exceptions, after, notifies, isRefusable: false, waitUntil }
            await changeExceptions(tx, service, change, now)
            const more = { originalStartTime: plan.occurrence.toISOString() }
            const event = { type: 'meeting.occurrence.cancelled' as const, meetingId: row.id, more, now }
            await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
            break
          }
          case 'shorten': {
            const { occurrence: first, before } = plan
            const cancelled = { row, series, occurrence: first, before, actor, notifies, waitUntil }
            await keepUndoable()
            await cancelFollowing(tx, service, cancelled, now)
            break
          }
          case 'end': {
            await keepUndoable()
            await endSeries(tx, service, { meeting: row, series, plan, actor, notifies, waitUntil }, now)
            await queueReconcileRoom(tx, row.id, { changed: true })
            break
          }
        }
        // Also of what was cancelled before: its call may still be in progress.
        if (body.endCall) {
          await queueEndCall(tx, row.id, {
            at: now.toISOString(),
            actorId: actor.accountId,
            actingGrantId: actor.grantId,
            address: request.address,
          })
        }
        const changed = plan.kind !== 'nothing-left-to-do'
        answer.header('etag', etagOf({ version: row.version + (changed ? 1 : 0) }))
        const several = body.cancel !== 'current' && row.rule.repeat !== 'none'
        const status = `Your ${several ? 'meetings have' : 'meeting has'} been cancelled successfully.`
        return changed && waitUntil !== undefined ? { status, undoableUntil: waitUntil.toISOString() } : { status }
      })
    },
  })
}

const invalidOccurrence = (code: string, message: string) =>
  invalidRequest([violationAt('/occurrence', { code, message })])
