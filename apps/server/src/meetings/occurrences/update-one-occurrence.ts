import { planOccurrenceChange } from '@parley/rules/meetings/occurrence-change'
import { findSeriesDifferences, type OccurrenceUpdate } from '@parley/rules/meetings/occurrence-update'
import { nextOccurrence } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import type { Actor } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import type { Tx } from '../../platform/database/database.ts'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import { findExceptions } from '../exception-store.ts'
import { type MeetingRow, seriesOf } from '../meeting-row.ts'
import { applyChange } from './apply-change.ts'

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
  service: Pick<Service, 'config'>,
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
  await applyChange(tx, service, { actor, row, exceptions, originalStart, plan, notifies }, now)
}
