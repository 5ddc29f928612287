import type { RoomFacts } from '@parley/rules/rooms/room-status'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { branchesOf, type ListFilter, type ListOwner, matching, Values } from './meeting-list-branches.ts'

export type SingleRow = {
  id: string
  code: string
  topic: string
  hostId: string
  startsAt: Date
  endsAt: Date
  cancelledAt: Date | null
}

/** The owner's single meetings in the filter's range: the first ones, in order of start. */
export async function findSingles(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  limit: number,
): Promise<SingleRow[]> {
  const values = new Values()
  const through = values.add(limit)
  // This query selects no series.
  const branches = branchesOf(owner, { ...filter, seriesInRange: [] }, values).map((branch) => {
    const { id, startsAt } = branch
    return `(select ${id} as id, ${startsAt} as starts_at from ${matching(branch)} order by ${startsAt}, ${id} limit ${through})`
  })
  const text = `with first as materialized (
      select id, starts_at from (${branches.join(' union all ')}) as listed order by starts_at, id limit ${through}
    ) select m.id, m.code, m.topic, m.host_id as "hostId", m.starts_at as "startsAt", m.ends_at as "endsAt",
      m.cancelled_at as "cancelledAt"
    from first join meeting m using (id) order by first.starts_at, first.id`
  return statement<SingleRow>('list-singles', text)(database, values.all)
}

const cohostedStatement = statement<{ id: string }>(
  'list-cohosted',
  'select meeting_id as id from participant where email_key = $1 and meeting_id = any($2::uuid[]) and cohost',
)

/** Those of these meetings of which the owner of the address is host or cohost. */
export async function findCohosted(database: Database, addressKey: string | null, ids: readonly string[]) {
  if (addressKey === null || ids.length === 0) return new Set<string>()
  return new Set((await cohostedStatement(database, [addressKey, ids])).map(({ id }) => id))
}

const roomsStatement = statement<RoomFacts & { id: string }>(
  'list-rooms-of-meetings',
  `select r.meeting_id as id, r.ended_at as "endedAt",
     exists (select from room_stay s where s.meeting_id = r.meeting_id and s.left_at is null) as occupied
   from room r where r.meeting_id = any($1::uuid[])`,
)

/** The rooms of these meetings. A room that was never entered has no row. */
export const findRooms = async (database: Database, ids: readonly string[]): Promise<Map<string, RoomFacts>> =>
  ids.length === 0 ? new Map() : new Map((await roomsStatement(database, [ids])).map((room) => [room.id, room]))
