import type { MeetingColour } from '@parley/contract'
import { type MeetingTexts, mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import type { MeetingPerson } from '@parley/rules/meetings/participants'
import type { Reminder } from '@parley/rules/meetings/reminders'
import type { MeetingValues } from '@parley/rules/meetings/update-plan'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { TextAuthors } from '../../migrations/column-values.ts'
import type { Actor } from '../access/caller.ts'
import { meetingEventData } from '../event-log/record-event.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import { isBlocked, shareBlocksOfHost } from './blocked-sender-store.ts'
import { type MeetingRow, meetingColumns, meetingRowOf, meetingTypes, textBytesColumn } from './meeting-row.ts'

/** A caller as the statements of this module need it. */
export type Viewer = {
  accountId: string
  tenantId: string
  /** Whether meetings are found that only administration opens (only meeting-access.ts sets it). */
  administrator: boolean
  /** Null if the address is not trusted. */
  addressKey: string | null
  /** Whether accounts behind unverified addresses are named (access/trusted-address.ts). */
  namesEveryAddress: boolean
}

/** A request for a meeting by a viewer. */
export type MeetingLookup = { id: string; viewer: Viewer }

/** A meeting, with the other parts of its series that the viewer may read, and the viewer's colour. */
export type FoundMeeting = MeetingRow & {
  continues: string | null
  continuedBy: string | null
  /** The meeting that the colour follows where the viewer has chosen none. */
  colourSeed: string | null
  ownColour: MeetingColour | null
}

/** Whether the viewer of the request `requested` may read the meeting `m`, whose host belongs to `tenantId`. */
const sqlReadable = (m: Fragment, tenantId: Fragment) => sql`(${m}.host_id = requested.account_id
     or exists (select from participant mine where mine.meeting_id = ${m}.id and mine.email_key = requested.address_key)
     or exists (select from added_meeting a where a.meeting_id = ${m}.id and a.account_id = requested.account_id)
     or (requested.administrator and requested.tenant_id = ${tenantId}))`

/** The id of another part of the series of the meeting `m`. */
const readablePart = (condition: Fragment) => sql`(select other.id from meeting other
     where ${condition}
       and ${sqlReadable(sql`other`, sql`(select o.tenant_id from account o where o.id = other.host_id)`)})`

/**
 * Find several meetings, each for a viewer. A meeting that its viewer may not know is absent, so that ids cannot be
 * probed.
 */
const findStatement = defineStatement({
  name: 'find-meetings',
  parameters: {
    namesEveryAddress: 'boolean',
    ids: 'uuid[]',
    accountIds: 'uuid[]',
    addressKeys: 'text?[]',
    administrators: 'boolean[]',
    tenantIds: 'uuid[]',
  },
  columns: {
    ordinal: 'bigint',
    ...meetingTypes,
    continues: tables.meeting.continues,
    continuedBy: 'uuid?',
    colourSeed: tables.meeting.colourSeed,
    ownColour: typed<MeetingColour | null>('text?'),
  },
  text: (p) => sql`select requested.ordinal, ${meetingColumns(p)},
     case when m.continues is not null then ${readablePart(sql`other.id = m.continues`)} end as continues,
     ${readablePart(sql`other.continues = m.id`)} as continued_by,
     m.colour_seed, (select c.colour from meeting_colour c
       where c.meeting_id = m.id and c.account_id = requested.account_id) as own_colour
   from unnest(${p.ids}, ${p.accountIds}, ${p.addressKeys}, ${p.administrators}, ${p.tenantIds})
     with ordinality as requested (id, account_id, address_key, administrator, tenant_id, ordinal)
   join meeting m on m.id = requested.id join account h on h.id = m.host_id
   where ${sqlReadable(sql`m`, sql`h.tenant_id`)}`,
})

const lockStatement = defineStatement({
  name: 'lock-meeting',
  parameters: { id: tables.meeting.id },
  columns: { id: tables.meeting.id },
  text: (p) => sql`select id from meeting where id = ${p.id} for update`,
})

/** Find meetings, in the order of the requests; undefined for a meeting that the viewer may not know. */
export async function findMeetings(
  database: Database,
  requested: readonly MeetingLookup[],
  namesEveryAddress: boolean,
): Promise<(FoundMeeting | undefined)[]> {
  const rows = await findStatement.execute(database, {
    namesEveryAddress,
    ids: requested.map(({ id }) => id),
    accountIds: requested.map(({ viewer }) => viewer.accountId),
    addressKeys: requested.map(({ viewer }) => viewer.addressKey),
    administrators: requested.map(({ viewer }) => viewer.administrator),
    tenantIds: requested.map(({ viewer }) => viewer.tenantId),
  })
  const found = new Map(
    rows.map(({ ordinal, continues, continuedBy, colourSeed, ownColour, ...row }) => [
      ordinal,
      { ...meetingRowOf(row), continues, continuedBy, colourSeed, ownColour },
    ]),
  )
  return requested.map((_, index) => found.get(index + 1))
}

export async function findMeeting(database: Database, id: string, viewer: Viewer): Promise<FoundMeeting | undefined> {
  const [found] = await findMeetings(database, [{ id, viewer }], viewer.namesEveryAddress)
  return found
}

/** `findMeeting` with a row lock until the transaction ends. */
export async function lockMeeting(tx: Tx, id: string, viewer: Viewer): Promise<FoundMeeting | undefined> {
  const [locked] = await lockStatement.execute(tx, { id })
  return locked && findMeeting(tx, id, viewer)
}

const findAnyStatement = defineStatement({
  name: 'find-any-meeting',
  parameters: { namesEveryAddress: 'boolean', id: tables.meeting.id },
  columns: meetingTypes,
  text: (p) => sql`select ${meetingColumns(p)} from meeting m join account h on h.id = m.host_id where m.id = ${p.id}`,
})

/** Find a meeting without a viewer, for background jobs. */
export async function findAnyMeeting(database: Database, id: string): Promise<MeetingRow | undefined> {
  // Accounts behind addresses matter to replies only.
  const [found] = await findAnyStatement.execute(database, { namesEveryAddress: false, id })
  return found && meetingRowOf(found)
}

/**
 * The authors of the texts after a change: the actor wrote the texts that differ. `former` is undefined for a new
 * meeting.
 */
export function authorsOf(
  { accountId, grantId }: Pick<Actor, 'accountId' | 'grantId'>,
  texts: MeetingTexts,
  former: (MeetingTexts & Pick<MeetingRow, 'textAuthors'>) | undefined,
): TextAuthors {
  return mapTexts((text) => (texts[text] === former?.[text] ? former.textAuthors[text] : { accountId, grantId }))
}

/** The parameters of a statement that contains `insertPeople`. */
const peopleParameters = {
  personKeys: 'text[]',
  personEmails: 'text[]',
  personInvited: 'boolean[]',
  personCohost: 'boolean[]',
  personNames: 'text[]',
} as const

const peopleValues = (people: readonly MeetingPerson[]) => ({
  personKeys: people.map((person) => person.addressKey),
  personEmails: people.map((person) => person.email),
  personInvited: people.map((person) => person.invited),
  personCohost: people.map((person) => person.cohost),
  personNames: people.map(({ displayName = '' }) => displayName),
})

/** Insert the people of the row `meeting`, a table expression. The caller holds `shareBlocksOfHost`. */
const insertPeople = (meeting: Fragment, p: Record<keyof typeof peopleParameters, Parameter>) => sql`
  insert into participant (meeting_id, email_key, email, position, invited, cohost, starts_at, meeting_recurring,
    blocked, display_name)
  select ${meeting}.id, person.email_key, person.email, person.position, person.invited, person.cohost,
    ${meeting}.starts_at, ${meeting}.recurring, ${isBlocked(sql`person.email_key`, sql`${meeting}.host_id`)},
    person.display_name
  from ${meeting}, unnest(${p.personKeys}, ${p.personEmails}, ${p.personInvited}, ${p.personCohost},
      ${p.personNames})
    with ordinality as person (email_key, email, invited, cohost, display_name, position)`

/** The parameters of `MeetingValues`. */
const meetingParameters = {
  ...pick(
    tables.meeting,
    ...meetingTextNames,
    'startsAt',
    'endsAt',
    'timeZone',
    'timeZoneIana',
    'endsBy',
    'options',
    'reminderMinutes',
  ),
  rule: typed<RecurrenceRule>('jsonb'),
  overAt: typed<Date | 'infinity'>('timestamptz'),
  ...peopleParameters,
} as const

/** Few enough rows to add up for each list, enough that concurrent creates rarely lock the same one. */
export const countShards = 64

/** A new meeting, as its row is inserted. */
export type NewMeeting = MeetingValues & {
  id: string
  code: string
  hostId: string
  /** The app that created it; null if a person or a personal token did. */
  appId: string | null
  sealedSecrets: Buffer
  replyAddress: string | null
  textAuthors: TextAuthors
  createdAt: Date
  /** The series that this meeting continues; null for a meeting of its own. */
  continues: string | null
  reminder: Reminder | undefined
  /** The grant by which an app creates it. */
  actingGrantId: string | null
}

const insertStatement = defineStatement({
  name: 'insert-meeting',
  parameters: {
    namesEveryAddress: 'boolean',
    ...pick(tables.meeting, 'id', 'code', 'hostId', 'appId', 'sealedSecrets', 'replyAddress', 'createdAt', 'continues'),
    actingGrantId: tables.event.actingGrantId,
    ...meetingParameters,
    textAuthors: typed<TextAuthors>('jsonb'),
    reminderOccurrence: 'timestamptz?',
    reminderDueAt: 'timestamptz?',
  },
  columns: meetingTypes,
  text: (p) => sql`with created as (
    insert into meeting (id, code, host_id, modified_by, ${sql.join(meetingTextNames.map((name) => sql.raw(name)))}, starts_at, ends_at, time_zone,
      time_zone_iana, recurrence, ends_by, over_at, options, sealed_secrets, created_at, modified_at, app_id,
      reminder_minutes, state_sequence, reply_address, text_authors)
    values (${p.id}, ${p.code}, ${p.hostId}, ${p.hostId}, ${sql.join(meetingTextNames.map((name) => p[name]))}, ${p.startsAt}, ${p.endsAt},
      ${p.timeZone}, ${p.timeZoneIana}, ${p.rule}, ${p.endsBy}, ${p.overAt}, ${p.options}, ${p.sealedSecrets},
      ${p.createdAt}, ${p.createdAt}, ${p.appId}, ${p.reminderMinutes}, 0, ${p.replyAddress}, ${p.textAuthors})
    on conflict (code) do nothing returning *
  ), people as (${insertPeople(sql`created`, p)} returning *), counted as (
    insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants, text_bytes)
    select ${p.hostId}, pg_backend_pid() % ${sql.lit(countShards)}, 1, 0, cardinality(${p.personKeys}),
      ${textBytesColumn((name) => p[name])} from created
    on conflict (host_id, shard) do update set active = hosted.active + 1,
      participants = hosted.participants + excluded.participants, text_bytes = hosted.text_bytes + excluded.text_bytes
  ), reminded as (
    insert into meeting_reminder (meeting_id, occurrence, due_at)
    select id, ${p.reminderOccurrence}, ${p.reminderDueAt} from created where ${p.reminderOccurrence} is not null
  ), recorded as (
    insert into event (type, occurred_at, account_id, subject, meeting_id, acting_grant_id, data)
    select 'meeting.created', ${p.createdAt}, host_id, id, id, ${p.actingGrantId},
      ${meetingEventData(sql`created`, sql`jsonb_strip_nulls(jsonb_build_object('continues', ${p.continues}))`)}
    from created
  ) select ${meetingColumns(p, sql`people`)} from created m join account h on h.id = m.host_id`,
})

/**
 * Insert a meeting with its people, its first reminder and its event, and return it as every read does. Undefined if
 * another meeting has the code. The caller holds `shareBlocksOfHost`.
 */
export async function insertMeetingRow(
  tx: Tx,
  { participants, reminder, ...meeting }: NewMeeting & { namesEveryAddress: boolean },
): Promise<MeetingRow | undefined> {
  const [inserted] = await insertStatement.execute(tx, {
    ...meeting,
    ...peopleValues(participants),
    reminderOccurrence: reminder?.occurrence ?? null,
    reminderDueAt: reminder?.dueAt ?? null,
  })
  return inserted && meetingRowOf(inserted)
}

const replaceStatement = defineStatement({
  name: 'replace-meeting',
  parameters: {
    ...pick(tables.meeting, 'id', 'modifiedBy', 'sequence'),
    ...meetingParameters,
    textAuthors: typed<TextAuthors>('jsonb'),
    stateSequence: 'integer',
    asksAgain: 'boolean',
    now: 'timestamptz',
  },
  text: (p) => sql`with former as (
    select host_id, ${textBytesColumn((name) => sql.raw(name))} as text_bytes,
      (select count(*) from participant where meeting_id = ${p.id}) as participants
    from meeting where id = ${p.id}
  ), counted as (
    insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants, text_bytes)
    select host_id, pg_backend_pid() % ${sql.lit(countShards)}, 0, 0, cardinality(${p.personKeys}) - participants,
      ${textBytesColumn((name) => p[name])} - text_bytes
    from former on conflict (host_id, shard) do update set
      participants = hosted.participants + excluded.participants, text_bytes = hosted.text_bytes + excluded.text_bytes
  ), replaced as (
    update meeting set ${sql.join(meetingTextNames.map((name) => sql`${sql.raw(name)} = ${p[name]}`))}, starts_at = ${p.startsAt},
      ends_at = ${p.endsAt}, time_zone = ${p.timeZone}, time_zone_iana = ${p.timeZoneIana}, recurrence = ${p.rule},
      ends_by = ${p.endsBy}, over_at = ${p.overAt}, options = ${p.options}, modified_by = ${p.modifiedBy},
      text_authors = ${p.textAuthors}, modified_at = ${p.now}, version = version + 1, reminder_minutes = ${p.reminderMinutes},
      sequence = ${p.sequence}, state_sequence = ${p.stateSequence},
      asked_sequence = case when ${p.asksAgain} then ${p.sequence} else asked_sequence end
    where id = ${p.id} returning id, host_id, starts_at, recurring
  ) ${insertPeople(sql`replaced`, p)}
  on conflict (meeting_id, email_key) do update set email = excluded.email, position = excluded.position,
    invited = excluded.invited, cohost = excluded.cohost, display_name = excluded.display_name, starts_at = excluded.starts_at,
    meeting_recurring = excluded.meeting_recurring,
    response = case when not ${p.asksAgain} then participant.response end,
    response_comment = case when not ${p.asksAgain} then participant.response_comment end`,
})

type Replacement = {
  actor: Actor
  textAuthors: TextAuthors
  sequence: number
  stateSequence: number
  /** Reset the responses of participants, which were for another time. */
  asksAgain: boolean
  now: Date
}

export async function replaceMeeting(
  tx: Tx,
  id: string,
  { participants, ...values }: MeetingValues,
  { actor, ...replacement }: Replacement,
): Promise<void> {
  const people = peopleValues(participants)
  await shareBlocksOfHost(tx, actor.namedId)
  await deletePeopleStatement.execute(tx, { id, keys: people.personKeys })
  await replaceStatement.execute(tx, { id, ...values, ...people, ...replacement, modifiedBy: actor.accountId })
}

/** Delete the participants who are not named, and end their reply addresses. */
const deletePeopleStatement = defineStatement({
  name: 'delete-people',
  parameters: { id: tables.meeting.id, keys: 'text[]' },
  text: (p) => sql`with removed as (
    delete from participant where meeting_id = ${p.id} and email_key <> all (${p.keys}) returning meeting_id, email_key
  ), counted as (
    insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants)
    select m.host_id, pg_backend_pid() % ${sql.lit(countShards)}, 0, 0, -count(*)
    from removed join meeting m on m.id = removed.meeting_id group by m.host_id
    on conflict (host_id, shard) do update set participants = hosted.participants + excluded.participants
  ) insert into reply_generation (meeting_id, email_key) select meeting_id, email_key from removed
    on conflict (meeting_id, email_key) do update set generation = reply_generation.generation + 1`,
})

/** Record that dates of a series were changed: its version, its SEQUENCE, and the end of its last occurrence. */
export const recordChangedDates = (tx: Tx, id: string, overAt: Date | 'infinity', actor: Actor, now: Date) =>
  tx
    .updateTable('meeting')
    .set((row) => ({
      overAt,
      modifiedBy: actor.accountId,
      modifiedAt: now,
      version: row('version', '+', 1),
      sequence: row('sequence', '+', 1),
      stateSequence: row('sequence', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

const endStatement = defineStatement({
  name: 'end-meeting',
  parameters: { ...pick(tables.meeting, 'id', 'modifiedBy'), now: 'timestamptz', overAt: 'timestamptz' },
  text: (p) => sql`with ended as (
    update meeting set cancelled_at = ${p.now}, over_at = ${p.overAt}, modified_by = ${p.modifiedBy},
      modified_at = ${p.now}, version = version + 1, sequence = sequence + 1, state_sequence = sequence + 1
    where id = ${p.id} returning host_id
  ), cancelled_for_people as (
    update participant set meeting_cancelled = true where meeting_id = ${p.id}
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select host_id, pg_backend_pid() % ${sql.lit(countShards)}, -1, 1 from ended
    on conflict (host_id, shard) do update set active = hosted.active - 1, cancelled = hosted.cancelled + 1`,
})

const restoreStatement = defineStatement({
  name: 'restore-cancelled-meeting',
  parameters: {
    ...pick(tables.meeting, 'id', 'modifiedBy'),
    overAt: typed<Date | 'infinity'>('timestamptz'),
    now: 'timestamptz',
  },
  text: (p) => sql`with restored as (
    update meeting set cancelled_at = null, over_at = ${p.overAt}, modified_by = ${p.modifiedBy},
      modified_at = ${p.now}, version = version + 1, sequence = sequence + 1, state_sequence = sequence + 1
    where id = ${p.id} returning host_id
  ), restored_for_people as (
    update participant set meeting_cancelled = false where meeting_id = ${p.id}
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select host_id, pg_backend_pid() % ${sql.lit(countShards)}, 1, -1 from restored
    on conflict (host_id, shard) do update set active = hosted.active + 1, cancelled = hosted.cancelled - 1`,
})

/** Whether the account of a host exists: the meetings of a host who has left stay cancelled. */
export const hasHost = async (tx: Tx, hostId: string): Promise<boolean> =>
  (await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', hostId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()) !== undefined

/** Let a cancelled meeting take place again; `overAt` is the end of its last occurrence. */
export const restoreCancelled = (tx: Tx, id: string, overAt: Date | 'infinity', actor: Actor, now: Date) =>
  restoreStatement.execute(tx, { id, now, overAt, modifiedBy: actor.accountId })

export const endMeeting = (tx: Tx, id: string, overAt: Date, actor: Actor, now: Date) =>
  endStatement.execute(tx, { id, now, overAt, modifiedBy: actor.accountId })
