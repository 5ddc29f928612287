import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'

/** A person whom an account invites. */
type Invited = { addressKey: string; email: string; name?: string }

/** Days after which an invitation counts half as much: a weekly meeting outweighs a crowd of last year. */
const halfLifeDays = 30
const halfLifeSeconds = halfLifeDays * 24 * 60 * 60

/** How long an address is suggested after its last invitation: yearly meetings keep their guests. */
export const contactRetentionMs = 2 * 365 * 24 * 60 * 60 * 1000

/**
 * `familiarity` is log2 of the sum of 2^(t / half-life), so that the order of contacts stays the same while time passes.
 * Beyond 2^-60 the smaller part does not change the sum. Rows are locked in the order of their keys, so that two meetings
 * with the same guests do not wait for each other.
 */
const recordStatement = defineStatement({
  name: 'record-contacts',
  parameters: {
    accountId: tables.contact.accountId,
    keys: 'text[]',
    emails: 'text[]',
    names: 'text[]',
    now: 'timestamptz',
  },
  text: (p) => sql`insert into contact as known (account_id, email_key, email, name, familiarity, invited_at)
  select ${p.accountId}, person.email_key, person.email, person.name,
    extract(epoch from ${p.now})::float8 / ${sql.lit(halfLifeSeconds)}, ${p.now}
  from unnest(${p.keys}, ${p.emails}, ${p.names}) as person (email_key, email, name) order by person.email_key
  on conflict (account_id, email_key) do update set email = excluded.email,
    name = case when excluded.name = '' then known.name else excluded.name end,
    familiarity = greatest(known.familiarity, excluded.familiarity)
      + ln(1 + exp(-least(abs(known.familiarity - excluded.familiarity), 60) * ln(2::float8))) / ln(2::float8),
    invited_at = greatest(known.invited_at, excluded.invited_at)`,
})

/** A participant as a contact: the name that the host gives them is suggested with the address. */
export const toContact = ({ addressKey, email, displayName = '' }: NamedPerson): Invited => ({
  addressKey,
  email,
  name: displayName,
})
type NamedPerson = Omit<Invited, 'name'> & { displayName?: string }

/** Record that an account invites people. For the end of a transaction: it locks the contacts of the account. */
export async function recordContacts(tx: Tx, accountId: string, people: readonly Invited[], now: Date): Promise<void> {
  if (people.length === 0) return
  await recordStatement.execute(tx, {
    accountId,
    keys: people.map(({ addressKey }) => addressKey),
    emails: people.map(({ email }) => email),
    names: people.map(({ name = '' }) => name.trim()),
    now,
  })
}

export const deleteContacts = (tx: Tx, accountId: string) =>
  tx.deleteFrom('contact').where('accountId', '=', accountId).execute()

/**
 * The contacts that are searched in the order of familiarity: a match among them precedes every other one, so that the rest
 * is searched by words only where these are too few.
 */
const maxFamiliarContacts = 1_000
/** Of a beginning that so many others have, the next letter finds whom one means. */
const maxContactsByWord = 1_000
/** No one picks a colleague out of hundreds; the next letter finds the others. */
const maxColleaguesByWord = 300

const suggestStatement = defineStatement({
  name: 'suggest-people',
  parameters: {
    accountId: 'uuid',
    tenantId: 'uuid',
    ownKey: 'text',
    contactWords: 'text',
    colleagueWords: 'text',
    includesColleagues: 'boolean',
    namesEveryAddress: 'boolean',
    limit: 'integer',
  },
  columns: {
    email: 'text',
    ...pick(tables.contact, 'name'),
    userId: 'uuid?',
    createdAt: 'timestamptz?',
    ...pick(tables.account, 'photo'),
  },
  text: (p) => {
    const named = sql`(a.email_verified_at is not null or ${p.namesEveryAddress}) and a.disabled_at is null`
    return sql`with familiar as materialized (
    select email_key, email, name, familiarity from (
      select * from contact where account_id = ${p.accountId} order by familiarity desc limit ${sql.lit(maxFamiliarContacts)}
    ) first where words @@ ${p.contactWords}::tsquery
  ), found as (
    select * from familiar
    union
    (select email_key, email, name, familiarity from contact
    where (select count(*) from familiar) <= ${p.limit}
      and account_id = ${p.accountId} and words @@ ${p.contactWords}::tsquery limit ${sql.lit(maxContactsByWord)})
    union
    (select a.email_key, coalesce(known.email, a.email), coalesce(known.name, ''), known.familiarity
    from account a left join contact known on known.account_id = ${p.accountId} and known.email_key = a.email_key
    where person_words(a.tenant_id, a.name || ' ' || a.lname, a.email_key) @@ ${p.colleagueWords}::tsquery
      and a.tenant_id = ${p.tenantId} and a.deleted_at is null and ${named}
      and (known.email_key is not null or ${p.includesColleagues} and a.settings @> '{"suggestedToColleagues": true}')
    limit ${sql.lit(maxColleaguesByWord)})
  ), best as (
    select * from found where email_key <> ${p.ownKey}
    order by familiarity desc nulls last, email_key limit ${p.limit}
  )
  select best.email, coalesce(trim(a.name || ' ' || a.lname), best.name) as name, a.id as user_id, a.created_at, a.photo
  from best left join account a on a.email_key = best.email_key and a.tenant_id = ${p.tenantId} and ${named}
  order by best.familiarity desc nulls last, best.email_key`
  },
})

export type Suggestion = Awaited<ReturnType<typeof suggestStatement.execute>>[number]

type SuggestionRequest = {
  accountId: string
  tenantId: string
  ownKey: string
  words: readonly string[]
  includesColleagues: boolean
  namesEveryAddress: boolean
  limit: number
}

/** Find contacts and colleagues of whose name or address the words begin with each of `words` (`searchWords`). */
export const suggest = (database: Database, { words, ...request }: SuggestionRequest): Promise<Suggestion[]> =>
  suggestStatement.execute(database, {
    ...request,
    contactWords: prefixes(request.accountId, words),
    colleagueWords: prefixes(request.tenantId, words),
  })

/** A tsquery for the prefixes in the list of an account or a tenant, as `person_words` of the schema writes its words. */
const prefixes = (listId: string, words: readonly string[]): string =>
  words.map((word) => `'${`${listId}${word}`.replace(/['\\]/g, '$&$&')}':*`).join(' & ')
