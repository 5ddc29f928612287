import type { RoomRole } from '@parley/contract'
import { maxParticipants } from '@parley/rules/meetings/participants'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type RowOf } from '../platform/database/define-statement.ts'
import { typed } from '../platform/database/tables.ts'
import { maxWaiting, waitingIfSeenAfter } from './admission/admission-store.ts'

/** Only the most recent: a host rarely looks for a person who was denied long ago. */
const maxTurnedAway = 100

export type ListedPerson = RowOf<typeof personTypes>

const personTypes = {
  status: typed<'waiting' | 'turnedAway' | 'inside'>('text'),
  id: 'uuid',
  name: 'text',
  /** Null for a guest, and for an address that the caller may not see. */
  email: 'text?',
  guest: 'boolean',
  role: typed<RoomRole>('text'),
  /** A host made the person a cohost in the room. */
  madeCohost: 'boolean',
  hardMuted: 'boolean',
  /** Since when the person has this status. */
  since: 'timestamptz',
} as const

const selectPeople = (status: ListedPerson['status'], since: Fragment) =>
  sql`select ${sql.lit(status)} as status, a.id, a.name, a.role, a.granted_role, a.hard_muted, ${since} as since, a.account_id from admission a
   where a.meeting_id = q.meeting_id`

const findStatement = defineStatement({
  name: 'find-people-at-rooms',
  parameters: { meetingIds: 'uuid[]', waitingIfSeenAfter: 'timestamptz[]', namesEveryAddress: 'boolean[]' },
  columns: { ordinal: 'bigint', ...personTypes },
  text: (p) => sql`select q.ordinal, p.status, p.id, p.name, p.role, p.hard_muted, p.since,
     p.account_id is null as guest, coalesce(p.granted_role = 'cohost' and p.role = 'cohost', false) as made_cohost,
     case when q.names_every or c.email_verified_at is not null then c.email end as email
   from unnest(${p.meetingIds}, ${p.waitingIfSeenAfter}, ${p.namesEveryAddress}) with ordinality
     as q (meeting_id, unseen_since, names_every, ordinal)
   cross join lateral (
     (${selectPeople('waiting', sql`a.asked_at`)} and a.state = 'waiting' and a.seen_at > q.unseen_since
       order by a.asked_at, a.id limit ${sql.lit(maxWaiting)})
     union all
     (${selectPeople('turnedAway', sql`a.decided_at`)} and a.state = 'denied' order by a.decided_at desc, a.id limit ${sql.lit(maxTurnedAway)})
     union all
     (${selectPeople('inside', sql`a.entered_at`)} and a.state = 'admitted' and a.entered_at is not null and a.left_at is null
       order by a.entered_at, a.id limit ${sql.lit(2 * maxParticipants)})
   ) p left join account c on c.id = p.account_id
   order by q.ordinal, case p.status when 'turnedAway' then p.since end desc, p.since, p.id`,
})

/** For each room: the people who wait, were denied and are inside, each in the order of the host's lists. */
export async function findPeopleAtRooms(
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
