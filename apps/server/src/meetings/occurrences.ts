import {
  changeOccurrence,
  listOccurrences,
  type OccurrenceReply,
  type QueryOf,
  restoreOccurrence,
  undoOccurrenceChange,
} from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { changedOccurrenceFields } from '@parley/rules/meetings/changed-meeting-fields'
import {
  type ChangePlan,
  planOccurrenceChange,
  planRestoring,
  planUndoingChange,
  readOccurrenceChange,
} from '@parley/rules/meetings/occurrence-change'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { findSeriesDifferences, type OccurrenceUpdate } from '@parley/rules/meetings/occurrence-update'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import {
  type Exceptions,
  isMoved,
  lastEnd,
  nextOccurrence,
  type Occurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrences,
  type Series,
} from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import { combine, mapParsed, type Parsed } from '@parley/rules/text/parsed'
import { readTimestamp } from '@parley/rules/text/timestamp'
import type { Actor } from '../access/caller.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteCancelledDate, deleteChange, findExceptions, putChange } from './exception-store.ts'
import { dropMessages, notifyGuests, readGuestMessage, requireMessageQueued, withMessage } from './guest-mail-queue.ts'
import { readQueryRange } from './lists/query-range.ts'
import { type AccessedMeeting, changeMeeting, etagOf, openMeeting, requireVersion } from './meeting-access.ts'
import { moveReminder } from './meeting-reminder.ts'
import type { MeetingRow } from './meeting-row.ts'
import { recordChangedDates } from './meeting-store.ts'
import { countResponses, viewOccurrence } from './meeting-view.ts'
import {
  askAgain,
  findOwnResponses,
  findResponseChanges,
  listOccurrenceResponses,
} from './occurrence-response-store.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'

/** Register the endpoints of the occurrences of a series. */
export function registerOccurrences(dependencies: Dependencies): void {
  serveListOccurrences(dependencies)
  serveChangeOccurrence(dependencies)
  serveUndoOccurrenceChange(dependencies)
  serveRestoreOccurrence(dependencies)
}

const yearMs = 366 * 24 * 60 * 60 * 1000
const defaultLimit = 100

function serveListOccurrences(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(listOccurrences, {
    read: ({ query }) => readRange(query, clock.now()),
    handle: async ({ caller, params, query, input: { from, to }, database, request }) => {
      const access = { caller, request, endpoint: listOccurrences, meetingId: params.meetingId }
      const { row, rights, viewer } = await openMeeting(database, dependencies, access)

      const limit = query.limit ?? defaultLimit
      const whole = seriesOf(row, await findExceptions(database, row.id))
      const held = row.cancelledAt === null ? whole : heldSeries(whole, row.cancelledAt)
      const shown = []
      let moreAvailable = false
      // A cancelled single meeting has no occurrences, not even a cancelled one.
      for (const occurrence of inRange(query.status === 'all' && held ? whole : held, from, to)) {
        const status = statusOf(occurrence, row.cancelledAt)
        if (status === 'cancelled' && query.status !== 'all') continue
        if (shown.length === limit) {
          moreAvailable = true
          break
        }
        shown.push(viewOccurrence(occurrence, status, rights))
      }
      const seen = { addressKey: viewer.addressKey, seeHostFields: rights.has('seeHostFields') }
      return { occurrences: await withResponses(database, row, seen, shown), moreAvailable }
    },
  })
}

/** The default range is one year from now. */
function readRange(query: Partial<QueryOf<typeof listOccurrences>>, now: Date): Parsed<{ from: Date; to: Date }> {
  const thisSecond = new Date(Math.floor(now.getTime() / 1000) * 1000)
  const range = readQueryRange({ name: 'from', text: query.from, omitted: thisSecond }, { name: 'to', text: query.to })
  return mapParsed(range, ({ from = thisSecond, to = new Date(from.getTime() + yearMs) }) => ({ from, to }))
}

