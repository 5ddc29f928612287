import type { Cancellation } from '@parley/rules/meetings/cancellation'
import { heldSeries, planCancellation } from '@parley/rules/meetings/cancellation'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import { type Actor, serviceActorFor } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { findExceptions, insertSkipped } from './exception-store.ts'
import { setReminder } from './meeting-reminder.ts'
import { type MeetingRow, seriesOf } from './meeting-row.ts'
import { endMeeting, findAnyMeeting } from './meeting-store.ts'
import { notifyGuests } from './notify-guests.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'

type EndPlan = Extract<Cancellation, { kind: 'end' }>

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
  service: Pick<Service, 'config'>,
  { meeting, series, plan, actor, notifies, waitUntil }: SeriesEnd,
  now: Date,
): Promise<void> {
  if (plan.skip !== null) await insertSkipped(tx, meeting.id, plan.skip, actor, now)
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
  const rest = plan.skip === null ? series : { ...series, excluded: [...series.excluded, plan.skip] }
  const change = { before: series, after: heldSeries(rest, now) ?? null, isContentChanged: true }
  const notified = { ...change, meeting, invited: meeting.people, isRefusable: false, waitUntil }
  await notifyGuests(tx, service, actor, notified, now)
}

const lockStatement = defineStatement({
  name: 'lock-any-meeting',
  parameters: { id: tables.meeting.id },
  text: (p) => sql`select from meeting where id = ${p.id} for update`,
})

/** Cancel the rest of a meeting whose host's account is deleted, and email its guests. */
export async function cancelRest(tx: Tx, service: Pick<Service, 'config'>, meetingId: string, now: Date) {
  await lockStatement.execute(tx, { id: meetingId })
  const meeting = await findAnyMeeting(tx, meetingId)
  if (meeting === undefined) return
  const series = seriesOf(meeting, await findExceptions(tx, meetingId))
  const plan = planCancellation(series, meeting.cancelledAt, { extent: 'all', occurrence: undefined }, now)
  if (plan.kind !== 'end') return
  const actor = serviceActorFor(meeting.host)
  await endSeries(tx, service, { meeting, series, plan, actor, notifies: true }, now)
  await queueReconcileRoom(tx, meetingId, { changed: true })
}
