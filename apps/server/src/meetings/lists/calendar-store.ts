import type { RoomFacts } from '@parley/rules/rooms/room-status'
import { sql } from 'kysely'
import { defineStatement, defineStatementVariants, type RowOf } from '../../platform/database/define-statement.ts'
import type { Database } from '../../tables/tables.ts'
import {
  branchesOf,
  type ListFilter,
  type ListOwner,
  listDimensions,
  listParameters,
  listValuesOf,
  matching,
  variantOf,
} from './meeting-list-branches.ts'

const singleTypes = {
  id: 'uuid',
  code: 'text',
  topic: 'text',
  hostId: 'uuid',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  cancelledAt: 'timestamptz?',
} as const

const singlesStatement = defineStatementVariants({
  name: 'list-singles',
  dimensions: listDimensions,
  parameters: { ...listParameters, limit: 'bigint' },
  columns: singleTypes,
  text: (p, variant) => {
    const branches = branchesOf(p, variant).map((branch) => {
      const { id, startsAt } = branch
      return sql`(select ${id} as id, ${startsAt} as starts_at from ${matching(branch)}
        order by ${startsAt}, ${id} limit ${p.limit})`
    })
    return sql`with first as materialized (
      select id, starts_at from (${sql.join(branches, sql` union all `)}) as listed
      order by starts_at, id limit ${p.limit}
    ) select m.id, m.code, m.topic, m.host_id as "hostId", m.starts_at as "startsAt", m.ends_at as "endsAt",
      m.cancelled_at as "cancelledAt"
    from first join meeting m using (id) order by first.starts_at, first.id`
  },
})

/** The owner's single meetings in the filter's range: the first ones, in order of start. */
export const findSingles = (
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  limit: number,
): Promise<RowOf<typeof singleTypes>[]> =>
  // This query selects no series.
  singlesStatement(variantOf(owner, filter)).execute(database, {
    ...listValuesOf(owner, { ...filter, seriesInRange: [] }),
    limit,
  })

const cohostedStatement = defineStatement({
  name: 'list-cohosted',
  parameters: { addressKey: 'text', ids: 'uuid[]' },
  columns: { id: 'uuid' },
  text: (p) => sql`select meeting_id as id from participant
    where email_key = ${p.addressKey} and meeting_id = any(${p.ids}) and cohost`,
})

/** Those of these meetings of which the owner of the address is host or cohost. */
export async function findCohosted(database: Database, addressKey: string | null, ids: readonly string[]) {
  if (addressKey === null || ids.length === 0) return new Set<string>()
  return new Set((await cohostedStatement.execute(database, { addressKey, ids })).map(({ id }) => id))
}

const attendedStatement = defineStatement({
  name: 'list-attended',
  parameters: { accountId: 'uuid', addressKey: 'text?', ids: 'uuid[]' },
  columns: { id: 'uuid' },
  text: (p) => sql`select id from meeting where id = any(${p.ids}) and host_id = ${p.accountId}
    union all select meeting_id from participant where meeting_id = any(${p.ids}) and email_key = ${p.addressKey}
      and response is distinct from 'declined'`,
})

/** Those of these meetings that the owner hosts, or is invited to and has not declined. */
export const findAttended = async (
  database: Database,
  { accountId, addressKey }: ListOwner,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  ids.length === 0
    ? new Set()
    : new Set((await attendedStatement.execute(database, { accountId, addressKey, ids })).map(({ id }) => id))

const roomsStatement = defineStatement({
  name: 'list-rooms-of-meetings',
  parameters: { ids: 'uuid[]' },
  columns: { id: 'uuid', endedAt: 'timestamptz?', occupied: 'boolean' },
  text: (p) => sql`select r.meeting_id as id, r.ended_at as "endedAt",
     exists (select from room_stay s where s.meeting_id = r.meeting_id and s.left_at is null) as occupied
   from room r where r.meeting_id = any(${p.ids})`,
})

/** The rooms of these meetings. A room that was never entered has no row. */
export const findRooms = async (database: Database, ids: readonly string[]): Promise<Map<string, RoomFacts>> =>
  ids.length === 0
    ? new Map()
    : new Map((await roomsStatement.execute(database, { ids })).map((room) => [room.id, room]))