function* inRange(series: Series | undefined, from: Date, to: Date): Generator<Occurrence> {
  if (series === undefined) return
  for (const occurrence of occurrences(series, from)) {
    if (occurrence.startsAt >= to) return
    yield occurrence
  }
}

function serveChangeOccurrence(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(changeOccurrence, {
    read: ({ body }) => combine({ requested: readOccurrenceChange(body), message: readGuestMessage(body.message) }),
    handle: async ({ caller, params, query, input: { requested, message }, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: changeOccurrence, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
        const { row } = opened
        if (meetingTextNames.some((name) => requested[name] !== undefined)) opened.require('changeContent')
        const series = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const { exceptions, originalStart } = series
        const plan = planOccurrenceChange(seriesOf(row, exceptions), row, { originalStart, requested }, now)
        const notifies = query.sendUpdates !== 'none'
        const actor = withMessage(opened.actor, message, notifies)
        const after = await applyChange(tx, dependencies, { ...series, row, actor, plan, notifies }, now)
        await requireMessageQueued(tx, actor, row.id)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(opened, after, originalStart)
      })
    },
  })
}

function serveUndoOccurrenceChange(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(undoOccurrenceChange, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: undoOccurrenceChange, meetingId: params.meetingId }
      // The change also deletes the texts of this date.
      return changeMeeting(database, dependencies, access, 'changeContent', async (tx, opened) => {
        const { row, actor } = opened
        const series = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const { exceptions, originalStart } = series
        const plan = planUndoingChange(seriesOf(row, exceptions), originalStart, now)
        const notifies = query.sendUpdates !== 'none'
        const after = await applyChange(tx, dependencies, { ...series, row, actor, plan, notifies }, now)
        answer.header('etag', etagOf({ version: row.version + (after === exceptions ? 0 : 1) }))
        return viewOccurrenceOf(opened, after, originalStart)
      })
    },
  })
}

function serveRestoreOccurrence(dependencies: Dependencies) {
  const { serve, clock } = dependencies
  serve(restoreOccurrence, {
    handle: async ({ caller, params, query, database, request, answer }) => {
      const now = clock.now()
      const access = { caller, request, endpoint: restoreOccurrence, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'reschedule', async (tx, opened) => {
        const { row, actor } = opened
        const { exceptions, originalStart } = await findSeriesOf(tx, row, { params, ifMatch: request.ifMatch })
        const plan = planRestoring(seriesOf(row, exceptions), originalStart, now)
        switch (plan.kind) {
          case 'no-such-occurrence':
            throw problem('occurrence_not_found')
          case 'occurrence-over':
            throw problem('occurrence_over')
          case 'nothing-to-do':
            answer.header('etag', etagOf(row))
            return viewOccurrenceOf(opened, exceptions, originalStart)
          case 'restore': {
            const cancelledAt = await deleteCancelledDate(tx, row.id, originalStart)
            await dropMessages(tx, row.id, cancelledAt)
            const cancelled = exceptions.cancelled.filter((date) => date.getTime() !== originalStart.getTime())
            const after = { ...exceptions, cancelled }
            const notifies = query.sendUpdates !== 'none'
            const change = { actor, meeting: row, before: exceptions, after, notifies, isRefusable: true }
            await changeExceptions(tx, dependencies, change, now)
            const more = { originalStartTime: originalStart.toISOString() }
            const event = { type: 'meeting.occurrence.restored' as const, meetingId: row.id, more, now }
            await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
            answer.header('etag', etagOf({ version: row.version + 1 }))
            return viewOccurrenceOf(opened, after, originalStart)
          }
        }
      })
    },
  })
}

type SeriesOfOccurrence = { exceptions: Exceptions; originalStart: Date }

/**
 * Find the series of an occurrence, in the transaction that has locked the meeting.
 * @throws meeting_cancelled, stale_version, occurrence_not_found
 */
