import type { MeetingColour } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { ownResponsesJson, type WrittenResponse } from '../occurrence-response-store.ts'

/** How many people a row names. */
const maxNamed = 3

/** `photo` is the id of the photo. */
type NamedPerson = readonly [name: string, photo: string | null]

const summaryTypes = {
  ...pick(tables.meeting, 'id', 'code', 'topic', 'sealedSecrets', 'hostId', 'colourSeed'),
  rule: typed<RecurrenceRule>('jsonb'),
  hostName: 'text',
  hostLname: 'text',
  invited: 'boolean',
  cohost: 'boolean',
  response: tables.participant.response,
  ownResponses: typed<readonly WrittenResponse[]>('json'),
  hostPhoto: tables.account.photo,
  people: typed<readonly NamedPerson[]>('json'),
  peopleCount: 'integer',
  ownColour: typed<MeetingColour | null>('text?'),
} as const

export type MeetingSummary = RowOf<typeof summaryTypes>

const summariesStatement = defineStatement({
  name: 'list-meeting-summaries',
  parameters: {
    accountId: 'uuid',
    tenantId: 'uuid',
    addressKey: 'text?',
    namesEveryAddress: 'boolean',
    ids: 'uuid[]',
  },
  columns: summaryTypes,
  text: (p) => {
    // A person who came by a link alone does not see who is invited.
    const others = sql`participant guest where guest.meeting_id = m.id
      and (m.host_id = ${p.accountId} or p.meeting_id is not null)
      and guest.email_key is distinct from ${p.addressKey}`
    return sql`select m.id, m.code, m.topic, m.sealed_secrets, m.host_id, m.recurrence as rule, m.colour_seed,
      (select c.colour from meeting_colour c where c.meeting_id = m.id and c.account_id = ${p.accountId}) as own_colour,
      h.name as host_name, h.lname as host_lname, h.photo as host_photo,
      p.meeting_id is not null as invited, coalesce(p.cohost, false) as cohost, p.response,
      case when p.meeting_id is null then '[]'::json else ${ownResponsesJson} end as own_responses,
      (select coalesce(json_agg(json_build_array(named.name, named.photo) order by named.position), '[]') from (
        select guest.position, coalesce(nullif(btrim(a.name || ' ' || a.lname), ''), nullif(guest.display_name, ''), guest.email) as name,
          a.photo ->> 'id' as photo
        from (select guest.* from ${others} order by guest.position limit ${sql.lit(maxNamed)}) guest
        left join account a on a.email_key = guest.email_key and a.tenant_id = ${p.tenantId}
          and (a.email_verified_at is not null or ${p.namesEveryAddress})) named) as people,
      (select count(*)::integer from ${others}) as people_count
    from meeting m join account h on h.id = m.host_id
      left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey} and not p.blocked
    where m.id = any(${p.ids})`
  },
})

type SummaryReader = { accountId: string; tenantId: string; addressKey: string | null; namesEveryAddress: boolean }

/** Find what the rows of a list show of these meetings. The caller has checked that the reader may read them. */
export async function findMeetingSummaries(
  database: Database,
  { accountId, tenantId, addressKey, namesEveryAddress }: SummaryReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MeetingSummary>> {
  if (ids.length === 0) return new Map()
  const reader = { accountId, tenantId, addressKey, namesEveryAddress }
  const rows = await summariesStatement.execute(database, { ...reader, ids: [...ids] })
  return new Map(rows.map((row) => [row.id, row]))
}
