import type { RoomRole } from '@parley/contract'
import { maxParticipants } from '@parley/rules/meetings/participants'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { maxWaiting, unseenSince } from '../admission/admission-store.ts'

/** The last ones; nobody looks for somebody who was turned away long ago. */
const maxTurnedAway = 100

export type SeenPerson = {
  place: 'waiting' | 'turnedAway' | 'inside'
  id: string
  name: string
  /** Null for a guest, and where the reader may not learn whose address it is. */
  email: string | null
  role: RoomRole
  hardMuted: boolean
  /** Since when they are where they are. */
  since: Date
}

const person = (place: SeenPerson['place'], since: string) =>
  `select '${place}' as place, a.id, a.name, a.role, a.hard_muted, ${since} as since, a.account_id from admission a
   where a.meeting_id = q.meeting_id`

const findStatement = statement<SeenPerson & { asked: number }>(
  'find-people-at-rooms',
  `select q.asked, p.place, p.id, p.name, p.role, p.hard_muted as "hardMuted", p.since,
     case when q.names_every or c.email_verified_at is not null then c.email end as email
   from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) with ordinality
     as q (meeting_id, unseen_since, names_every, asked)
   cross join lateral (
     (${person('waiting', 'a.asked_at')} and a.state = 'waiting' and a.seen_at > q.unseen_since
       order by a.asked_at, a.id limit ${maxWaiting})
     union all
     (${person('turnedAway', 'a.decided_at')} and a.state = 'denied' order by a.decided_at desc, a.id limit ${maxTurnedAway})
     union all
     (${person('inside', 'a.entered_at')} and a.state = 'admitted' and a.entered_at is not null and a.left_at is null
       order by a.entered_at, a.id limit ${2 * maxParticipants})
   ) p left join account c on c.id = p.account_id
   order by q.asked, case p.place when 'turnedAway' then p.since end desc, p.since, p.id`,
)

/** Who waits, who was turned away and who is inside, each in the order in which hosts are shown them. */
export async function findPeopleAtRooms(
  database: Database,
  asked: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[],
): Promise<SeenPerson[][]> {
  const rows = await findStatement(database, [
    asked.map(({ meetingId }) => meetingId),
    asked.map(({ now }) => unseenSince(now)),
    asked.map(({ namesEveryAddress }) => namesEveryAddress),
  ])
  const people: SeenPerson[][] = asked.map(() => [])
  for (const { asked: place, ...each } of rows) people[place - 1]?.push(each)
  return people
}