async function findSeriesOf(
  tx: Tx,
  row: MeetingRow,
  { params, ifMatch }: { params: { originalStart: string }; ifMatch: string | undefined },
): Promise<SeriesOfOccurrence> {
  if (row.cancelledAt !== null) throw problem('meeting_cancelled')
  requireVersion(ifMatch, row)
  const originalStart = readTimestamp(params.originalStart)
  if (originalStart === undefined) throw problem('occurrence_not_found')
  return { exceptions: await findExceptions(tx, row.id), originalStart }
}

/** The occurrence of a meeting that is not cancelled, as replies show it. */
function viewOccurrenceOf({ row, rights }: AccessedMeeting, exceptions: Exceptions, originalStart: Date) {
  const occurrence = occurrenceAt(seriesOf(row, exceptions), originalStart)
  if (occurrence === undefined) throw problem('occurrence_not_found')
  return viewOccurrence(occurrence, statusOf(occurrence, row.cancelledAt), rights)
}

type PlannedChange = {
  actor: Actor
  row: MeetingRow
  exceptions: Exceptions
  originalStart: Date
  plan: ChangePlan
  notifies: boolean
}

/**
 * Store what was planned for one occurrence, with its effects. Return the exceptions after it; the same ones when
 * there was nothing to do.
 * @throws occurrence_not_found, occurrence_cancelled, occurrence_over, too_many_changed, invalid_request
 */
async function applyChange(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  { actor, row, exceptions, originalStart, plan, notifies }: PlannedChange,
  now: Date,
): Promise<Exceptions> {
  switch (plan.kind) {
    case 'no-such-occurrence':
      throw problem('occurrence_not_found')
    case 'occurrence-cancelled':
      throw problem('occurrence_cancelled')
    case 'occurrence-over':
      throw problem('occurrence_over')
    case 'too-many':
      throw problem('too_many_changed')
    case 'invalid':
      throw invalidRequest([plan.violation])
    case 'nothing-to-do':
      return exceptions
    case 'change': {
      if (plan.change === null) await deleteChange(tx, row.id, originalStart)
      else await putChange(tx, row.id, plan.change, actor, now)
      const isOther = (change: OccurrenceChange) => change.originalStart.getTime() !== originalStart.getTime()
      const others = exceptions.changed.filter(isOther)
      const former = exceptions.changed.find((change) => !isOther(change)) ?? null
      const after = { ...exceptions, changed: plan.change === null ? others : [...others, plan.change] }
      await changeExceptions(
        tx,
        dependencies,
        { actor, meeting: row, before: exceptions, after, notifies, isRefusable: true },
        now,
      )
      const changed = changedOccurrenceFields(former, plan.change)
      const more = { originalStartTime: originalStart.toISOString(), changed }
      const event = { type: 'meeting.occurrence.updated' as const, meetingId: row.id, more, now }
      await recordMeetingEvent(tx, { ...event, actingGrantId: actor.grantId })
      if (isMoved(seriesOf(row, exceptions), seriesOf(row, after), originalStart)) {
        await askAgain(tx, { meetingId: row.id, originalStart, sequence: row.sequence + 1 }, now)
      }
      return after
    }
  }
}

type OneOccurrence = {
  actor: Actor
  row: MeetingRow
  /** The original start; undefined: the next occurrence. */
  occurrence: Date | undefined
  update: OccurrenceUpdate
  notifies: boolean
}

/**
 * Apply an update of a whole meeting to one occurrence of it, as `changeOccurrence` does.
 * @throws invalid_request, meeting_over, and the problems of `applyChange`
 */
