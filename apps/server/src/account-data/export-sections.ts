import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { isReviewed } from '../access/shown-app.ts'
import { visibleActingGrant } from '../event-log/event-store.ts'
import { textColumns } from '../meetings/meeting-row.ts'
import type { Database } from '../platform/database/database.ts'

type Row = Record<string, unknown>

type Page = { cursor: string; row: Row }[]

/** Rows in the order of `cursor`, which is not exported, and the lists of each row that are read page by page too. */
type Section = {
  pageSize: number
  /** Read the rows after the cursor `after`. */
  read: (database: Database, caller: Caller, after: string) => Promise<Page>
  lists: Readonly<Record<string, List>>
}

/** A list of a row, which may be longer than all the rest of an account. */
type List = { pageSize: number; read: (database: Database, id: string, after: string) => Promise<Page> }

/** The only column of a list of plain values. */
const plain = 'value'

/** Each page is a query of its own, so that a slow reader holds no connection. */
const pageSize = 500
/**
 * The page size for rows with long texts or lists. A page is read and written without a pause, delays other requests
 * meanwhile, and is in memory as a whole.
 */
const pageSizeOfLong = 20

/** Sorts before every id and every text. */
const first = '00000000-0000-0000-0000-000000000000'

type Query = ReturnType<typeof sql<Row & { cursor: string }>>

/** Build a section from a query whose column `cursor` is compared with `after`; the other columns are exported. */
const section = (
  query: (caller: Caller, after: string) => Query,
  size = pageSize,
  lists: Section['lists'] = {},
): Section => ({
  pageSize: size,
  read: async (database, caller, after) => pageOf(await query(caller, after).execute(database)),
  lists,
})

/** Build a list of the row with an id from a query like that of a section. */
const list = (size: number, query: (id: string, after: string) => Query): List => ({
  pageSize: size,
  read: async (database, id, after) => pageOf(await query(id, after).execute(database)),
})

const pageOf = ({ rows }: { rows: (Row & { cursor: string })[] }): Page =>
  rows.map(({ cursor, ...row }) => ({ cursor: String(cursor), row }))

/** Invitations to an unverified address may belong to another person. */
const addressOf = ({ addressKey, addressTrusted }: Caller) => (addressTrusted ? addressKey : null)

/** A time inside a JSON column, as the API writes times. */
const timeJson = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What participant `p` answered to single dates of the series, for the host and for that person alike. */
const occurrenceResponses = sql`(select coalesce(json_agg(json_build_object(
    'originalStartTime', ${timeJson('r.original_start')}, 'response', r.response, 'comment', r.comment)
    order by r.original_start), '[]')
  from occurrence_response r where r.meeting_id = p.meeting_id and r.email_key = p.email_key)`

/** Each person may have answered hundreds of dates, each with a comment. */
const pageSizeOfPeople = 10
/** Each may have a long description. */
const pageSizeOfChanges = 50

const listsOfMeeting = {
  people: list(
    pageSizeOfPeople,
    (
      id,
      after,
    ) => sql`select lpad(p.position::text, 10, '0') || p.email_key as cursor, p.email, p.display_name as "displayName", p.invited, p.cohost,
      p.response, p.response_comment as comment, ${occurrenceResponses} as "occurrenceResponses"
    from participant p where p.meeting_id = ${id} and lpad(p.position::text, 10, '0') || p.email_key > ${after}
    order by 1 limit ${pageSizeOfPeople}`,
  ),
  skippedOccurrences: list(
    pageSize,
    (id, after) => sql`select ${timeJson('k.starts_at')} as cursor, ${timeJson('k.starts_at')} as ${sql.ref(plain)}
    from skipped_occurrence k where k.meeting_id = ${id} and ${timeJson('k.starts_at')} > ${after}
    order by 1 limit ${pageSize}`,
  ),
  changedOccurrences: list(
    pageSizeOfChanges,
    (id, after) => sql`select ${timeJson('o.original_start')} as cursor,
      ${timeJson('o.original_start')} as "originalStartTime", ${timeJson('o.starts_at')} as "startTime",
      ${timeJson('o.ends_at')} as "endTime", ${textColumns(sql`o`)}
    from changed_occurrence o where o.meeting_id = ${id} and ${timeJson('o.original_start')} > ${after}
    order by 1 limit ${pageSizeOfChanges}`,
  ),
}

