import { changedOccurrenceFields } from '@parley/rules/meetings/changed-meeting-fields'
import type { ChangePlan } from '@parley/rules/meetings/occurrence-change'
import { type Exceptions, isMoved, type OccurrenceChange } from '@parley/rules/recurrence/recurrence'
import type { Actor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import type { Tx } from '../../platform/database/database.ts'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import { deleteChange, putChange } from '../exception-store.ts'
import { type MeetingRow, seriesOf } from '../meeting-row.ts'
import { askAgain } from '../responses/occurrence-response-store.ts'
import { changeExceptions } from './change-exceptions.ts'

type PlannedChange = {
  actor: Actor
  row: MeetingRow
  exceptions: Exceptions
  originalStart: Date
  plan: ChangePlan
  notifies: boolean
}

/**
 * Store what was planned for one occurrence, with its effects. Returns the exceptions after it; the same ones when
 * there was nothing to do.
 * @throws occurrence_not_found, occurrence_cancelled, occurrence_over, too_many_changed, invalid_request
 */
export async function applyChange(
  tx: Tx,
  service: Pick<Service, 'config'>,
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
        service,
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