export async function updateOneOccurrence(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  { actor, row, occurrence, update, notifies }: OneOccurrence,
  now: Date,
): Promise<void> {
  const exceptions = await findExceptions(tx, row.id)
  const series = seriesOf(row, exceptions)
  const originalStart = occurrence ?? nextOccurrence(series, now)?.originalStart
  if (originalStart === undefined) throw problem('meeting_over')
  const plan = planOccurrenceChange(series, row, { originalStart, requested: update.change }, now)
  const differences = findSeriesDifferences(update.ofSeries, row, addressKey(row.host.email))
  if (differences.length > 0) {
    throw invalidRequest(plan.kind === 'invalid' ? [plan.violation, ...differences] : differences)
  }
  await applyChange(tx, dependencies, { actor, row, exceptions, originalStart, plan, notifies }, now)
}

type ExceptionsChange = {
  actor: Actor
  meeting: MeetingRow
  before: Exceptions
  after: Exceptions
  notifies: boolean
  /** Whether the change is refused if the account that pays has no emails left today. */
  isRefusable: boolean
  /** The time until which the change can be undone: emails about it wait that long. */
  waitUntil?: Date | undefined
}

/**
 * Update everything that depends on the dates of a series whose exceptions were changed: its end, its version, the next
 * reminder, the people in its room, and the calendars of its guests.
 */
export async function changeExceptions(
  tx: Tx,
  { config }: Pick<Dependencies, 'config'>,
  { actor, meeting, before, after, notifies, isRefusable, waitUntil }: ExceptionsChange,
  now: Date,
): Promise<void> {
  const series = seriesOf(meeting, after)
  const end = lastEnd(series)
  await recordChangedDates(tx, meeting.id, end instanceof Date ? end : 'infinity', actor, now)
  await moveReminder(tx, meeting, { before, after }, config, now)
  await queueReconcileRoom(tx, meeting.id, { changed: true })
  if (!notifies) return
  const change = { before: seriesOf(meeting, before), after: series, isContentChanged: true }
  const invited = meeting.people
  const notified = { ...change, meeting, invited, isRefusable, waitUntil }
  await notifyGuests(tx, { config }, actor, notified, now)
}

/**
 * Add the responses to occurrences: to a guest their own, to who sees the host's fields the counts, and who answered
 * about the occurrence apart from the series.
 */
export async function withResponses<Shown extends OccurrenceReply>(
  database: Database,
  row: MeetingRow,
  { addressKey, seeHostFields }: { addressKey: string | null; seeHostFields: boolean },
  shown: readonly Shown[],
): Promise<Shown[]> {
  const guest = row.people.find((person) => person.addressKey === addressKey)
  // A single meeting is answered as a whole.
  if (row.rule.repeat === 'none' || shown.length === 0 || (guest === undefined && !seeHostFields)) return [...shown]
  const starts = shown.map(({ originalStartTime }) => new Date(originalStartTime))
  const own = guest === undefined ? [] : await findOwnResponses(database, row.id, guest.addressKey)
  const ownByStart = new Map(own.map(({ originalStart, response }) => [originalStart.getTime(), response]))
  const changes = seeHostFields ? await findResponseChanges(database, row.id, starts) : []
  const changesByStart = Map.groupBy(changes, ({ originalStart }) => originalStart.getTime())
  const listed = seeHostFields ? await listOccurrenceResponses(database, row.id, starts) : []
  const listedByStart = Map.groupBy(listed, ({ originalStart }) => originalStart.getTime())
  const ofSeries = countResponses(row.people)
  return shown.map((occurrence) => {
    const startMs = Date.parse(occurrence.originalStartTime)
    const response = ownByStart.has(startMs) ? ownByStart.get(startMs) : guest?.response
    const counts = { ...ofSeries }
    for (const { response: counted, change } of changesByStart.get(startMs) ?? []) counts[counted ?? 'none'] += change
    const responses = listedByStart.get(startMs) ?? []
    return {
      ...occurrence,
      ...(response && { response }),
      ...(seeHostFields && {
        responseCounts: counts,
        responses: responses.map(({ email, response: given, comment }) => ({
          email,
          response: given,
          ...(comment !== null && { comment }),
        })),
      }),
    }
  })
}
