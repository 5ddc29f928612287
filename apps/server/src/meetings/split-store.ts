import { meetingTextNames } from '@parley/contract/meeting-fields'
import { type CarriedCancellations, type CarriedChanges, stillDropped } from '@parley/rules/recurrence/carried-dates'
import type { RecurrenceRule, Series } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Actor } from '../access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import { textColumns } from './meeting-row.ts'

/** The meetings of a split, and who splits the series when. */
export type Split = { seriesId: string; continuationId: string; actor: Actor; now: Date }

const continueStatement = defineStatement({
  name: 'continue-meeting',
  parameters: { seriesId: 'uuid', continuationId: 'uuid', occurrence: 'timestamptz', actorId: 'uuid' },
  text: (p) => sql`update meeting as continuation set continues = ${p.seriesId}, continued_from = ${p.occurrence},
    modified_by = ${p.actorId}, app_id = series.app_id, colour_seed = coalesce(series.colour_seed, series.id)
  from meeting series where continuation.id = ${p.continuationId} and series.id = ${p.seriesId}`,
})

/**
 * Link a new meeting to the series that it continues. The meeting that continued the series so far now continues the
 * new meeting.
 */
export async function linkContinuation(
  tx: Tx,
  { seriesId, continuationId, actor }: Split,
  occurrence: Date,
): Promise<void> {
  await tx.updateTable('meeting').set({ continues: continuationId }).where('continues', '=', seriesId).execute()
  await continueStatement.execute(tx, { seriesId, continuationId, occurrence, actorId: actor.accountId })
}

const shortenStatement = defineStatement({
  name: 'shorten-series',
  parameters: {
    ...pick(tables.meeting, 'id', 'endsBy'),
    rule: typed<RecurrenceRule>('jsonb'),
    overAt: typed<Date | 'infinity'>('timestamptz'),
    actorId: 'uuid',
    now: 'timestamptz',
  },
  text: (p) => sql`update meeting set recurrence = ${p.rule}, ends_by = ${p.endsBy}, over_at = ${p.overAt},
    modified_by = ${p.actorId}, modified_at = ${p.now}, version = version + 1, sequence = sequence + 1,
    state_sequence = sequence + 1
  where id = ${p.id}`,
})

/** A series that is given an earlier end, by whom and when. */
export type Shortening = Omit<Split, 'continuationId'>

/** Give a series an earlier end. The answers of its guests stay. */
export const shortenSeries = (
  tx: Tx,
  { seriesId, actor, now }: Shortening,
  { rule, endsBy, overAt }: { rule: RecurrenceRule; endsBy: Date | null; overAt: Date | 'infinity' },
) => shortenStatement.execute(tx, { id: seriesId, rule, endsBy, overAt, actorId: actor.accountId, now })

const moveCancelledStatement = defineStatement({
  name: 'move-cancelled-dates',
  parameters: {
    seriesId: 'uuid',
    continuationId: 'uuid',
    from: 'timestamptz',
    formerStarts: 'timestamptz[]',
    starts: 'timestamptz[]',
    actorId: 'uuid',
    now: 'timestamptz',
  },
  text: (p) => sql`with moved as (
    delete from skipped_occurrence where meeting_id = ${p.seriesId} and starts_at >= ${p.from} returning *
  ) insert into skipped_occurrence (meeting_id, starts_at, skipped_by, skipped_at)
    select ${p.continuationId}, kept.starts_at, coalesce(moved.skipped_by, ${p.actorId}),
      coalesce(moved.skipped_at, ${p.now})
    from unnest(${p.formerStarts}, ${p.starts}) as kept (former_start, starts_at)
    left join moved on moved.starts_at = kept.former_start`,
})

const moveChangedStatement = defineStatement({
  name: 'move-changed-occurrences',
  parameters: {
    seriesId: 'uuid',
    continuationId: 'uuid',
    from: 'timestamptz',
    formerStarts: 'timestamptz[]',
    starts: 'timestamptz[]',
  },
  text: (p) => sql`with moved as (
    delete from changed_occurrence where meeting_id = ${p.seriesId} and original_start >= ${p.from} returning *
  ) insert into changed_occurrence (meeting_id, original_start, starts_at, ends_at, ${sql.join(meetingTextNames.map((name) => sql.raw(name)))}, changed_by,
      changed_at)
    select ${p.continuationId}, kept.original_start, moved.starts_at, moved.ends_at, ${textColumns(sql`moved`)},
      moved.changed_by, moved.changed_at
    from unnest(${p.formerStarts}, ${p.starts}) as kept (former_start, original_start)
    join moved on moved.original_start = kept.former_start`,
})