/** Sections by their name in the document (docs/api-conventions.md, "Export and deletion"). */
export const sections: Readonly<Record<string, Section>> = {
  sessions: section(
    ({ accountId }, after) => sql`select id as cursor, created_at as "createdOn", last_used_at as "lastUsedOn",
      expires_at as "expiresAt", address, user_agent as "userAgent"
    from session where account_id = ${accountId} and id > ${after} order by id limit ${pageSize}`,
  ),
  passkeys: section(
    ({ accountId }, after) => sql`select id as cursor, name, synced, created_at as "createdOn",
      last_used_at as "lastUsedOn"
    from passkey where account_id = ${accountId} and id > ${after} order by id limit ${pageSize}`,
  ),
  personalTokens: section(
    ({ accountId }, after) => sql`select id as cursor, name, scopes, created_at as "createdOn",
      last_used_at as "lastUsedOn", expires_at as "expiresAt"
    from personal_token where account_id = ${accountId} and id > ${after} order by id limit ${pageSize}`,
  ),
  signInProviders: section(
    ({ accountId }, after) => sql`select issuer || ' ' || subject as cursor, issuer, subject, created_at as "createdOn"
    from provider_identity where account_id = ${accountId} and issuer || ' ' || subject > ${after}
    order by 1 limit ${pageSize}`,
  ),
  connectedApps: section(
    ({ accountId }, after) => sql`select g.id as cursor, g.app_id as "appId",
      -- Before a review anyone can claim any name.
      case when ${isReviewed} then r.name end as name, p.client_id as "clientId", g.sandbox, g.api_scopes as "apiScopes",
      g.mcp_scopes as "mcpScopes",
      g.created_at as "createdOn", g.last_used_at as "lastUsedOn", g.revoked_at as "revokedOn"
    from app_grant g join app p on p.id = g.app_id
      left join app_revision r on r.app_id = p.id and r.number = coalesce(p.live_revision, p.draft_revision)
    where g.account_id = ${accountId} and g.id > ${after} order by g.id limit ${pageSize}`,
  ),
  ownApps: section(
    ({ accountId }, after) => sql`select a.id as cursor, a.id as id, a.status, a.client_id as "clientId",
      a.sandbox_client_id as "sandboxClientId", a.created_at as "createdOn", a.deleted_at as "deletedOn",
      a.review_notes as "reviewNotes", a.scope_reasons as "scopeReasons",
      (select json_agg(json_build_object('number', v.number, 'name', v.name, 'homepageUrl', v.homepage_url,
        'policyUrl', v.policy_url, 'logoUrl', v.logo_url, 'useCase', v.use_case, 'description', v.description,
        'callbackUrls', v.callback_urls, 'embedOrigins', v.embed_origins, 'scopes', v.scopes,
        'submittedOn', ${timeJson('v.submitted_at')}) order by v.number)
        from app_revision v where v.app_id = a.id) as revisions
    from app a where a.owner_id = ${accountId} and a.id > ${after} order by a.id limit ${pageSizeOfLong}`,
    pageSizeOfLong,
  ),
  webhooks: section(
    (
      { accountId },
      after,
    ) => sql`select id as cursor, id, owner, app_id as "appId", sandbox, personal_token_id as "personalTokenId",
      -- The whole address is the app's: it may hold a secret of the app.
      case when owner = 'grant' then substring(url from '^[a-z]+://[^/?#]*') else url end as url, types, payload,
      description, created_at as "createdOn", modified_at as "modifiedOn", disabled_at as "disabledOn",
      disabled_because as "disabledBecause", last_success_at as "lastSuccessOn"
    from webhook where account_id = ${accountId} and id > ${after} order by id limit ${pageSize}`,
  ),
  hostedMeetings: section(
    ({ accountId }, after) => sql`select m.id as cursor, m.id as id, m.code as "svcMeetId", ${textColumns(sql`m`)},
      m.starts_at as "startTime", m.ends_at as "endTime", m.time_zone as "timeZone", m.recurrence, m.ends_by as "endsBy",
      m.options as "advancedOptions", m.reminder_minutes as "reminderMinutes", m.created_at as "createdOn",
      m.modified_at as "modifiedOn", m.cancelled_at as "cancelledOn", m.continues
    from meeting m where m.host_id = ${accountId} and m.id > ${after} order by m.id limit ${pageSizeOfLong}`,
    pageSizeOfLong,
    listsOfMeeting,
  ),
  invitations: section(
    (caller, after) => sql`select m.id as cursor, m.id as id, m.topic, m.starts_at as "startTime",
      m.ends_at as "endTime", m.cancelled_at as "cancelledOn", trim(h.name || ' ' || h.lname) as host,
      p.display_name as "displayName", p.invited, p.cohost, p.response, p.response_comment as "responseComment",
      ${occurrenceResponses} as "occurrenceResponses",
      (select coalesce(json_agg(json_build_object('originalStartTime', ${timeJson('t.original_start')},
        'startTime', ${timeJson('t.starts_at')}, 'endTime', ${timeJson('t.ends_at')}, 'comment', t.comment,
        'proposedOn', ${timeJson('t.proposed_at')}) order by t.proposed_at), '[]')
        from time_proposal t where t.meeting_id = p.meeting_id and t.email_key = p.email_key) as "timeProposals"
    from participant p join meeting m on m.id = p.meeting_id join account h on h.id = m.host_id
    where p.email_key = ${addressOf(caller)} and m.id > ${after} order by m.id limit ${pageSizeOfLong}`,
    pageSizeOfLong,
  ),
  addedMeetings: section(
    ({ accountId }, after) => sql`select m.id as cursor, m.id as id, m.topic, m.starts_at as "startTime",
      m.ends_at as "endTime", m.cancelled_at as "cancelledOn", a.added_at as "addedOn"
    from added_meeting a join meeting m on m.id = a.meeting_id
    where a.account_id = ${accountId} and m.id > ${after} order by m.id limit ${pageSize}`,
  ),
  meetingColours: section(
    ({ accountId }, after) => sql`select meeting_id as cursor, meeting_id as "meetingId", colour
    from meeting_colour where account_id = ${accountId} and meeting_id > ${after} order by meeting_id limit ${pageSize}`,
  ),
  handOvers: section(
    ({ accountId }, after) => sql`select o.meeting_id as cursor, o.meeting_id as "meetingId", m.topic,
      o.offered_at as "offeredOn", o.expires_at as "expiresAt", o.declined_at as "declinedOn"
    from hand_over o join meeting m on m.id = o.meeting_id
    where o.account_id = ${accountId} and o.meeting_id > ${after} order by o.meeting_id limit ${pageSize}`,
  ),
  contacts: section(
    ({ accountId }, after) => sql`select email_key as cursor, email, name, invited_at as "lastInvitedOn"
    from contact where account_id = ${accountId} and email_key > ${after} order by email_key limit ${pageSize}`,
  ),
  meetingTemplates: section(
    ({ accountId }, after) => sql`select id as cursor, id, name, content, created_at as "createdOn",
      modified_at as "modifiedOn"
    from meeting_template where account_id = ${accountId} and id > ${after} order by id limit ${pageSizeOfLong}`,
    pageSizeOfLong,
  ),
  blockedSenders: section(
    ({ accountId }, after) => sql`select b.sender_id as cursor, b.sender_id as "userId",
      trim(s.name || ' ' || s.lname) as sender, b.blocked_at as "blockedOn"
    from blocked_sender b join account s on s.id = b.sender_id
    where b.account_id = ${accountId} and b.sender_id > ${after} order by b.sender_id limit ${pageSize}`,
  ),
  attendance: section(
    ({ accountId }, after) => sql`select s.id as cursor, s.meeting_id as "meetingId", m.topic, s.name, s.role,
      s.joined_at as "joinedOn", s.left_at as "leftOn"
    from room_stay s left join meeting m on m.id = s.meeting_id
    where s.account_id = ${accountId} and s.id > ${after} order by s.id limit ${pageSize}`,
  ),
  mails: section(
    (caller, after) => sql`select g.id as cursor, g.meeting_id as "meetingId", g.kind, g.sent_at as "sentOn"
    from guest_mail g where g.email_key = ${addressOf(caller)} and g.outcome = 'sent' and g.id > ${after}
    order by g.id limit ${pageSize}`,
  ),
  events: section(
    // The position is a number, and `first` is none.
    ({ accountId }, after) => sql`select e.position as cursor, e.id as id, e.type, e.occurred_at as "happenedOn",
      e.sequence, e.subject, ${visibleActingGrant(sql`e`, sql`true`)} as "actingGrantId", e.data
    from event e
    where e.account_id = ${accountId} and e.position > coalesce(nullif(${after}::text, ${first}), '0')::bigint
    order by e.position limit ${pageSize}`,
  ),
  notifications: section(
    ({ accountId, addressTrusted }, after) => sql`select n.number as cursor, n.id as id, n.kind,
      n.occurred_at as "createdOn", n.read_at as "readOn", n.meeting_id as "meetingId", n.app_id as "appId", n.data
    from notification n where n.account_id = ${accountId} and (${addressTrusted} or not n.by_address)
      and n.number > coalesce(nullif(${after}::text, ${first}), '0')::bigint
    order by n.number limit ${pageSize}`,
  ),
  pushSubscriptions: section(
    ({ accountId }, after) => sql`select s.id as cursor, s.id as id, s.session_id as "sessionId", s.service,
      s.language, s.created_at as "createdOn"
    from push_subscription s where s.account_id = ${accountId} and s.id > ${after} order by s.id limit ${pageSize}`,
  ),
  securityLog: section(
    ({ accountId }, after) => sql`select e.id as cursor, e.created_at as "happenedOn", e.action,
      case when e.actor_id = ${accountId} then 'you' when e.actor_id is null then 'unknown' else 'organisation' end as "by",
      case when e.actor_id = ${accountId} or e.actor_id is null then e.address else '' end as address, e.detail
    from audit_entry e where (e.subject_id = ${accountId} or e.actor_id = ${accountId}) and e.id > ${after}
    order by e.id limit ${pageSize}`,
  ),
}

