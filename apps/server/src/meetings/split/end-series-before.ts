import { lastEnd, type Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../../access/service.ts'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import type { Tx } from '../../platform/database/database.ts'
import { moveReminder } from '../meeting-reminder.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { notifyGuests } from '../notify-guests.ts'
import { queueReconcileRoom } from '../reconcile-room-job.ts'
import { type Shortening, shortenSeries } from './split-store.ts'

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
  { config }: Pick<Service, 'config'>,
  shortening: Shortening,
  { row, series, before, notifies, isRefusable, waitUntil }: Shortened,
): Promise<void> {
  const { rule, endsBy, excluded, changed } = before
  const end = lastEnd(before)
  const shortened = { rule, endsBy, overAt: end instanceof Date ? end : ('infinity' as const) }
  const { actor, now } = shortening
  await shortenSeries(tx, shortening, shortened)
  const more = { changed: ['repeatOptions' as const] }
  const event = { type: 'meeting.updated' as const, meetingId: row.id, more, actingGrantId: actor.grantId, now }
  await recordMeetingEvent(tx, event)
  const exceptions = { excluded, changed }
  await moveReminder(tx, { ...row, ...shortened }, { before: exceptions, after: exceptions }, config, now)
  await queueReconcileRoom(tx, row.id, { changed: true })
  if (!notifies) return
  const change = { before: series, after: before, isContentChanged: true }
  const notified = { ...change, meeting: row, invited: row.people, isRefusable, waitUntil }
  await notifyGuests(tx, { config }, actor, notified, now)
}
