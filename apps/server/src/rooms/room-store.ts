import type { RoomRight, RoomRole, Spotlight } from '@parley/contract'
import { maxParticipants } from '@parley/rules/meetings/participants'
import type { DecidedRights } from '@parley/rules/rooms/room-rights'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type RowOf } from '../platform/database/define-statement.ts'
import { tables, typed } from '../platform/database/tables.ts'
import { maxWaitingPeople, waitingIfSeenAfter } from './admission/admission-store.ts'

/** Only the most recent: a host rarely looks for a person who was denied long ago. */
const maxDenied = 100

export type ListedPerson = RowOf<typeof personTypes>

const personTypes = {
  status: typed<'waiting' | 'denied' | 'inside'>('text'),
  id: 'uuid',
  name: 'text',
  formerName: 'text?',
  /** Null for a guest, and for an address that the caller may not see. */
  email: 'text?',
  guest: 'boolean',
  role: typed<RoomRole>('text'),
  accountId: 'uuid?',
  /** A host made the person a cohost in the room. */
  madeCohost: 'boolean',
  rights: tables.admission.rights,
  breakoutRoom: tables.admission.breakoutRoom,
  breakoutAway: tables.admission.breakoutAway,
  helpAskedAt: tables.admission.helpAskedAt,
  /** Since when the person has this status. */
  since: 'timestamptz',
} as const

const selectPeople = (status: ListedPerson['status'], since: Fragment) =>
  sql`select ${sql.lit(status)} as status, a.id, a.name, a.former_name, a.role, a.granted_role, a.rights,
   a.breakout_room, a.breakout_away, a.help_asked_at, ${since} as since, a.account_id from admission a
   where a.meeting_id = q.meeting_id`

const findStatement = defineStatement({
  name: 'find-people-at-rooms',
  parameters: { meetingIds: 'uuid[]', waitingIfSeenAfter: 'timestamptz[]', namesEveryAddress: 'boolean[]' },
  columns: { ordinal: 'bigint', ...personTypes },
  text: (
    p,
  ) => sql`select q.ordinal, p.status, p.id, p.name, p.former_name, p.role, p.rights, p.breakout_room, p.breakout_away,
     p.help_asked_at, p.since,
     p.account_id, p.account_id is null as guest, coalesce(p.granted_role = 'cohost' and p.role = 'cohost', false) as made_cohost,
     case when q.names_every or c.email_verified_at is not null then c.email end as email
   from unnest(${p.meetingIds}, ${p.waitingIfSeenAfter}, ${p.namesEveryAddress}) with ordinality
     as q (meeting_id, unseen_since, names_every, ordinal)
   cross join lateral (
     (${selectPeople('waiting', sql`a.asked_at`)} and a.state = 'waiting' and a.seen_at > q.unseen_since
       order by a.asked_at, a.id limit ${sql.lit(maxWaitingPeople)})
     union all
     (${selectPeople('denied', sql`a.decided_at`)} and a.state = 'denied' order by a.decided_at desc, a.id limit ${sql.lit(maxDenied)})
     union all
     (${selectPeople('inside', sql`a.entered_at`)} and a.state = 'admitted' and a.entered_at is not null and a.left_at is null
       order by a.entered_at, a.id limit ${sql.lit(2 * maxParticipants)})
   ) p left join account c on c.id = p.account_id
   order by q.ordinal, case p.status when 'denied' then p.since end desc, p.since, p.id`,
})

/** For each room: the people who wait, were denied and are inside, each in the order of the host's lists. */
export async function listPeopleAtRooms(
  database: Database,
  queries: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[],
): Promise<ListedPerson[][]> {
  const rows = await findStatement.execute(database, {
    meetingIds: queries.map(({ meetingId }) => meetingId),
    waitingIfSeenAfter: queries.map(({ now }) => waitingIfSeenAfter(now)),
    namesEveryAddress: queries.map(({ namesEveryAddress }) => namesEveryAddress),
  })
  const people: ListedPerson[][] = queries.map(() => [])
  for (const { ordinal, ...person } of rows) people[ordinal - 1]?.push(person)
  return people
}

