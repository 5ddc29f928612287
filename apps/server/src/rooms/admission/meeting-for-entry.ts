import type { AdvancedOptions, EntryMeeting } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { seriesOf } from '@parley/rules/meetings/meeting-request'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { type Occurrence, occurrenceAt, type RecurrenceRule, type Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { isHeld } from '@parley/rules/rooms/admission'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import {
  briefExceptionsJson,
  exceptionsType,
  readExceptions,
  type WrittenExceptions,
} from '../../meetings/exception-store.ts'
import { viewNamedDates } from '../../meetings/meeting-view.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type Parameter } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { findOwnRoom, findOwnRoomById, findOwnRooms, isCodeOfOwnRoom } from './own-room.ts'

/** The columns of a meeting or an own room that entering needs, with the visitor's invitation. */
export type MeetingForEntry = {
  kind: EntryMeeting['kind']
  id: string
  topic: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  options: AdvancedOptions
  sealedSecrets: Buffer
  cancelledAt: Date | null
  exceptions: WrittenExceptions
  host: { id: string; tenantId: string; name: string; lname: string }
  /** Whether the visitor's trusted address is a participant or a cohost of the meeting; null without a row. */
  invited: boolean | null
  cohost: boolean | null
  lockedAt: Date | null
  /** Since when, and for which occurrence, new guests have to wait for admission; null if they need not. */
  asksNewGuestsSince: Date | null
  asksNewGuestsFor: Date | null
  endedAt: Date | null
}

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

/** The series of a meeting; of a cancelled one, what it keeps. */
export function seriesForEntry(row: MeetingForEntry): Series {
  const whole = seriesOf(row, readExceptions(row.exceptions))
  return row.cancelledAt === null ? whole : (heldSeries(whole, row.cancelledAt) ?? whole)
}

export const cancellationOf = ({ cancelledAt, rule }: MeetingForEntry) => ({
  cancelledAt,
  repeats: rule.repeat !== 'none',
})

/** Whether a date of the meeting, named by its original start, is cancelled or gone. */
export function isDateCancelled(row: MeetingForEntry, originalStart: Date): boolean {
  if (row.rule.repeat === 'none') return row.cancelledAt !== null
  const date = occurrenceAt(seriesForEntry(row), originalStart)
  return date === undefined || date.cancelled
}

export const viewMeetingForEntry = (row: MeetingForEntry, occurrence: Occurrence | undefined): EntryMeeting => ({
  kind: row.kind,
  topic: occurrence?.change?.topic ?? row.topic,
  hostName: `${row.host.name} ${row.host.lname}`.trim(),
  startTime: row.startsAt.toISOString(),
  endTime: row.endsAt.toISOString(),
  recur: row.rule.repeat !== 'none',
  nextOccurrence: isHeld(cancellationOf(row), occurrence)
    ? viewNamedDates(occurrence, statusOf(occurrence, row.cancelledAt))
    : null,
  timeZone: row.timeZone,
  timeZoneIana: currentTimeZoneName(row.timeZoneIana),
})
