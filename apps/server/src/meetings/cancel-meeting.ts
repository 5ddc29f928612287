import { cancelMeeting, restoreMeeting, undoCancellation } from '@parley/contract'
import {
  type CancellationPlan,
  heldSeries,
  passedWhileCancelled,
  planCancellation,
} from '@parley/rules/meetings/cancellation'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { planUndoing, undoableUntil } from '@parley/rules/meetings/undo'
import { carryCancellations, carryChanges } from '@parley/rules/recurrence/carried-dates'
import { lastEnd, nextOccurrence, noExceptions, type Series } from '@parley/rules/recurrence/recurrence'
import { combine, readOptional } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import type { Actor } from '../access/caller.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import {
  findDroppedDates,
  findExceptions,
  insertCancelledDates,
  replaceCancellations,
  replaceChanges,
} from './exception-store.ts'
import { dropMessages, notifyGuests, readGuestMessage, requireMessageQueued, withMessage } from './guest-mail-queue.ts'
import { changeMeeting, dropCancellationEmail, etagOf, requireVersion } from './meeting-access.ts'
import { reminderOf, setReminder } from './meeting-reminder.ts'
import type { MeetingRow } from './meeting-row.ts'
import { decryptSecrets } from './meeting-secrets.ts'
import { endMeeting, findMeeting, hasHost, restoreCancelled } from './meeting-store.ts'
import { viewMeeting } from './meeting-view.ts'
import { deleteOccurrenceResponses } from './occurrence-response-store.ts'
import { changeExceptions } from './occurrences.ts'
import { queueEndCall, queueReconcileRoom } from './reconcile-room-job.ts'
import { endSeriesBefore } from './split-meeting.ts'
import { findUndoable, insertUndoable, restoreFormerState } from './undo-store.ts'

/** Register the endpoints that cancel a meeting, a date of it, or its rest, and that undo or restore this. */
export function registerCancelMeeting(dependencies: Dependencies): void {
  serveCancelMeeting(dependencies)
  serveUndoCancellation(dependencies)
  serveRestoreMeeting(dependencies)
}

/** Ten years of a daily series. All of them are read with the meeting. */
const maxCancelledDates = 3660