/** Lock the sessions and the attendance of this meeting against other writers until the commit. */
export async function lockRoomRow(tx: Tx, meetingId: string): Promise<void> {
  await tx
    .insertInto('room')
    .values({ meetingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('room').select('meetingId').where('meetingId', '=', meetingId).forUpdate().execute()
}

/** Let no one else enter. False if the room was locked before. */
export async function lockRoom(tx: Tx, meetingId: string, lockedAt: Date): Promise<boolean> {
  const locked = await tx
    .insertInto('room')
    .values({ meetingId, lockedAt })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet({ lockedAt }).where('room.lockedAt', 'is', null))
    .returning('meetingId')
    .executeTakeFirst()
  return locked !== undefined
}

/** False if the room was not locked. */
export async function unlockRoom(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('room')
    .set({ lockedAt: null })
    .where('meetingId', '=', meetingId)
    .where('lockedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Have new guests of an occurrence wait for approval. False if they had to before. */
export async function requireApproval(
  tx: Tx,
  meetingId: string,
  { now, occurrence }: { now: Date; occurrence: Date },
): Promise<boolean> {
  const values = { asksNewGuestsSince: now, asksNewGuestsFor: occurrence }
  const changed = await tx
    .insertInto('room')
    .values({ meetingId, ...values })
    .onConflict((conflict) =>
      conflict.column('meetingId').doUpdateSet(values).where('room.asksNewGuestsFor', 'is distinct from', occurrence),
    )
    .returning('meetingId')
    .executeTakeFirst()
  return changed !== undefined
}

/** Let new guests enter directly again. False if they could before. */
export async function stopRequiringApproval(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('room')
    .set({ asksNewGuestsSince: null, asksNewGuestsFor: null })
    .where('meetingId', '=', meetingId)
    .where('asksNewGuestsFor', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Decide what participants may do, after `lockRoomRow`. What hosts have decided for one person no longer holds. */
export async function decideRightsForAll(
  tx: Tx,
  meetingId: string,
  { rights, rightsFor, changed }: { rights: DecidedRights; rightsFor: Date; changed: readonly RoomRight[] },
): Promise<void> {
  await tx
    .updateTable('room')
    .set({ rights: JSON.stringify(rights), rightsFor })
    .where('meetingId', '=', meetingId)
    .execute()
  await tx
    .updateTable('admission')
    .set({ rights: sql<string>`rights - ${sql.val(changed)}::text[]` })
    .where('meetingId', '=', meetingId)
    .where(sql<boolean>`rights ?| ${sql.val(changed)}::text[]`)
    .execute()
}

/** Show these tiles large to everyone, after `lockRoomRow`. */
export const setSpotlight = (tx: Tx, meetingId: string, spotlight: Spotlight) =>
  tx
    .updateTable('room')
    .set({ spotlight: JSON.stringify(spotlight) })
    .where('meetingId', '=', meetingId)
    .execute()

/** Set when the call is to end, after `lockRoomRow`. */
export const setCallEnd = (tx: Tx, meetingId: string, callEndsAt: Date) =>
  tx.updateTable('room').set({ callEndsAt }).where('meetingId', '=', meetingId).execute()

/** What was set for a call ends with it. */
export const resetCall = (tx: Tx, meetingId: string) =>
  tx
    .updateTable('room')
    .set({ spotlight: '[]', callEndsAt: null, breakout: null })
    .where('meetingId', '=', meetingId)
    .execute()

/** End the meeting of a room, and reset what its hosts have set. */
export const endRoomRow = (tx: Tx, meetingId: string, endedAt: Date) =>
  tx
    .updateTable('room')
    .set({ endedAt, lockedAt: null, asksNewGuestsSince: null, asksNewGuestsFor: null, rights: '{}', rightsFor: null })
    .where('meetingId', '=', meetingId)
    .execute()
