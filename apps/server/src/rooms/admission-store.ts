import { sql } from 'kysely'
import type { Database, Tx } from '../../migrations/tables.ts'

/** Nobody is let in for longer than the longest meeting: who comes tomorrow is asked again. */
const answerHoldsMs = 24 * 60 * 60 * 1000

/** Waiting lists of 1,000 people are no longer read by anybody. */
export const mostWaiting = 1000

/** Somebody in front of the door: with an account, or by the hash of a guest's cookie. */
export type Person = { accountId: string; guestHash: null } | { accountId: null; guestHash: Buffer }

export type RoomStanding = {
  hostIsIn: boolean
  /** Those who are in, and those who wait, both without this person. */
  others: number
  waiting: number
  decision: 'none' | 'admitted' | 'denied'
}

/** How the room stands for this person; undefined for somebody who has never been seen here. */
export async function findStanding(
  database: Database,
  meetingId: string,
  person: Person | undefined,
  now: Date,
): Promise<RoomStanding> {
  const own = sql<boolean>`(account_id is not distinct from ${person?.accountId ?? null}::uuid
    and guest_hash is not distinct from ${person?.guestHash ?? null}::bytea)`
  const isIn = sql`entered_at is not null and left_at is null`
  const holds = sql`asked_at > ${new Date(now.getTime() - answerHoldsMs)}`
  const { hostIsIn, others, waiting, decision } = await database
    .selectFrom('admission')
    .select([
      sql<boolean>`coalesce(bool_or(role <> 'participant' and ${isIn}), false)`.as('hostIsIn'),
      sql<number>`count(*) filter (where not ${own} and ${isIn})`.as('others'),
      sql<number>`count(*) filter (where not ${own} and state = 'waiting' and ${holds})`.as('waiting'),
      sql<RoomStanding['decision'] | null>`max(state) filter (where ${own} and ${holds} and decided_at is not null)`.as(
        'decision',
      ),
    ])
    .where('meetingId', '=', meetingId)
    .executeTakeFirstOrThrow()
  return { hostIsIn, others, waiting, decision: decision ?? 'none' }
}

export type NewAdmission = Person & {
  id: string
  meetingId: string
  name: string
  role: 'host' | 'cohost' | 'participant'
  state: 'waiting' | 'admitted'
  now: Date
}

/** Keeps that somebody asked, and the answer; whoever asks again has one row all the same. Returns its id. */
export async function keepAdmission(tx: Tx, { now, ...admission }: NewAdmission): Promise<string> {
  const { name, role, state } = admission
  const { id } = await tx
    .insertInto('admission')
    .values({ ...admission, askedAt: now, decidedAt: null })
    .onConflict((conflict) =>
      (admission.guestHash === null
        ? conflict.columns(['meetingId', 'accountId']).where('accountId', 'is not', null)
        : conflict.columns(['meetingId', 'guestHash']).where('guestHash', 'is not', null)
      ).doUpdateSet({ name, role, state, askedAt: now, ...(state === 'waiting' && { decidedAt: null }) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Forgets who asked and was never inside; who was is part of the meeting's history. */
export const forgetOldAdmissions = (database: Database, now: Date) =>
  database
    .deleteFrom('admission')
    .where('askedAt', '<=', new Date(now.getTime() - answerHoldsMs))
    .where('enteredAt', 'is', null)
    .execute()
