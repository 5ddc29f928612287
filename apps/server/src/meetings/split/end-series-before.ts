import { lastEnd, type Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../../access/service.ts'
import type { Tx } from '../../tables/tables.ts'
import { moveReminder } from '../meeting-reminder.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { notifyGuests } from '../notify-guests.ts'
import { queueReconcileRoom } from '../reconcile-room-job.ts'
import { type Split, shortenSeries } from './split-store.ts'

type Shortened = { row: MeetingRow; series: Series; before: Series; notifies: boolean }

/**
 * End a series before the occurrence from which another meeting continues it. Its guests are mailed the new end, and their
 * answers stay: no date that they were asked about is moved.
 * @throws too_many_invitations
 */
export async function endSeriesBefore(
  tx: Tx,
  { config }: Pick<Service, 'config'>,
  split: Split,
  { row, series, before, notifies }: Shortened,
): Promise<void> {
  const { rule, endsBy, excluded, changed } = before
  const end = lastEnd(before)
  const shortened = { rule, endsBy, overAt: end instanceof Date ? end : ('infinity' as const) }
  await shortenSeries(tx, split, shortened)
  const exceptions = { excluded, changed }
  await moveReminder(tx, { ...row, ...shortened }, { before: exceptions, after: exceptions }, config, split.now)
  await queueReconcileRoom(tx, row.id, { changed: true })
  if (!notifies) return
  const change = { before: series, after: before, isContentChanged: true }
  const notified = { ...change, meeting: row, invited: row.people, senderId: split.actorId, isRefusable: true }
  await notifyGuests(tx, { config }, notified, split.now)
}