/** The meetings of the exported calendar, by their ids. */
export const calendarSections = {
  hosted: section(
    ({ accountId }, after) => sql`select id as cursor, id from meeting
    where host_id = ${accountId} and id > ${after} order by id limit ${pageSize}`,
  ),
  invited: section(
    (caller, after) => sql`select meeting_id as cursor, meeting_id as id from participant
    where email_key = ${addressOf(caller)} and meeting_id > ${after} order by meeting_id limit ${pageSize}`,
  ),
  added: section(
    ({ accountId }, after) => sql`select meeting_id as cursor, meeting_id as id from added_meeting
    where account_id = ${accountId} and meeting_id > ${after} order by meeting_id limit ${pageSize}`,
  ),
}

/** Read all rows of a section, page by page, without their lists. */
export const rowsOf = (database: Database, caller: Caller, read: Section): AsyncGenerator<Row> =>
  pages(read.pageSize, first, (after) => read.read(database, caller, after))

/** Write all rows of a section as the elements of a JSON array, in short pieces. */
export async function* rowsAsJson(database: Database, caller: Caller, read: Section): AsyncGenerator<string> {
  let separator = '\n'
  for await (const row of rowsOf(database, caller, read)) {
    const text = JSON.stringify(row)
    const lists = Object.entries(read.lists)
    yield `${separator}${lists.length === 0 ? text : text.slice(0, -1)}`
    separator = ',\n'
    for (const [name, of] of lists) {
      yield `,${JSON.stringify(name)}:[`
      let comma = ''
      for await (const item of pages(of.pageSize, '', (after) => of.read(database, String(row.id), after))) {
        yield `${comma}${JSON.stringify(item[plain] ?? item)}`
        comma = ','
      }
      yield ']'
    }
    if (lists.length > 0) yield '}'
  }
}

async function* pages(size: number, start: string, read: (after: string) => Promise<Page>): AsyncGenerator<Row> {
  let after: string | undefined = start
  while (after !== undefined) {
    const page: Page = await read(after)
    for (const { row } of page) yield row
    after = page.length < size ? undefined : page.at(-1)?.cursor
  }
}
