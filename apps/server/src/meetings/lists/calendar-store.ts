import type { InvitationResponse } from '@parley/contract'
import type { RoomUse } from '@parley/rules/rooms/room-status'
import { sql } from 'kysely'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, defineStatementVariants, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { ownResponsesJson, readOwnResponses, type WrittenResponse } from '../occurrence-response-store.ts'
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

const singleTypes = pick(tables.meeting, 'id', 'code', 'topic', 'hostId', 'startsAt', 'endsAt', 'cancelledAt')

const singlesStatement = defineStatementVariants({
  name: 'list-singles',
  dimensions: { ...listDimensions, order: ['asc', 'desc'], hasCursor: [false, true] },
  parameters: { ...listParameters, limit: 'bigint', afterStart: 'timestamptz?', afterId: 'uuid?' },
  columns: singleTypes,
  text: (p, { order, hasCursor, ...variant }) => {
    const direction = order === 'asc' ? sql`asc` : sql`desc`
    const follows = order === 'asc' ? sql`>` : sql`<`
    const branches = branchesOf(p, { ...variant, kind: 'single' }).map((branch) => {
      const { id, startsAt } = branch
      const onPage = hasCursor ? sql`and (${startsAt}, ${id}) ${follows} (${p.afterStart}, ${p.afterId})` : sql``
      return sql`(select ${id} as id, ${startsAt} as starts_at from ${matching(branch)} ${onPage}
        order by ${startsAt} ${direction}, ${id} ${direction} limit ${p.limit})`
    })
    return sql`with first as materialized (
      select id, starts_at from (${sql.join(branches, sql` union all `)}) as listed
      order by starts_at ${direction}, id ${direction} limit ${p.limit}
    ) select m.id, m.code, m.topic, m.host_id, m.starts_at, m.ends_at,
      m.cancelled_at
    from first join meeting m using (id) order by first.starts_at ${direction}, first.id ${direction}`
  },
})

type SinglesPage = { limit: number; order?: 'asc' | 'desc'; after?: Pick<Cursor, 'at' | 'id'> | undefined }

/** The owner's single meetings that the filter selects: a page, in order of start, the earliest first unless stated. */
export const findSingles = (
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { limit, order = 'asc', after }: SinglesPage,
): Promise<RowOf<typeof singleTypes>[]> =>
  singlesStatement({ ...variantOf(owner, filter), order, hasCursor: after !== undefined }).execute(database, {
    ...listValuesOf(owner, { ...filter, seriesInRange: [] }),
    limit,
    afterStart: after?.at ?? null,
    afterId: after?.id ?? null,
  })

const cohostedStatement = defineStatement({
  name: 'list-cohosted',
  parameters: { addressKey: 'text', ids: 'uuid[]' },
  columns: { id: tables.meeting.id },
  text: (p) => sql`select meeting_id as id from participant
    where email_key = ${p.addressKey} and meeting_id = any(${p.ids}) and cohost`,
})

/** Find the meetings that the owner of the address hosts or cohosts. */
export async function findCohosted(database: Database, addressKey: string | null, ids: readonly string[]) {
  if (addressKey === null || ids.length === 0) return new Set<string>()
  return new Set((await cohostedStatement.execute(database, { addressKey, ids })).map(({ id }) => id))
}

const attendedStatement = defineStatement({
  name: 'list-attended',
  parameters: { accountId: 'uuid', addressKey: 'text?', ids: 'uuid[]' },
  columns: {
    id: tables.meeting.id,
    response: tables.participant.response,
    ownResponses: typed<readonly WrittenResponse[]>('json'),
  },
  text: (p) => sql`select id, null as response, '[]'::json as own_responses from meeting
      where id = any(${p.ids}) and host_id = ${p.accountId}
    union all select p.meeting_id, p.response, ${ownResponsesJson} from participant p
      where p.meeting_id = any(${p.ids}) and p.email_key = ${p.addressKey}`,
})

type OccurrenceOfMeeting = { id: string; originalStart: Date }

/**
 * Find how the owner has answered each occurrence: null without an answer, and for what the owner hosts. Undefined where
 * the owner is not invited.
 */
export async function findResponses(
  database: Database,
  { accountId, addressKey }: ListOwner,
  ids: readonly string[],
): Promise<(occurrence: OccurrenceOfMeeting) => InvitationResponse | null | undefined> {
  const rows = ids.length === 0 ? [] : await attendedStatement.execute(database, { accountId, addressKey, ids })
  const responseOf = new Map(rows.map(({ id, response }) => [id, response]))
  const ownOf = new Map(
    rows.flatMap(({ id, ownResponses }) =>
      readOwnResponses(ownResponses).map((own) => [nameOf({ id, ...own }), own.response] as const),
    ),
  )
  return (occurrence) => {
    const own = ownOf.get(nameOf(occurrence))
    return own === undefined ? responseOf.get(occurrence.id) : own
  }
}

const nameOf = ({ id, originalStart }: OccurrenceOfMeeting) => `${id} ${originalStart.getTime()}`

const roomsStatement = defineStatement({
  name: 'list-rooms-of-meetings',
  parameters: { ids: 'uuid[]' },
  columns: { id: tables.roomStay.id, endedAt: tables.room.endedAt, occupied: 'boolean' },
  text: (p) => sql`select r.meeting_id as id, r.ended_at,
     exists (select from room_stay s where s.meeting_id = r.meeting_id and s.left_at is null) as occupied
   from room r where r.meeting_id = any(${p.ids})`,
})

/** The rooms of these meetings. A room that was never entered has no row. */
export const findRooms = async (database: Database, ids: readonly string[]): Promise<Map<string, RoomUse>> =>
  ids.length === 0
    ? new Map()
    : new Map((await roomsStatement.execute(database, { ids })).map((room) => [room.id, room]))