type MovedExceptions = { occurrence: Date; cancellations: CarriedCancellations; changes: CarriedChanges }

/** Move the cancelled and the changed occurrences of a series from one on, as far as the continuation keeps them. */
export async function moveExceptions(
  tx: Tx,
  { seriesId, continuationId, actor, now }: Split,
  { occurrence, cancellations, changes }: MovedExceptions,
): Promise<void> {
  const meetings = { seriesId, continuationId, from: occurrence }
  await moveCancelledStatement.execute(tx, {
    ...meetings,
    formerStarts: cancellations.kept.map(({ from }) => from),
    starts: cancellations.kept.map(({ to }) => to),
    actorId: actor.accountId,
    now,
  })
  await moveChangedStatement.execute(tx, {
    ...meetings,
    formerStarts: changes.kept.map(({ from }) => from),
    starts: changes.kept.map(({ change }) => change.originalStart),
  })
}

/**
 * Move the dates of dropped cancellations from the split on, and add those that the continuation drops, as far as it
 * has no occurrence on them. Return those that the series had.
 */
export async function moveDroppedDates(
  tx: Tx,
  { seriesId, continuationId, now }: Split,
  { fromDate, dropped, after }: { fromDate: string; dropped: readonly string[]; after: Series },
): Promise<string[]> {
  const moved = await tx
    .deleteFrom('droppedCancellation')
    .where('meetingId', '=', seriesId)
    .where('localDate', '>=', fromDate)
    .returning('localDate')
    .execute()
  const former = moved.map(({ localDate }) => localDate)
  const kept = stillDropped([...former, ...dropped], after)
  if (kept.length > 0) {
    await tx
      .insertInto('droppedCancellation')
      .values(kept.map((localDate) => ({ meetingId: continuationId, localDate, droppedAt: now })))
      .execute()
  }
  return former
}

const copyAnswersStatement = defineStatement({
  name: 'copy-responses',
  parameters: { seriesId: 'uuid', continuationId: 'uuid' },
  text: (p) => sql`with moved as (
    update participant as former set response_recorded_at = null from participant continued
    where former.meeting_id = ${p.seriesId} and continued.meeting_id = ${p.continuationId}
      and continued.email_key = former.email_key
  ) update participant as continued set response = former.response, response_comment = former.response_comment,
    responded_at = former.responded_at, response_recorded_at = former.response_recorded_at
  from participant former
  where continued.meeting_id = ${p.continuationId} and former.meeting_id = ${p.seriesId}
    and former.email_key = continued.email_key`,
})

/**
 * Give the guests of a continuation the answers that they gave to the series. When an answer was recorded moves along:
 * the host's digest lists it once, and of a series that the split leaves with past dates only it lists nothing.
 */
export const copyResponses = (tx: Tx, { seriesId, continuationId }: Split) =>
  copyAnswersStatement.execute(tx, { seriesId, continuationId })

const copyStopsStatement = defineStatement({
  name: 'copy-stopped-reminders',
  parameters: { seriesId: 'uuid', continuationId: 'uuid' },
  text: (p) => sql`insert into stopped_reminder (meeting_id, email_key, stopped_at)
  select ${p.continuationId}, email_key, stopped_at from stopped_reminder where meeting_id = ${p.seriesId}`,
})

/** A person who stopped the reminders of the series gets none of its continuation either. */
export const copyStoppedReminders = (tx: Tx, { seriesId, continuationId }: Split) =>
  copyStopsStatement.execute(tx, { seriesId, continuationId })

const copyColoursStatement = defineStatement({
  name: 'copy-meeting-colours',
  parameters: { seriesId: 'uuid', continuationId: 'uuid' },
  text: (p) => sql`insert into meeting_colour (account_id, meeting_id, colour)
  select account_id, ${p.continuationId}, colour from meeting_colour where meeting_id = ${p.seriesId}`,
})

/** Give a continuation the colours that people have chosen for the series. */
export const copyColours = (tx: Tx, { seriesId, continuationId }: Split) =>
  copyColoursStatement.execute(tx, { seriesId, continuationId })
