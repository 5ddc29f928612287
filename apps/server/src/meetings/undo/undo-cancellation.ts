import { undoCancellation } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { planUndoing } from '@parley/rules/meetings/undo'
import type { Service } from '../../access/service.ts'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import { problem } from '../../platform/http/problem.ts'
import { findExceptions } from '../exception-store.ts'
import { seriesOf } from '../meeting-row.ts'
import { findMeeting } from '../meeting-store.ts'
import { etagOf, requireVersion } from '../meeting-version.ts'
import { notifyGuests } from '../notify-guests.ts'
import { queueReconcileRoom } from '../reconcile-room-job.ts'
import { decryptSecrets } from '../secrets/meeting-secrets.ts'
import { changeMeeting, dropCancellationEmail } from '../view/meeting-access.ts'
import { viewMeeting } from '../view/meeting-view.ts'
import { findUndoable, restoreMeeting } from './undo-store.ts'

export function serveUndoCancellation(service: Service) {
  const { serve, clock, config, encryption } = service
  serve(undoCancellation, {
    handle: async ({ caller, params, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: undoCancellation, meetingId: params.meetingId }
      const { row, rights } = await changeMeeting(database, service, asking, 'reschedule', async (tx, opened) => {
        const { row: cancelled, actor, viewer } = opened
        opened.require('cancel')
        requireVersion(request.ifMatch, cancelled)
        const undoable = await findUndoable(tx, cancelled.id)
        const plan = planUndoing(undoable, { accountId: caller.accountId, version: cancelled.version }, now)
        if (plan.kind === 'over') throw problem('undo_over')
        if (plan.kind === 'nothing-to-do') return opened

        const { cancelledAt } = cancelled
        const left = seriesOf(cancelled, await findExceptions(tx, cancelled.id))
        const before = cancelledAt === null ? left : (heldSeries(left, cancelledAt) ?? null)
        await restoreMeeting(tx, cancelled.id, actor, now)
        const row = await findMeeting(tx, cancelled.id, viewer)
        if (row === undefined) throw problem('meeting_not_found')
        const exceptions = await findExceptions(tx, row.id)
        await queueReconcileRoom(tx, row.id, { changed: true })
        const more = { changed: [cancelledAt === null ? ('repeatOptions' as const) : ('status' as const)] }
        const event = { type: 'meeting.updated' as const, meetingId: row.id, more, now }
        await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
        await dropCancellationEmail(tx, row.id)
        // Also after a cancellation without an email: then no calendar differs, and no email is sent.
        const change = { before, after: seriesOf(row, exceptions), isContentChanged: true }
        const notified = { ...change, meeting: cancelled, invited: row.people, isRefusable: false }
        await notifyGuests(tx, service, actor, notified, now)
        return { ...opened, row }
      })
      answer.header('etag', etagOf(row))
      const { pin } = decryptSecrets(encryption, row)
      return viewMeeting(row, pin, { caller, config, rights })
    },
  })
}
