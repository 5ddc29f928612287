import { textWords } from '@parley/rules/text/search-words'
import { sql } from 'kysely'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatementVariants, type Fragment } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import {
  type Branch,
  branchesOf,
  type ListFilter,
  type ListOwner,
  type ListParameters,
  type ListVariant,
  listDimensions,
  listParameters,
  listValuesOf,
  matching,
  variantOf,
} from './meeting-list-branches.ts'

/**
 * How many single meetings a page of a search reads, with topics and people: about 10 ms. The next page continues after
 * them. Reading a hundred thousand takes a second, and an index of all topics more time at each insert than it saves.
 */
const maxSinglesSearched = 2_000
/** How many participants a page reads of these meetings: ten in each, as the quota of a host allows. */
const maxParticipantsSearched = 20_000

type SearchRequest = {
  /** Part of a topic, a name or an address; or beginnings of words of a description. */
  text: string
  /** The order of the list, from its cursor on. */
  order: 'asc' | 'desc'
  after: Cursor | undefined
  /** How many single meetings to find by topic or people. */
  limit: number
}

export type SearchResult = {
  /** The meetings that were found. The conditions of a list still apply to them. */
  ids: readonly string[]
  /** Those of which the description has words of the search that the topic does not have. */
  inDescription: ReadonlySet<string>
  /** The last single meeting that was searched, if the limits left out any after it. */
  searchedTo: Pick<Cursor, 'at' | 'id'> | undefined
}

/**
 * Find the meetings of a list by a part of their topic or of the name or address of the host or a participant: all
 * series, and the first single meetings from a cursor on. By their descriptions, find some of the first of the list.
 */
export async function searchMeetings(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  { text, order, after, limit }: SearchRequest,
): Promise<SearchResult> {
  const variant = { ...variantOf(owner, filter), order }
  const values = listValuesOf(owner, { ...filter, topicPart: text })
  const words = textWords(text)
  const [[singles], series, described] = await Promise.all([
    singlesStatement({ ...variant, hasCursor: after !== undefined }).execute(database, {
      ...values,
      limit,
      afterStart: after?.at ?? null,
      afterId: after?.id ?? null,
    }),
    seriesStatement(variantOf(owner, filter)).execute(database, values),
    words.length === 0
      ? []
      : describedStatement(variant).execute(database, {
          ...values,
          parts: words.map((word) => `%${word}%`),
          beginnings: words.map((word) => `${beforeWord}${word}`),
        }),
  ])
  const { ids, searchedAt, searchedId } = singles ?? { ids: null, searchedAt: null, searchedId: null }
  return {
    ids: [...new Set([...(ids ?? []), ...[...series, ...described].map(({ id }) => id)])],
    inDescription: new Set(described.filter(({ byTopic }) => !byTopic).map(({ id }) => id)),
    searchedTo: searchedAt === null || searchedId === null ? undefined : { at: searchedAt, id: searchedId },
  }
}

const directions = { asc: sql`asc`, desc: sql`desc` }

/** The first single meetings of a list, in its order. */
function firstSingles(
  p: ListParameters,
  { order, ...variant }: ListVariant & { order: 'asc' | 'desc' },
  limit: number,
  onPage: (branch: Branch) => Fragment = () => sql``,
): Fragment {
  const direction = directions[order]
  const branches = branchesOf(p, { ...variant, searches: 'nothing', kind: 'single' }).map(
    (
      branch,
    ) => sql`(select ${branch.id} as id, ${branch.startsAt} as starts_at, ${sql.lit(branch.showsPeople)} as shows_people
      from ${matching(branch)} ${onPage(branch)}
      order by ${branch.startsAt} ${direction}, ${branch.id} ${direction} limit ${sql.lit(limit)})`,
  )
  return sql`(select * from (${sql.join(branches, sql` union all `)}) as single
    order by starts_at ${direction}, id ${direction} limit ${sql.lit(limit)})`
}

/** The series of a list. A series has dates of both kinds, ahead and past, whatever its status. */
function seriesBranches(p: ListParameters, variant: ListVariant): Branch[] {
  const status = variant.status === 'cancelled' ? variant.status : 'all'
  return branchesOf(p, { ...variant, searches: 'nothing', past: undefined, status, kind: 'series' })
}

/**
 * Expressions for a statement `with searched as (…)` of meetings by `id`, `topic`, `host_id` and `shows_people`: the
 * further tables, and the condition under which a meeting is found. Each person is compared once, in however many of the
 * meetings they are. Accounts are looked up by `offset 0` one by one, whatever the planner expects.
 */
