import type { MeetingColour } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import {
  defineStatement,
  defineStatementVariants,
  type Fragment,
  type RowOf,
} from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { ownResponsesJson, type WrittenResponse } from '../occurrence-response-store.ts'
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

/** How many people a row names. */
const maxNamed = 3

const summaryTypes = {
  ...pick(tables.meeting, 'id', 'code', 'topic', 'sealedSecrets', 'hostId', 'colourSeed'),
  rule: typed<RecurrenceRule>('jsonb'),
  hostName: 'text',
  hostLname: 'text',
  invited: 'boolean',
  cohost: 'boolean',
  response: tables.participant.response,
  ownResponses: typed<readonly WrittenResponse[]>('json'),
  people: typed<readonly string[]>('json'),
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
      h.name as host_name, h.lname as host_lname,
      p.meeting_id is not null as invited, coalesce(p.cohost, false) as cohost, p.response,
      case when p.meeting_id is null then '[]'::json else ${ownResponsesJson} end as own_responses,
      (select coalesce(json_agg(named.name order by named.position), '[]') from (
        select guest.position, coalesce(nullif(btrim(a.name || ' ' || a.lname), ''), nullif(guest.display_name, ''), guest.email) as name
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

/**
 * Whose descriptions a search reads: the next single meetings of a list, or the latest where the list is of past ones. An
 * index of all words took longer to write than the meeting itself, and reading a hundred thousand descriptions takes seconds.
 */
const maxDescriptionsRead = 500
/** How many series a search reads the descriptions of besides: hosted ones first. */
const maxSeriesDescriptionsRead = 300
/** What a description is about stands at its beginning. */
const maxDescriptionCharactersRead = 2_000
/** How many meetings a search finds by their descriptions; a further word finds the others. */
const maxDescribed = 100

/** A text without accents and in lower case, as `textWords` reads a search; most texts are ASCII, which is faster. */
const folded = (text: Fragment) => sql`case when octet_length(${text}) = length(${text}) then lower(${text})
  else lower(regexp_replace(normalize(${text}, nfkd), '[\u0300-\u036f]', '', 'g')) end`

const describedStatement = defineStatementVariants({
  name: 'list-described',
  dimensions: { ...listDimensions, order: ['asc', 'desc'] },
  parameters: { ...listParameters, parts: 'text[]', beginnings: 'text[]' },
  columns: { id: tables.meeting.id, byTopic: 'boolean' },
  text: (p, { order, ...listed }) => {
    const variant = { ...listed, searches: 'nothing' as const }
    const direction = order === 'asc' ? sql`asc` : sql`desc`
    const singles = branchesOf(p, { ...variant, kind: 'single' }).map(
      (branch) => sql`(select ${branch.id} as id, ${branch.startsAt} as starts_at from ${matching(branch)}
        order by ${branch.startsAt} ${direction}, ${branch.id} ${direction} limit ${sql.lit(maxDescriptionsRead)})`,
    )
    // A series has dates of both kinds, ahead and past, whatever its status.
    const ofSeries = {
      ...variant,
      past: undefined,
      status: listed.status === 'cancelled' ? listed.status : 'all',
    } as const
    const series = branchesOf(p, { ...ofSeries, kind: 'series' }).map(
      (branch) => sql`(select ${branch.id} as id from ${matching(branch)}
        order by ${branch.id} desc limit ${sql.lit(maxSeriesDescriptionsRead)})`,
    )
    return sql`with candidate as materialized (
      (select id from (${sql.join(singles, sql` union all `)}) as single
        order by starts_at ${direction}, id ${direction} limit ${sql.lit(maxDescriptionsRead)})
      union all
      (select id from (${sql.join(series, sql` union all `)}) as series limit ${sql.lit(maxSeriesDescriptionsRead)})
    ), text as materialized (
      select m.id, ${folded(sql`m.topic`)} as topic, ${folded(sql`beginning.description`)} as description
      from candidate join meeting m using (id)
        cross join lateral (select left(m.description, ${sql.lit(maxDescriptionCharactersRead)}) as description) as beginning
      where m.description <> ''
    )
    select id, coalesce(topic ~ all(${p.beginnings}), false) as by_topic from text
    where topic || ' ' || description like all(${p.parts}) and topic || ' ' || description ~ all(${p.beginnings})
    limit ${sql.lit(maxDescribed)}`
  },
})

/** What precedes a word. Written out: the classes of PostgreSQL know letters of the database's locale only. */
const beforeWord = '(^|[\\s!-/:-@\\[-`{-~\u00a0\u00a1\u00ab\u00bb\u00bf\u2000-\u206f\u3000-\u303f])'

/**
 * Find meetings of a list of which each word begins a word of the description or the topic.
 * @returns whether the topic has all words, by id
 */
export async function findDescribed(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { order, words }: { order: 'asc' | 'desc'; words: readonly string[] },
): Promise<ReadonlyMap<string, boolean>> {
  if (words.length === 0) return new Map()
  const rows = await describedStatement({ ...variantOf(owner, filter), order }).execute(database, {
    ...listValuesOf(owner, filter),
    parts: words.map((word) => `%${word}%`),
    beginnings: words.map((word) => `${beforeWord}${word}`),
  })
  return new Map(rows.map(({ id, byTopic }) => [id, byTopic]))
}
