import { updateMeeting } from '@parley/contract'
import { planUpdate, type UpdatePlan } from '@parley/rules/meetings/update-plan'
import { addressKey } from '@parley/rules/text/email-address'
import { combine } from '@parley/rules/text/parsed'
import type { Actor } from '../access/caller.ts'
import { recordContacts, toContact } from '../accounts/contact-store.ts'
import { notifyOfInvitation } from '../event-log/notification-store.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { findDroppedDates, findExceptions, replaceCancellations, replaceChanges } from './exception-store.ts'
import { notifyGuests, readGuestMessage, requireMessageQueued, withMessage } from './guest-mail-queue.ts'
import { countQuietInvitations } from './mail-allowance.ts'
import { changeMeeting, etagOf, requireVersion } from './meeting-access.ts'
import { reserveQuota, textBytesOf } from './meeting-quota.ts'
import { reminderOf, setReminder } from './meeting-reminder.ts'
import type { MeetingRow } from './meeting-row.ts'
import { decryptSecrets } from './meeting-secrets.ts'
import { authorsOf, findMeeting, replaceMeeting } from './meeting-store.ts'
import { viewChangedDate, viewMeeting } from './meeting-view.ts'
import { deleteOccurrenceResponses } from './occurrence-response-store.ts'
import { updateOneOccurrence } from './occurrences.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { keepUnseen, readRequestedUpdate, requireSeenFields, wholeOf } from './requested-meeting.ts'

export function registerUpdateMeeting(dependencies: Dependencies) {
  const { serve, clock, encryption, config } = dependencies
  const { timeZoneAliases } = config
  serve(updateMeeting, {
    read: ({ query, body, caller }) =>
      combine({
        requested: readRequestedUpdate(query, body, {
          hostAddressKey: undefined,
          profileTimeZone: caller.timeZone,
          timeZoneAliases,
        }),
        message: readGuestMessage(body.message),
      }),
    handle: async ({ caller, params, query, body, input, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: updateMeeting, meetingId: params.meetingId }
      const updated = await changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
        const { row, rights, viewer } = opened
        const { requested, message } = input
        requireSeenFields(opened, body)
        if (row.cancelledAt !== null) throw problem('meeting_cancelled')
        requireVersion(request.ifMatch, row)
        const notifies = query.sendUpdates !== 'none'
        const actor = withMessage(opened.actor, message, notifies)
        const sent = rights.has('changeContent') ? requested : keepUnseen(requested, row)
        if (sent.kind === 'one-occurrence' && row.rule.repeat !== 'none') {
          const { occurrence, update } = sent
          await updateOneOccurrence(tx, dependencies, { actor, row, occurrence, update, notifies }, now)
          await requireMessageQueued(tx, actor, row.id)
          const changed = await findMeeting(tx, row.id, viewer)
          return changed && { changed, rights, dates: noChangedDates }
        }
        const stored = {
          ...row,
          hostAddressKey: addressKey(row.host.email),
          exceptions: await findExceptions(tx, row.id),
          droppedDates: await findDroppedDates(tx, row.id),
        }
        const plan = planUpdate(stored, { ...wholeOf(sent, row), sent: body }, rights, now)
        switch (plan.kind) {
          case 'no-occurrence':
            throw invalidRequest([plan.violation])
          case 'change': {
            if (plan.removesCohost) opened.require('removeCohost', 'Only the host removes a cohost.')
            await applyUpdate(tx, dependencies, { plan, row, actor, droppedDates: stored.droppedDates, notifies }, now)
            await requireMessageQueued(tx, actor, row.id)
            const changed = await findMeeting(tx, row.id, viewer)
            return changed && { changed, rights, dates: plan.dates }
          }
        }
      })
      if (updated === undefined) throw problem('meeting_not_found')
      const { changed, rights, dates } = updated
      answer.header('etag', etagOf(changed))
      const { pin } = decryptSecrets(encryption, changed)
      return {
        ...viewMeeting(changed, pin, { caller, config, rights }),
        restoredOccurrences: dates.restored.map(viewChangedDate),
        removedOccurrences: dates.removed.map(viewChangedDate),
      }
    },
  })
}

type AppliedUpdate = {
  plan: Extract<UpdatePlan, { kind: 'change' }>
  row: MeetingRow
  actor: Actor
  droppedDates: readonly string[]
  notifies: boolean
}

/**
 * Write an update with its effects: the event, the dates of the series, the answers, the next reminder, the people in the
 * room, and emails.
 * @throws quota_exceeded, too_many_invitations
 */
async function applyUpdate(
  tx: Tx,
  { config }: Pick<Dependencies, 'config'>,
  { plan, row, actor, droppedDates, notifies }: AppliedUpdate,
  now: Date,
): Promise<void> {
  const { values, notices } = plan
  await reserveQuota(tx, config, row.host.id, {
    meetings: 0,
    participants: values.participants.length - row.people.length,
    textBytes: textBytesOf(values) - textBytesOf(row),
  })
  const { sequence, stateSequence, asksAgain } = plan
  const textAuthors = authorsOf(actor, values, row)
  await replaceMeeting(tx, row.id, values, { actor, textAuthors, sequence, stateSequence, asksAgain, now })
  if (plan.event !== null) {
    const event = { type: 'meeting.updated' as const, meetingId: row.id, more: plan.event, now }
    await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
  }
  await notifyOfInvitation(tx, { meetingId: row.id, addressKeys: plan.added.map(({ addressKey }) => addressKey), now })
  if (asksAgain) await deleteOccurrenceResponses(tx, row.id)
  await replaceCancellations(tx, row.id, { carried: plan.cancellations, droppedDates, after: notices.after, now })
  await replaceChanges(tx, row.id, plan.changes)
  if (plan.movesReminder) await setReminder(tx, row.id, reminderOf(values, plan.exceptions, config, now))
  if (plan.reconcilesRoom) await queueReconcileRoom(tx, row.id, { changed: true })
  const mailed = notifies
    ? await notifyGuests(tx, { config }, actor, { ...notices, meeting: row, isRefusable: true }, now)
    : new Set()
  // Include people whom a change that notifies does not mail, because the meeting is over.
  const quiet = plan.added.filter(({ addressKey }) => !mailed.has(addressKey))
  await countQuietInvitations(tx, { config }, actor, quiet.length, now)
  await recordContacts(tx, actor.accountId, [...plan.added, ...plan.renamed].map(toContact), now)
}

/** Other dates than that of the changed occurrence stay as they are. */
const noChangedDates = { restored: [], removed: [] }
