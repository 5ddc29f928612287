import { type BodyOf, splitMeeting } from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { planSplit, readSplit } from '@parley/rules/meetings/split-plan'
import { type MeetingValues, toMeetingValues } from '@parley/rules/meetings/update-plan'
import { compareDates } from '@parley/rules/recurrence/carried-dates'
import { type Exceptions, lastEnd, type Series } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import { combine } from '@parley/rules/text/parsed'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import { insertMeeting } from './create-meeting.ts'
import type { Dependencies } from './dependencies.ts'
import { findExceptions } from './exception-store.ts'
import { notifyGuests, readGuestMessage, requireMessageQueued, withMessage } from './guest-mail-queue.ts'
import { type AccessedMeeting, changeMeeting, etagOf, requireVersion } from './meeting-access.ts'
import { moveReminder } from './meeting-reminder.ts'
import type { MeetingRow } from './meeting-row.ts'
import { decryptSecrets, encryptSecrets, newMeetingSecrets } from './meeting-secrets.ts'
import { findMeeting } from './meeting-store.ts'
import { viewChangedDate, viewLinks, viewMeeting } from './meeting-view.ts'
import { splitOccurrenceResponses } from './occurrence-response-store.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { completeOptions } from './requested-meeting.ts'
import {
  copyColours,
  copyResponses,
  copyStoppedReminders,
  linkContinuation,
  moveDroppedDates,
  moveExceptions,
  type Shortening,
  type Split,
  shortenSeries,
} from './split-store.ts'

/** Require the right for each field that is sent: an absent field stays as it is. @throws forbidden */
function requireSentRights({ require }: AccessedMeeting, body: Partial<BodyOf<typeof splitMeeting>>): void {
  const { advancedOptions, participants, cohosts } = body
  const changesText = meetingTextNames.some((name) => body[name] !== undefined)
  if (changesText || advancedOptions !== undefined) require('changeContent')
  if (participants !== undefined) require('changePeople')
  if (cohosts !== undefined) require('nameCohosts')
}

export function registerSplitMeeting(dependencies: Dependencies) {
  const { serve, clock, random, encryption, config } = dependencies
  serve(splitMeeting, {
    read: ({ body }) =>
      combine({ requested: readSplit(body, config.timeZoneAliases), message: readGuestMessage(body.message) }),
    handle: async ({ caller, params, query, body, input: { requested, message }, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: splitMeeting, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
        const { row, rights, viewer } = opened
        requireSentRights(opened, body)
        if (row.cancelledAt !== null) throw problem('meeting_cancelled')
        requireVersion(request.ifMatch, row)

        const exceptions = await findExceptions(tx, row.id)
        const series = seriesOf(row, exceptions)
        const stored = { ...row, hostAddressKey: addressKey(row.host.email) }
        const plan = planSplit(series, stored, requested, now)
        if (plan.kind === 'invalid') throw invalidRequest(plan.violations)
        const { before, rest, continuation, cancellations, changes } = plan
        const kept = new Set(
          continuation.participants.filter((person) => person.cohost).map((person) => person.addressKey),
        )
        if (row.people.some((person) => person.cohost && !kept.has(person.addressKey))) {
          opened.require('removeCohost', 'Only the host removes a cohost.')
        }

        const notifies = query.sendUpdates !== 'none'
        const actor = withMessage(opened.actor, message, notifies)
        const split = { seriesId: row.id, continuationId: random.uuid(now), actor, now }
        await endSeriesBefore(tx, dependencies, split, { row, series, before, notifies, isRefusable: true })
        const carried = {
          cancelled: cancellations.kept.map(({ to }) => to),
          changed: changes.kept.map(({ change }) => change),
        }
        const options = completeOptions(body.advancedOptions ?? {}, row.options)
        const values = toMeetingValues({ schedule: continuation, options }, carried)
        await continueSeries(tx, dependencies, split, { series: row, values, exceptions: carried, notifies })
        await linkContinuation(tx, split, requested.occurrence)
        await moveExceptions(tx, split, { occurrence: requested.occurrence, cancellations, changes })
        const after = seriesOf(values, carried)
        const droppedDates = await moveDroppedDates(tx, split, {
          fromDate: plan.fromDate,
          dropped: cancellations.dropped.map(({ localDate }) => localDate),
          after,
        })
        if (plan.isUnmoved) await copyResponses(tx, split)
        const from = requested.occurrence
        await splitOccurrenceResponses(tx, { ...split, from, isUnmoved: plan.isUnmoved })
        await copyStoppedReminders(tx, split)
        await copyColours(tx, split)

        await requireMessageQueued(tx, actor, row.id, split.continuationId)
        const made = await findMeeting(tx, split.continuationId, viewer)
        if (made === undefined) throw problem('meeting_not_found')
        const dates = compareDates(rest, after, droppedDates, now)
        answer.header('etag', etagOf(made))
        const { pin } = decryptSecrets(encryption, made)
        return {
          ...viewMeeting(made, pin, { caller, config, rights }),
          ...viewLinks(made),
          restoredOccurrences: dates.restored.map(viewChangedDate),
          removedOccurrences: dates.removed.map(viewChangedDate),
        }
      })
    },
  })
}

