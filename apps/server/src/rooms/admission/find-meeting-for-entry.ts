import type { Caller } from '../../access/caller.ts'
import { statement } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import type { Database } from '../../tables/tables.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { findOwnRoom, findOwnRoomById, findOwnRooms, isCodeOfOwnRoom } from './own-room-store.ts'

const meetingColumns = `select 'meeting' as kind, m.id, m.topic, m.starts_at as "startsAt", m.ends_at as "endsAt", m.time_zone as "timeZone",
     m.time_zone_iana as "timeZoneIana", m.recurrence as rule, m.ends_by as "endsBy", m.options,
     m.sealed_secrets as "sealedSecrets", m.cancelled_at as "cancelledAt",
     (select coalesce(json_agg(s.starts_at), '[]') from skipped_occurrence s where s.meeting_id = m.id) as skipped,
     json_build_object('id', h.id, 'tenantId', h.tenant_id, 'name', h.name, 'lname', h.lname) as host,
     p.invited, p.cohost, r.locked_at as "lockedAt", r.ended_at as "endedAt",
     r.asks_new_guests_since as "asksNewGuestsSince", r.asks_new_guests_for as "asksNewGuestsFor"`

const meetingSql = `${meetingColumns}
   from meeting m join account h on h.id = m.host_id
     left join participant p on p.meeting_id = m.id and p.email_key = $2
     left join room r on r.meeting_id = m.id`

const findManyStatement = statement<MeetingForEntry & { ordinal: number }>(
  'find-doors',
  `${meetingColumns}, a.ordinal
   from unnest($1::text[], $2::text[]) with ordinality as a (code, email_key, ordinal)
     join meeting m on m.code = a.code join account h on h.id = m.host_id
     left join participant p on p.meeting_id = m.id and p.email_key = a.email_key
     left join room r on r.meeting_id = m.id`,
)

const findStatement = statement<MeetingForEntry>('find-door', `${meetingSql} where m.code = $1`)
const findOfMeetingStatement = statement<MeetingForEntry>('find-door-of-meeting', `${meetingSql} where m.id = $1`)

/**
 * Find the meeting or the own room of a code, with the caller's invitation; undefined if there is none. Only a trusted
 * address can be invited (docs/decisions/0024).
 */
export async function findMeetingForEntry(database: Database, code: string, caller: Caller | undefined) {
  if (!isCode(code)) return undefined
  if (isCodeOfOwnRoom(code)) return findOwnRoom(database, code)
  const [found] = await findStatement(database, [code, caller?.addressTrusted ? caller.addressKey : null])
  return found
}

/** `findMeetingForEntry` for many queries, in one statement for meetings and one for own rooms; results in the same order. */
export async function findMeetingsForEntry(
  database: Database,
  queries: readonly { code: string; addressKey: string | null }[],
): Promise<(MeetingForEntry | undefined)[]> {
  const found: (MeetingForEntry | undefined)[] = queries.map(() => undefined)
  const codes = queries.map(({ code }) => (isCode(code) && !isCodeOfOwnRoom(code) ? code : null))
  if (codes.some((code) => code !== null)) {
    const rows = await findManyStatement(database, [codes, queries.map(({ addressKey }) => addressKey)])
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
export async function findMeetingForEntryById(database: Database, meetingId: string) {
  if (!isUuid(meetingId)) return undefined
  const [found] = await findOfMeetingStatement(database, [meetingId, null])
  return found ?? findOwnRoomById(database, meetingId)
}

/** Ten digits, the first not 0 (docs/api-conventions.md, "Meetings"). */
const isCode = (text: string) => /^[1-9]\d{9}$/.test(text)
