import { cancelMeeting } from '@parley/contract'
import { planCancellation } from '@parley/rules/meetings/cancellation'
import { lastEnd, type Series } from '@parley/rules/recurrence/recurrence'
import { readOptional } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import type { Service } from '../access/service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import { endSeries } from './end-series.ts'
import { findExceptions, insertSkipped } from './exception-store.ts'
import { requireMeetingId } from './meeting-id.ts'
import { moveReminder } from './meeting-reminder.ts'
import { seriesOf } from './meeting-row.ts'
import { lockMeeting, setOverAt } from './meeting-store.ts'
import { etagOf, requireVersion } from './meeting-version.ts'
import { notifyGuests } from './notify-guests.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { rightsOf, viewerOf } from './view/meeting-viewer.ts'

/** Ten years of a daily series. All of them are read with the meeting. */
const maxSkipped = 3660

export function serveCancelMeeting(service: Service) {
  const { serve, clock, config } = service
  serve(cancelMeeting, {
    read: ({ body }) => readOptional(body.occurrence, (text) => readTimestampField('/occurrence', text)),
    handle: async ({ caller, params, query, body, input: occurrence, database, request, answer }) => {
      const now = clock.now()
      return inTransaction(database, async (tx) => {
        const row = await lockMeeting(tx, requireMeetingId(params.meetingId), viewerOf(caller, config))
        if (row === undefined) throw problem('meeting_not_found')
        if (!rightsOf(row, caller).change) throw problem('forbidden')
        requireVersion(request.ifMatch, row)

        const exceptions = await findExceptions(tx, row.id)
        const series = seriesOf(row, exceptions)
        const plan = planCancellation(series, row.cancelledAt, { extent: body.cancel, occurrence }, now)
        const notify = async (after: Series | null) => {
          if (query.sendUpdates === 'none') return
          const change = { before: series, after, isContentChanged: true }
          const notified = {
            ...change,
            meeting: row,
            invited: row.people,
            senderId: caller.accountId,
            isRefusable: false,
          }
          await notifyGuests(tx, service, notified, now)
        }
        switch (plan.kind) {
          case 'no-such-occurrence':
            throw invalidOccurrence('no_such_occurrence', 'The meeting does not take place at this time.')
          case 'occurrence-over':
            throw invalidOccurrence('occurrence_over', 'This occurrence is over.')
          case 'nothing-left-to-do':
            break
          case 'skip': {
            if (exceptions.excluded.length >= maxSkipped) throw problem('too_many_skipped')
            const after = { ...exceptions, excluded: [...exceptions.excluded, plan.occurrence] }
            const rest = seriesOf(row, after)
            const end = lastEnd(rest)
            await insertSkipped(tx, row.id, plan.occurrence, caller.accountId, now)
            await setOverAt(tx, row.id, end instanceof Date ? end : 'infinity', caller.accountId, now)
            await moveReminder(tx, row, { before: exceptions, after }, config, now)
            await notify(rest)
            break
          }
          case 'end': {
            const end = {
              meeting: row,
              series,
              plan,
              actorId: caller.accountId,
              notifies: query.sendUpdates !== 'none',
            }
            await endSeries(tx, service, end, now)
            break
          }
        }
        const changed = plan.kind === 'skip' || plan.kind === 'end'
        // Disconnect the participants inside.
        if (changed) await queueReconcileRoom(tx, row.id, { changed })
        answer.header('etag', etagOf({ version: row.version + (changed ? 1 : 0) }))
        const several = body.cancel === 'all' && row.rule.repeat !== 'none'
        return { status: `Your ${several ? 'meetings have' : 'meeting has'} been cancelled successfully.` }
      })
    },
  })
}

const invalidOccurrence = (code: string, message: string) => invalidRequest([{ path: '/occurrence', code, message }])
