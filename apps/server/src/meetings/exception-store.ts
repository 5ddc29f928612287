import type { Exceptions, OccurrenceChange } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import { typed } from '../platform/database/column-types.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import type { Database, Tx } from '../tables/tables.ts'

/** The cancelled and the changed occurrences of a series, as JSON holds them. */
export type WrittenExceptions = { excluded: readonly string[]; changed: readonly WrittenChange[] }

type WrittenChange = {
  originalStart: string
  startsAt: string | null
  endsAt: string | null
  topic: string | null
  description: string | null
}

const exceptionsText = (meetingId: Fragment, description: Fragment) => sql`json_build_object(
  'excluded', (select coalesce(json_agg(s.starts_at order by s.starts_at), '[]') from skipped_occurrence s
    where s.meeting_id = ${meetingId}),
  'changed', (select coalesce(json_agg(json_build_object('originalStart', o.original_start, 'startsAt', o.starts_at,
    'endsAt', o.ends_at, 'topic', o.topic, 'description', ${description}) order by o.original_start), '[]')
    from changed_occurrence o where o.meeting_id = ${meetingId}))`

/** A column of `WrittenExceptions`. */
export const exceptionsJson = (meetingId: Fragment) => exceptionsText(meetingId, sql`o.description`)

/** `exceptionsJson` without the descriptions, for many series at once. */
export const briefExceptionsJson = (meetingId: Fragment) => exceptionsText(meetingId, sql`null`)

export const exceptionsType = typed<WrittenExceptions>('json')

export const readExceptions = ({ excluded, changed }: WrittenExceptions): Exceptions => ({
  excluded: excluded.map((text) => new Date(text)),
  changed: changed.map(({ originalStart, startsAt, endsAt, topic, description }) => ({
    originalStart: new Date(originalStart),
    times: startsAt === null || endsAt === null ? null : { startsAt: new Date(startsAt), endsAt: new Date(endsAt) },
    topic,
    description,
  })),
})

const findStatement = defineStatement({
  name: 'find-exceptions',
  parameters: { meetingId: 'uuid' },
  columns: { exceptions: exceptionsType },
  text: (p) => sql`select ${exceptionsJson(sql`${p.meetingId}`)} as exceptions`,
})

/** The cancelled and the changed occurrences of a meeting. */
export async function findExceptions(database: Database, meetingId: string): Promise<Exceptions> {
  const [found] = await findStatement.execute(database, { meetingId })
  return found === undefined ? { excluded: [], changed: [] } : readExceptions(found.exceptions)
}

export const insertSkipped = (tx: Tx, meetingId: string, startsAt: Date, skippedBy: string, now: Date) =>
  tx.insertInto('skippedOccurrence').values({ meetingId, startsAt, skippedBy, skippedAt: now }).execute()

export const deleteSkipped = (tx: Tx, meetingId: string, startsAt: Date) =>
  tx.deleteFrom('skippedOccurrence').where('meetingId', '=', meetingId).where('startsAt', '=', startsAt).execute()

/** Write the change of one occurrence, in place of an earlier one. */
export async function putChange(tx: Tx, meetingId: string, change: OccurrenceChange, changedBy: string, now: Date) {
  const { originalStart, times, topic, description } = change
  const values = {
    startsAt: times?.startsAt ?? null,
    endsAt: times?.endsAt ?? null,
    topic,
    description,
    changedBy,
    changedAt: now,
  }
  await tx
    .insertInto('changedOccurrence')
    .values({ meetingId, originalStart, ...values })
    .onConflict((conflict) => conflict.columns(['meetingId', 'originalStart']).doUpdateSet(values))
    .execute()
}

export const deleteChange = (tx: Tx, meetingId: string, originalStart: Date) =>
  tx
    .deleteFrom('changedOccurrence')
    .where('meetingId', '=', meetingId)
    .where('originalStart', '=', originalStart)
    .execute()