type Continuation = {
  series: MeetingRow
  values: MeetingValues
  exceptions: Exceptions
  notifies: boolean
}

/**
 * Insert the meeting that continues a series, with a code, PIN and links of its own, and invite its guests. The host is
 * that of the series, also where a cohost or an administrator splits it.
 * @throws too_many_invitations
 */
async function continueSeries(
  tx: Tx,
  { config, random, encryption }: Pick<Dependencies, 'config' | 'random' | 'encryption'>,
  { continuationId, actor, now }: Split,
  { series, values, exceptions, notifies }: Continuation,
): Promise<void> {
  const meeting = {
    ...values,
    id: continuationId,
    appId: null,
    sealedSecrets: encryptSecrets(encryption, continuationId, newMeetingSecrets(random)),
    replyAddress: config.replyAddress ?? null,
    createdAt: now,
    continues: series.id,
    series,
  }
  await insertMeeting(tx, { config, random }, actor, meeting, { namesEveryAddress: false, exceptions, notifies })
}

type Shortened = {
  row: MeetingRow
  series: Series
  before: Series
  notifies: boolean
  /** Whether it is refused if the account that pays has no emails left today. */
  isRefusable: boolean
  /** The time until which the person can undo it: emails about it wait that long. */
  waitUntil?: Date | undefined
}

/**
 * End a series before one of its occurrences, with which another meeting continues it or which is cancelled. Its guests
 * are mailed the new end, and their answers stay: no date that they were asked about is moved.
 * @throws too_many_invitations
 */
export async function endSeriesBefore(
  tx: Tx,
  { config }: Pick<Dependencies, 'config'>,
  shortening: Shortening,
  { row, series, before, notifies, isRefusable, waitUntil }: Shortened,
): Promise<void> {
  const { rule, endsBy, cancelled, changed } = before
  const end = lastEnd(before)
  const shortened = { rule, endsBy, overAt: end instanceof Date ? end : ('infinity' as const) }
  const { actor, now } = shortening
  await shortenSeries(tx, shortening, shortened)
  const more = { changed: ['repeatOptions' as const] }
  const event = { type: 'meeting.updated' as const, meetingId: row.id, more, actingGrantId: actor.grantId, now }
  await recordMeetingEvent(tx, event)
  const exceptions = { cancelled, changed }
  await moveReminder(tx, { ...row, ...shortened }, { before: exceptions, after: exceptions }, config, now)
  await queueReconcileRoom(tx, row.id, { changed: true })
  if (!notifies) return
  const change = { before: series, after: before, isContentChanged: true }
  const notified = { ...change, meeting: row, invited: row.people, isRefusable, waitUntil }
  await notifyGuests(tx, { config }, actor, notified, now)
}
