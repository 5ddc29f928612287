import { type CarriedChanges, type CarriedExclusions, stillDropped } from '@parley/rules/recurrence/exclusions'
import type { Series } from '@parley/rules/recurrence/recurrence'
import type { Database, Tx } from '../platform/database/database.ts'

/** The local dates of cancellations that earlier changes of the series have dropped. */
export async function findDroppedDates(database: Database, meetingId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('droppedCancellation')
    .select('localDate')
    .where('meetingId', '=', meetingId)
    .execute()
  return rows.map(({ localDate }) => localDate)
}

/** Store the exclusions of a changed series, and the dates of those that the change has dropped. */
export async function replaceExclusions(
  tx: Tx,
  meetingId: string,
  {
    carried,
    droppedDates,
    after,
    now,
  }: { carried: CarriedExclusions; droppedDates: readonly string[]; after: Series; now: Date },
): Promise<void> {
  const moved = carried.kept.filter(({ from, to }) => from.getTime() !== to.getTime())
  const gone = [...moved, ...carried.dropped].map(({ from }) => from)
  if (gone.length > 0) {
    const deleted = await tx
      .deleteFrom('skippedOccurrence')
      .where('meetingId', '=', meetingId)
      .where('startsAt', 'in', gone)
      .returningAll()
      .execute()
    const startsIn = new Map(moved.map(({ from, to }) => [from.getTime(), to]))
    const rows = deleted.flatMap((row) => {
      const startsAt = startsIn.get(row.startsAt.getTime())
      return startsAt === undefined ? [] : [{ ...row, startsAt }]
    })
    if (rows.length > 0) await tx.insertInto('skippedOccurrence').values(rows).execute()
  }
  await replaceDropped(tx, meetingId, { carried, droppedDates, after, now })
}

/** Store the changes of occurrences that a changed series keeps. */
export async function replaceChanges(tx: Tx, meetingId: string, { kept, dropped }: CarriedChanges): Promise<void> {
  const moved = kept.filter(({ from, change }) => from.getTime() !== change.originalStart.getTime())
  const gone = [...moved.map(({ from }) => from), ...dropped]
  if (gone.length === 0) return
  const deleted = await tx
    .deleteFrom('changedOccurrence')
    .where('meetingId', '=', meetingId)
    .where('originalStart', 'in', gone)
    .returningAll()
    .execute()
  const startOf = new Map(moved.map(({ from, change }) => [from.getTime(), change.originalStart]))
  const rows = deleted.flatMap((row) => {
    const originalStart = startOf.get(row.originalStart.getTime())
    return originalStart === undefined ? [] : [{ ...row, originalStart }]
  })
  if (rows.length > 0) await tx.insertInto('changedOccurrence').values(rows).execute()
}

async function replaceDropped(
  tx: Tx,
  meetingId: string,
  {
    carried,
    droppedDates,
    after,
    now,
  }: { carried: CarriedExclusions; droppedDates: readonly string[]; after: Series; now: Date },
): Promise<void> {
  const dropped = stillDropped([...droppedDates, ...carried.dropped.map(({ localDate }) => localDate)], after)
  const removed = droppedDates.filter((date) => !dropped.includes(date))
  if (removed.length > 0) {
    await tx
      .deleteFrom('droppedCancellation')
      .where('meetingId', '=', meetingId)
      .where('localDate', 'in', removed)
      .execute()
  }
  const added = dropped.filter((date) => !droppedDates.includes(date))
  if (added.length > 0) {
    await tx
      .insertInto('droppedCancellation')
      .values(added.map((localDate) => ({ meetingId, localDate, droppedAt: now })))
      .execute()
  }
}
