import type { RoomRole } from '@parley/contract'
import { maxParticipants } from '@parley/rules/meetings/participants'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { maxWaiting, unseenSince } from '../admission/admission-store.ts'

/** Only the most recent: a host rarely looks for a person who was denied long ago. */
const maxTurnedAway = 100

export type ListedPerson = {
  status: 'waiting' | 'turnedAway' | 'inside'
  id: string
  name: string
  /** Null for a guest, and for an address that the caller may not see. */
  email: string | null
  role: RoomRole
  hardMuted: boolean
  /** Since when the person has this status. */
  since: Date
}

const selectPeople = (status: ListedPerson['status'], since: string) =>
  `select '${status}' as status, a.id, a.name, a.role, a.hard_muted, ${since} as since, a.account_id from admission a
   where a.meeting_id = q.meeting_id`

const findStatement = statement<ListedPerson & { ordinal: number }>(
  'find-people-at-rooms',
  `select q.ordinal, p.status, p.id, p.name, p.role, p.hard_muted as "hardMuted", p.since,
     case when q.names_every or c.email_verified_at is not null then c.email end as email
   from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) with ordinality
     as q (meeting_id, unseen_since, names_every, ordinal)
   cross join lateral (
     (${selectPeople('waiting', 'a.asked_at')} and a.state = 'waiting' and a.seen_at > q.unseen_since
       order by a.asked_at, a.id limit ${maxWaiting})
     union all
     (${selectPeople('turnedAway', 'a.decided_at')} and a.state = 'denied' order by a.decided_at desc, a.id limit ${maxTurnedAway})
     union all
     (${selectPeople('inside', 'a.entered_at')} and a.state = 'admitted' and a.entered_at is not null and a.left_at is null
       order by a.entered_at, a.id limit ${2 * maxParticipants})
   ) p left join account c on c.id = p.account_id
   order by q.ordinal, case p.status when 'turnedAway' then p.since end desc, p.since, p.id`,
)

/** For each room: the people who wait, were denied and are inside, each in the order of the host's lists. */
export async function findPeopleAtRooms(
  database: Database,
  queries: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[],
): Promise<ListedPerson[][]> {
  const rows = await findStatement(database, [
    queries.map(({ meetingId }) => meetingId),
    queries.map(({ now }) => unseenSince(now)),
    queries.map(({ namesEveryAddress }) => namesEveryAddress),
  ])
  const people: ListedPerson[][] = queries.map(() => [])
  for (const { ordinal, ...person } of rows) people[ordinal - 1]?.push(person)
  return people
}
