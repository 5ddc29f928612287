import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { briefExceptionsJson, exceptionsType } from '../../meetings/exception-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type Parameter } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { findOwnRoom, findOwnRoomById, findOwnRooms, isCodeOfOwnRoom } from './own-room-store.ts'

const meetingTypes = {
  kind: typed<'meeting'>('text'),
  ...pick(
    tables.meeting,
    'id',
    'topic',
    'startsAt',
    'endsAt',
    'timeZone',
    'timeZoneIana',
    'endsBy',
    'options',
    'sealedSecrets',
    'cancelledAt',
  ),
  rule: typed<RecurrenceRule>('jsonb'),
  exceptions: exceptionsType,
  host: typed<MeetingForEntry['host']>('json'),
  invited: 'boolean?',
  cohost: 'boolean?',
  ...pick(tables.room, 'lockedAt', 'endedAt', 'asksNewGuestsSince', 'asksNewGuestsFor'),
} as const

const meetingColumns = sql`'meeting' as kind, m.id, m.topic, m.starts_at, m.ends_at,
     m.time_zone, m.time_zone_iana, m.recurrence as rule, m.ends_by, m.options,
     m.sealed_secrets, m.cancelled_at,
     ${briefExceptionsJson(sql`m.id`)} as exceptions,
     json_build_object('id', h.id, 'tenantId', h.tenant_id, 'name', h.name, 'lname', h.lname) as host,
     p.invited, p.cohost, r.locked_at, r.ended_at,
     r.asks_new_guests_since, r.asks_new_guests_for`

const selectMeeting = (p: { addressKey: Parameter }) => sql`select ${meetingColumns}
   from meeting m join account h on h.id = m.host_id
     left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey}
     left join room r on r.meeting_id = m.id`

const findManyStatement = defineStatement({
  name: 'find-meetings-for-entry',
  parameters: { codes: 'text?[]', addressKeys: 'text?[]' },
  columns: { ...meetingTypes, ordinal: 'bigint' },
  text: (p) => sql`select ${meetingColumns}, a.ordinal
   from unnest(${p.codes}, ${p.addressKeys}) with ordinality as a (code, email_key, ordinal)
     join meeting m on m.code = a.code join account h on h.id = m.host_id
     left join participant p on p.meeting_id = m.id and p.email_key = a.email_key
     left join room r on r.meeting_id = m.id`,
})

const findStatement = defineStatement({
  name: 'find-meeting-for-entry',
  parameters: { code: tables.meeting.code, addressKey: 'text?' },
  columns: meetingTypes,
  text: (p) => sql`${selectMeeting(p)} where m.code = ${p.code}`,
})
const findOfMeetingStatement = defineStatement({
  name: 'find-meeting-for-entry-by-id',
  parameters: { meetingId: tables.participant.meetingId, addressKey: 'text?' },
  columns: meetingTypes,
  text: (p) => sql`${selectMeeting(p)} where m.id = ${p.meetingId}`,
})

/**
 * Find the meeting or the own room of a code, with the caller's invitation; undefined if there is none. Only a trusted
 * address can be invited (docs/decisions/0024).
 */
export async function findMeetingForEntry(
  database: Database,
  code: string,
  caller: Caller | undefined,
): Promise<MeetingForEntry | undefined> {
  if (!isCode(code)) return undefined
  if (isCodeOfOwnRoom(code)) return findOwnRoom(database, code)
  const addressKey = caller?.addressTrusted ? caller.addressKey : null
  const [found] = await findStatement.execute(database, { code, addressKey })
  return found
}

/**
 * `findMeetingForEntry` for many queries, in one statement for meetings and one for own rooms; results in the same
 * order.
 */
export async function findMeetingsForEntry(
  database: Database,
  queries: readonly { code: string; addressKey: string | null }[],
): Promise<(MeetingForEntry | undefined)[]> {
  const found: (MeetingForEntry | undefined)[] = queries.map(() => undefined)
  const codes = queries.map(({ code }) => (isCode(code) && !isCodeOfOwnRoom(code) ? code : null))
  if (codes.some((code) => code !== null)) {
    const rows = await findManyStatement.execute(database, {
      codes,
      addressKeys: queries.map(({ addressKey }) => addressKey),
    })
    for (const row of rows) found[row.ordinal - 1] = row
  }
  const ownCodes = queries.flatMap(({ code }) => (isCode(code) && isCodeOfOwnRoom(code) ? [code] : []))
  if (ownCodes.length > 0) {
    const rows = await findOwnRooms(database, ownCodes)
    for (const [index, { code }] of queries.entries()) found[index] ??= rows.get(code)
  }
  return found
}

/** Find the meeting or the own room of an id, without any caller's invitation; undefined if there is none. */
export async function findMeetingForEntryById(
  database: Database,
  meetingId: string,
): Promise<MeetingForEntry | undefined> {
  if (!isUuid(meetingId)) return undefined
  const [found] = await findOfMeetingStatement.execute(database, { meetingId, addressKey: null })
  return found ?? findOwnRoomById(database, meetingId)
}

/** Ten digits, the first not 0 (docs/api-conventions.md, "Meetings"). */
const isCode = (text: string) => /^[1-9]\d{9}$/.test(text)