function findingIn(p: ListParameters): { tables: Fragment; isFound: Fragment } {
  const contains = (text: Fragment) => sql`${text} ilike '%' || ${p.topicPart} || '%'`
  return {
    tables: sql`guest as materialized (
      select searched.id, listed.* from searched cross join lateral (
        select email_key, email, display_name from participant where meeting_id = searched.id offset 0) as listed
      where searched.shows_people
    ), found_guest as materialized (
      select person.* from (select distinct email_key, email, display_name from guest) as person
        left join lateral (select name || ' ' || lname as name from account
          where email_key = person.email_key and (email_verified_at is not null or ${p.namesEveryAddress})
            and tenant_id = (select own.tenant_id from account own where own.id = ${p.accountId}) offset 0) as named on true
      where ${contains(sql`person.email`)} or ${contains(sql`person.display_name`)} or ${contains(sql`named.name`)}
    ), found_host as materialized (
      select host.id, by_name from (select distinct host_id from searched) as hosted
        cross join lateral (select id, ${contains(sql`(name || ' ' || lname)`)} as by_name, ${contains(sql`email`)} as by_address
          from account where id = hosted.host_id offset 0) as host
      where by_name or by_address
    )`,
    isFound: sql`(${contains(sql`searched.topic`)}
      or searched.host_id in (select id from found_host where by_name)
      or searched.shows_people and searched.host_id in (select id from found_host)
      or searched.id in (select guest.id from guest join found_guest using (email_key, email, display_name)))`,
  }
}

const singlesStatement = defineStatementVariants({
  name: 'search-singles',
  dimensions: { ...listDimensions, order: ['asc', 'desc'], hasCursor: [false, true] },
  parameters: { ...listParameters, limit: 'bigint', afterStart: 'timestamptz?', afterId: 'uuid?' },
  columns: { ids: 'uuid[]?', searchedAt: 'timestamptz?', searchedId: 'uuid?' },
  text: (p, { hasCursor, ...variant }) => {
    const direction = directions[variant.order]
    const follows = variant.order === 'asc' ? sql`>` : sql`<`
    const onPage = ({ startsAt, id }: Branch) =>
      hasCursor ? sql`and (${startsAt}, ${id}) ${follows} (${p.afterStart}, ${p.afterId})` : sql``
    const { tables: found, isFound } = findingIn(p)
    return sql`with candidate as materialized (
      select id, starts_at, shows_people, row_number() over earlier as place, sum(
          (select count(*) from participant where meeting_id = single.id)
        ) over (earlier rows between unbounded preceding and 1 preceding) as participants_before
      from ${firstSingles(p, variant, maxSinglesSearched + 1, onPage)} as single
      window earlier as (order by starts_at ${direction}, id ${direction})
    ), searched as materialized (
      select c.id, c.place, c.starts_at, c.shows_people, m.topic, m.host_id from candidate c join meeting m using (id)
      where c.place <= ${sql.lit(maxSinglesSearched)}
        and coalesce(c.participants_before, 0) < ${sql.lit(maxParticipantsSearched)}
    ), ${found}, last as (
      select id, starts_at from searched order by place desc limit 1
    ) select last.starts_at as searched_at, last.id as searched_id, array(
        select searched.id from searched where ${isFound} order by place limit ${p.limit}) as ids
      from (select) as one left join last on (select count(*) from searched) < (select count(*) from candidate)`
  },
})

const seriesStatement = defineStatementVariants({
  name: 'search-series',
  dimensions: listDimensions,
  parameters: listParameters,
  columns: { id: tables.meeting.id },
  text: (p, variant) => {
    const series = seriesBranches(p, variant).map(
      (branch) =>
        sql`(select ${branch.id} as id, ${sql.lit(branch.showsPeople)} as shows_people from ${matching(branch)})`,
    )
    const { tables: found, isFound } = findingIn(p)
    return sql`with searched as materialized (
      select series.id, series.shows_people, m.topic, m.host_id
      from (${sql.join(series, sql` union all `)}) as series join meeting m using (id)
    ), ${found} select searched.id from searched where ${isFound}`
  },
})

/**
 * How many single meetings a search reads the descriptions of: the next ones of a list, or the latest where the list is of
 * past ones. An index of all words took longer to write than the meeting itself.
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
  name: 'search-descriptions',
  dimensions: { ...listDimensions, order: ['asc', 'desc'] },
  parameters: { ...listParameters, parts: 'text[]', beginnings: 'text[]' },
  columns: { id: tables.meeting.id, byTopic: 'boolean' },
  text: (p, variant) => {
    const series = seriesBranches(p, variant).map(
      (branch) => sql`(select ${branch.id} as id from ${matching(branch)}
        order by ${branch.id} desc limit ${sql.lit(maxSeriesDescriptionsRead)})`,
    )
    return sql`with candidate as materialized (
      select id from ${firstSingles(p, variant, maxDescriptionsRead)} as single
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
