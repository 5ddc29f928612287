import { updateMeeting } from '@parley/contract'
import { changedFields } from '@parley/rules/invitations/invitation-changes'
import { changedMeetingFields } from '@parley/rules/meetings/changed-meeting-fields'
import { completeSchedule, findNoOccurrence } from '@parley/rules/meetings/meeting-request'
import { isSamePeople } from '@parley/rules/meetings/participants'
import { carryCancellations, carryChanges, compareDates } from '@parley/rules/recurrence/carried-dates'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { findDroppedDates, findExceptions, replaceCancellations, replaceChanges } from './exception-store.ts'
import { notifyGuests } from './guest-delivery.ts'
import { changeMeeting, etagOf, requireVersion } from './meeting-access.ts'
import { reminderOf, setReminder } from './meeting-reminder.ts'
import { calendarStateOf, seriesOf } from './meeting-row.ts'
import { decryptSecrets } from './meeting-secrets.ts'
import { authorsOf, findMeeting, replaceMeeting } from './meeting-store.ts'
import { viewChangedDate, viewMeeting } from './meeting-view.ts'
import { deleteOccurrenceResponses } from './occurrence-response-store.ts'
import { updateOneOccurrence } from './occurrences.ts'
import { countQuietInvitations, reserveQuota, textBytesOf } from './quotas.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { keepUnseen, readRequestedUpdate, requireSeenFields, toMeetingValues, wholeOf } from './requested-meeting.ts'

export function registerUpdateMeeting(dependencies: Dependencies) {
  const { serve, clock, encryption, config } = dependencies
  const { timeZoneAliases } = config
  serve(updateMeeting, {
    read: ({ query, body, caller }) =>
      readRequestedUpdate(query, body, {
        hostAddressKey: undefined,
        profileTimeZone: caller.timeZone,
        timeZoneAliases,
      }),
    handle: async ({ caller, params, query, body, input, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: updateMeeting, meetingId: params.meetingId }
      const updated = await changeMeeting(database, dependencies, asking, 'reschedule', async (tx, opened) => {
        const { row, rights, viewer, actor } = opened
        requireSeenFields(opened, body)
        if (row.cancelledAt !== null) throw problem('meeting_cancelled')
        requireVersion(request.ifMatch, row)
        const notifies = query.sendUpdates !== 'none'
        const sent = rights.has('changeContent') ? input : keepUnseen(input, row)
        if (sent.kind === 'one-occurrence' && row.rule.repeat !== 'none') {
          const { occurrence, update } = sent
          await updateOneOccurrence(tx, dependencies, { actor, row, occurrence, update, notifies }, now)
          const changed = await findMeeting(tx, row.id, viewer)
          return changed && { changed, rights, dates: noChangedDates }
        }
        const requested = wholeOf(sent, row)

        const cohosts = row.people.filter((person) => person.cohost)
        const formerExceptions = await findExceptions(tx, row.id)
        const formerSeries = seriesOf(row, formerExceptions)
        const schedule = completeSchedule(
          requested.schedule,
          rights.has('nameCohosts') ? body : { ...body, cohosts: undefined },
          {
            cohosts: cohosts.map((person) => person.email),
            reminderMinutes: row.reminderMinutes,
            hostAddressKey: addressKey(row.host.email),
          },
        )
        const plain = seriesOf(schedule, noExceptions)
        const carried = carryCancellations(formerSeries, plain)
        const changes = carryChanges(formerSeries, plain)
        const exceptions = {
          cancelled: carried.kept.map(({ to }) => to),
          changed: changes.kept.map(({ change }) => change),
        }
        const noOccurrence = findNoOccurrence(schedule, exceptions.cancelled)
        if (noOccurrence !== undefined) throw invalidRequest([noOccurrence])
        const values = toMeetingValues({ ...requested, schedule }, exceptions)
        const kept = new Set(values.participants.filter((person) => person.cohost).map((person) => person.addressKey))
        if (cohosts.some((person) => !kept.has(person.addressKey))) {
          opened.require('removeCohost', 'Only the host removes a cohost.')
        }
        const { code } = row
        const { pin } = decryptSecrets(encryption, row)
        const before = { ...calendarStateOf(row, formerExceptions), code, pin }
        const after = { ...calendarStateOf(values, exceptions), code, pin }
        const droppedDates = await findDroppedDates(tx, row.id)
        const dates = compareDates(formerSeries, after.series, droppedDates, now)
        const changedForGuests = changedFields(before, after)
        const isContentChanged = changedForGuests.length > 0
        const isAnyChanged = isContentChanged || !isSamePeople(row.people, values.participants)
        // Also if only people change: emails to a person who is removed and invited again must have ordered sequences.
        const sequence = row.sequence + (isAnyChanged ? 1 : 0)
        const stateSequence = isContentChanged ? sequence : row.stateSequence
        const isMoved = changedForGuests.some((field) => field === 'time' || field === 'rule')
        await reserveQuota(tx, config, row.host.id, {
          meetings: 0,
          participants: values.participants.length - row.people.length,
          textBytes: textBytesOf(values) - textBytesOf(row),
        })
        const textAuthors = authorsOf(actor, values, row)
        const replacement = { actor, textAuthors, sequence, stateSequence, asksAgain: isMoved, now }
        await replaceMeeting(tx, row.id, values, replacement)
        const changed = changedMeetingFields(row, { ...values, people: values.participants })
        if (changed.length > 0) {
          const event = { type: 'meeting.updated' as const, meetingId: row.id, more: { changed }, now }
          await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
        }
        if (isMoved) await deleteOccurrenceResponses(tx, row.id)
        await replaceCancellations(tx, row.id, { carried, droppedDates, after: after.series, now })
        await replaceChanges(tx, row.id, changes)
        // A change of the topic alone must not drop a reminder that is due now.
        if (isMoved || values.reminderMinutes !== row.reminderMinutes) {
          await setReminder(tx, row.id, reminderOf(values, exceptions, config, now))
        }
        // Participants who are no longer invited, or whose role has changed, may be inside.
        const { isRestrictedMeeting, colleagueOnly, loggedInOnly } = values.options
        const othersHost = kept.size !== cohosts.length || cohosts.some((person) => !kept.has(person.addressKey))
        if (isRestrictedMeeting || colleagueOnly || loggedInOnly || othersHost) {
          await queueReconcileRoom(tx, row.id, { changed: true })
        }
        const change = { before: before.series, after: after.series, isContentChanged }
        const notified = { ...change, meeting: row, invited: values.participants, isRefusable: true }
        const mailed = notifies ? await notifyGuests(tx, { config }, actor, notified, now) : new Set()
        // Also those whom a change that notifies does not mail, because the meeting is over.
        const former = new Set(row.people.map(({ addressKey }) => addressKey))
        const added = values.participants.filter(({ addressKey }) => !former.has(addressKey) && !mailed.has(addressKey))
        await countQuietInvitations(tx, { config }, actor, added.length, now)
        const updated = await findMeeting(tx, row.id, viewer)
        return updated && { changed: updated, rights, dates }
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

/** Other dates than that of the changed occurrence stay as they are. */
const noChangedDates = { restored: [], removed: [] }
