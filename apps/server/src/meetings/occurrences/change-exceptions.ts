import { type Exceptions, lastEnd } from '@parley/rules/recurrence/recurrence'
import type { Actor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import type { Tx } from '../../platform/database/database.ts'
import { moveReminder } from '../meeting-reminder.ts'
import { type MeetingRow, seriesOf } from '../meeting-row.ts'
import { setOverAt } from '../meeting-store.ts'
import { notifyGuests } from '../notify-guests.ts'
import { queueReconcileRoom } from '../reconcile-room-job.ts'

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
  { config }: Pick<Service, 'config'>,
  { actor, meeting, before, after, notifies, isRefusable, waitUntil }: ExceptionsChange,
  now: Date,
): Promise<void> {
  const series = seriesOf(meeting, after)
  const end = lastEnd(series)
  await setOverAt(tx, meeting.id, end instanceof Date ? end : 'infinity', actor, now)
  await moveReminder(tx, meeting, { before, after }, config, now)
  await queueReconcileRoom(tx, meeting.id, { changed: true })
  if (!notifies) return
  const change = { before: seriesOf(meeting, before), after: series, isContentChanged: true }
  const invited = meeting.people
  const notified = { ...change, meeting, invited, isRefusable, waitUntil }
  await notifyGuests(tx, { config }, actor, notified, now)
}