function serveCancelMeeting(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(cancelMeeting, {
    read: ({ body }) =>
      combine({
        occurrence: readOptional(body.occurrence, (text) => readTimestampField('/occurrence', text)),
        message: readGuestMessage(body.message),
      }),
    handle: async ({ caller, params, query, body, input, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: cancelMeeting, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'cancel', async (tx, { row, actor: caused }) => {
        requireVersion(request.ifMatch, row)
        const { occurrence, message } = input

        const exceptions = await findExceptions(tx, row.id)
        const series = seriesOf(row, exceptions)
        const plan = planCancellation(series, row.cancelledAt, { extent: body.cancel, occurrence }, now)
        const notifies = query.sendUpdates !== 'none'
        const actor = withMessage(caused, message, notifies)
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
          case 'cancel-date': {
            if (exceptions.cancelled.length >= maxCancelledDates) throw problem('too_many_skipped')
            const after = { ...exceptions, cancelled: [...exceptions.cancelled, plan.occurrence] }
            await insertCancelledDates(tx, row.id, [plan.occurrence], actor, now)
            const change = { actor, meeting: row, before: exceptions, after, notifies, isRefusable: false, waitUntil }
            await changeExceptions(tx, dependencies, change, now)
            const more = { originalStartTime: plan.occurrence.toISOString() }
            const event = { type: 'meeting.occurrence.cancelled' as const, meetingId: row.id, more, now }
            await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
            break
          }
          case 'shorten': {
            const { occurrence: first, before } = plan
            const cancelled = { row, series, occurrence: first, before, actor, notifies, waitUntil }
            await keepUndoable()
            await cancelFollowing(tx, dependencies, cancelled, now)
            break
          }
          case 'end': {
            await keepUndoable()
            await endSeries(tx, dependencies, { meeting: row, series, plan, actor, notifies, waitUntil }, now)
            await queueReconcileRoom(tx, row.id, { changed: true })
            break
          }
        }
        if (plan.kind !== 'nothing-left-to-do') await requireMessageQueued(tx, actor, row.id)
        // End the call also of a date that was cancelled before: the call may still be in progress.
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

type EndPlan = Extract<CancellationPlan, { kind: 'end' }>

type SeriesEnd = {
  meeting: MeetingRow
  series: Series
  plan: EndPlan
  actor: Actor
  notifies: boolean
  /** The time until which the person can undo it: emails about it wait that long. */
  waitUntil?: Date | undefined
}

/** Cancel a meeting from now on, in the caller's transaction, which has locked the meeting. */
export async function endSeries(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  { meeting, series, plan, actor, notifies, waitUntil }: SeriesEnd,
  now: Date,
): Promise<void> {
  if (plan.cancelledDate !== null) await insertCancelledDates(tx, meeting.id, [plan.cancelledDate], actor, now)
  await endMeeting(tx, meeting.id, plan.overAt, actor, now)
  const event = {
    type: 'meeting.cancelled' as const,
    meetingId: meeting.id,
    more: {},
    actingGrantId: actor.grantId,
    now,
  }
  await recordMeetingEvent(tx, event)
  await setReminder(tx, meeting.id, undefined)
  if (!notifies) return
  const rest =
    plan.cancelledDate === null ? series : { ...series, cancelled: [...series.cancelled, plan.cancelledDate] }
  const change = { before: series, after: heldSeries(rest, now) ?? null, isContentChanged: true }
  const notified = { ...change, meeting, invited: meeting.people, isRefusable: false, waitUntil }
  await notifyGuests(tx, dependencies, actor, notified, now)
}

type CancelledFollowing = {
  row: MeetingRow
  series: Series
  /** The original start of the first occurrence that is cancelled. */
  occurrence: Date
  /** What the series keeps. */
  before: Series
  actor: Actor
  notifies: boolean
  waitUntil: Date | undefined
}

/** Cancel an occurrence of a series and all that follow, in the caller's transaction, which has locked the meeting. */
async function cancelFollowing(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  { row, series, occurrence, before, actor, notifies, waitUntil }: CancelledFollowing,
  now: Date,
): Promise<void> {
  const after = { ...before, ...noExceptions }
  const carried = carryCancellations(series, after)
  await replaceCancellations(tx, row.id, { carried, droppedDates: await findDroppedDates(tx, row.id), after, now })
  await replaceChanges(tx, row.id, carryChanges(series, after))
  await deleteOccurrenceResponses(tx, row.id, { from: occurrence })
  const shortening = { seriesId: row.id, actor, now }
  await endSeriesBefore(tx, dependencies, shortening, { row, series, before, notifies, isRefusable: false, waitUntil })
}

function serveUndoCancellation(dependencies: Dependencies) {
  const { serve, clock, config, encryption } = dependencies
  serve(undoCancellation, {
    handle: async ({ caller, params, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: undoCancellation, meetingId: params.meetingId }
      const { row, rights } = await changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
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
        await restoreFormerState(tx, cancelled.id, actor, now)
        const row = await findMeeting(tx, cancelled.id, viewer)
        if (row === undefined) throw problem('meeting_not_found')
        const exceptions = await findExceptions(tx, row.id)
        // The version shows that the cancellation is the last change.
        const cancellation = { meetingId: row.id, at: cancelled.modifiedAt, actor }
        await takeBackCancellation(
          tx,
          { ...cancellation, changed: cancelledAt === null ? 'repeatOptions' : 'status' },
          now,
        )
        // Also after a cancellation without an email: then no calendar differs, and no email is sent.
        const change = { before, after: seriesOf(row, exceptions), isContentChanged: true }
        const notified = { ...change, meeting: cancelled, invited: row.people, isRefusable: false }
        await notifyGuests(tx, dependencies, actor, notified, now)
        return { ...opened, row }
      })
      answer.header('etag', etagOf(row))
      const { pin } = decryptSecrets(encryption, row)
      return viewMeeting(row, pin, { caller, config, rights })
    },
  })
}

type TakenBack = {
  meetingId: string
  /** The time of the cancellation. */
  at: Date
  actor: Actor
  changed: 'status' | 'repeatOptions'
}

/** Publish that a cancellation is taken back, and drop what was to be mailed about it. */
async function takeBackCancellation(tx: Tx, { meetingId, at, actor, changed }: TakenBack, now: Date): Promise<void> {
  await queueReconcileRoom(tx, meetingId, { changed: true })
  const event = { type: 'meeting.updated' as const, meetingId, more: { changed: [changed] }, now }
  await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
  await dropCancellationEmail(tx, meetingId)
  await dropMessages(tx, meetingId, at)
}

/**
 * Restore a cancelled meeting, at any time while a date is running or lies ahead. Nothing of a cancelled meeting was deleted: its place
 * in the quota of its host, its answers and its secrets are kept.
 */
function serveRestoreMeeting(dependencies: Dependencies) {
  const { serve, clock, config, encryption } = dependencies
  serve(restoreMeeting, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: restoreMeeting, meetingId: params.meetingId }
      const { row, rights } = await changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
        const { row: cancelled, actor, viewer } = opened
        opened.require('cancel')
        requireVersion(request.ifMatch, cancelled)
        const { cancelledAt } = cancelled
        if (cancelledAt === null) return opened

        if (!(await hasHost(tx, cancelled.host.id))) throw problem('forbidden', { detail: 'Its host has left.' })
        const former = await findExceptions(tx, cancelled.id)
        const held = heldSeries(seriesOf(cancelled, former), cancelledAt) ?? null
        const passed = passedWhileCancelled(seriesOf(cancelled, former), cancelledAt, now)
        const exceptions = { ...former, cancelled: [...former.cancelled, ...passed] }
        const series = seriesOf(cancelled, exceptions)
        if (nextOccurrence(series, now) === undefined) throw problem('meeting_over')
        if (exceptions.cancelled.length > maxCancelledDates) throw problem('too_many_skipped')
        await insertCancelledDates(tx, cancelled.id, passed, actor, now)
        const end = lastEnd(series)
        await restoreCancelled(tx, cancelled.id, end instanceof Date ? end : 'infinity', actor, now)
        await setReminder(tx, cancelled.id, reminderOf(cancelled, exceptions, config, now))
        await takeBackCancellation(tx, { meetingId: cancelled.id, at: cancelledAt, actor, changed: 'status' }, now)
        if (query.sendUpdates !== 'none') {
          const change = { before: held, after: series, isContentChanged: true }
          const notified = { ...change, meeting: cancelled, invited: cancelled.people, isRefusable: true }
          await notifyGuests(tx, dependencies, actor, notified, now)
        }
        const row = await findMeeting(tx, cancelled.id, viewer)
        if (row === undefined) throw problem('meeting_not_found')
        return { ...opened, row }
      })
      answer.header('etag', etagOf(row))
      const { pin } = decryptSecrets(encryption, row)
      return viewMeeting(row, pin, { caller, config, rights })
    },
  })
}
