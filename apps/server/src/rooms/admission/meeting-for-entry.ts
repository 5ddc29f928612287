import type { AllowedRights, EntryMeeting, RoomRole } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { type Occurrence, occurrenceAt, type RecurrenceRule, type Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { isHeld, occurrenceToEnter } from '@parley/rules/rooms/admission'
import { occurrenceAfter } from '@parley/rules/rooms/call-end'
import { type DecidedRights, decidedForAll, rightsIn } from '@parley/rules/rooms/room-rights'
import { asksNewGuestsSince } from '@parley/rules/rooms/stored-admission'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { briefExceptionsJson, exceptionsType, readExceptions } from '../../meetings/exception-store.ts'
import { viewNamedDates } from '../../meetings/meeting-view.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type Fragment, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import {
  findOwnRoomById,
  findOwnRooms,
  hostJson,
  isCodeOfOwnRoom,
  type RoomHostAccount,
  roomColumns,
  roomTypes,
} from './own-room.ts'

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
  host: typed<RoomHostAccount>('json'),
  /** Whether the visitor's trusted address is a participant or a cohost of the meeting; null without a row. */
  invited: 'boolean?',
  cohost: 'boolean?',
  ...roomTypes,
} as const

/** What entering needs of a meeting or an own room, with the visitor's invitation. */
export type MeetingForEntry = Omit<RowOf<typeof meetingTypes>, 'kind'> & { kind: EntryMeeting['kind'] }

const meetingColumns = sql`'meeting' as kind, m.id, m.topic, m.starts_at, m.ends_at,
     m.time_zone, m.time_zone_iana, m.recurrence as rule, m.ends_by, m.options,
     m.sealed_secrets, m.cancelled_at,
     ${briefExceptionsJson(sql`m.id`)} as exceptions,
     ${hostJson} as host,
     p.invited, p.cohost, ${roomColumns}`

/** The tables of `meetingColumns` other than the meeting. */
const joinedTables = (addressKey: Fragment) => sql`join account h on h.id = m.host_id
     left join participant p on p.meeting_id = m.id and p.email_key = ${addressKey}
     left join room r on r.meeting_id = m.id`

const findManyStatement = defineStatement({
  name: 'find-meetings-for-entry',
  parameters: { codes: 'text?[]', addressKeys: 'text?[]' },
  columns: { ...meetingTypes, ordinal: 'bigint' },
  text: (p) => sql`select ${meetingColumns}, a.ordinal
   from unnest(${p.codes}, ${p.addressKeys}) with ordinality as a (code, email_key, ordinal)
     join meeting m on m.code = a.code ${joinedTables(sql`a.email_key`)}`,
})

/** A code, and the trusted address of the person who sent it; null without one. */
export type EntryQuery = { code: string; addressKey: string | null }

/**
 * Find the meetings or own rooms of these codes, each with the invitation of the address, by one statement for meetings
 * and one for own rooms; results in the order of the queries.
 */
export async function findMeetingsForEntry(
  database: Database,
  queries: readonly EntryQuery[],
): Promise<(MeetingForEntry | undefined)[]> {
  const found: (MeetingForEntry | undefined)[] = queries.map(() => undefined)
  const codes = queries.map(({ code }) => (isCode(code) && !isCodeOfOwnRoom(code) ? code : null))
  if (codes.some((code) => code !== null)) {
    const addressKeys = queries.map(({ addressKey }) => addressKey)
    for (const { ordinal, ...row } of await findManyStatement.execute(database, { codes, addressKeys })) {
      found[ordinal - 1] = row
    }
  }
  const ownCodes = queries.flatMap(({ code }) => (isCode(code) && isCodeOfOwnRoom(code) ? [code] : []))
  if (ownCodes.length > 0) {
    const rooms = await findOwnRooms(database, ownCodes)
    for (const [index, { code }] of queries.entries()) found[index] ??= rooms.get(code)
  }
  return found
}

/** What a caller's request asks for. Only a trusted address can be invited. */
export const entryQueryOf = (code: string, caller: Caller | undefined): EntryQuery => ({
  code,
  addressKey: caller?.addressTrusted ? caller.addressKey : null,
})

/** Find the meeting or the own room of a code, with the caller's invitation; undefined if there is none. */
export async function findMeetingForEntry(
  database: Database,
  code: string,
  caller: Caller | undefined,
): Promise<MeetingForEntry | undefined> {
  const [found] = await findMeetingsForEntry(database, [entryQueryOf(code, caller)])
  return found
}

const findByIdStatement = defineStatement({
  name: 'find-meeting-for-entry-by-id',
  parameters: { meetingId: tables.participant.meetingId },
  columns: meetingTypes,
  text: (p) => sql`select ${meetingColumns} from meeting m ${joinedTables(sql`null`)} where m.id = ${p.meetingId}`,
})

/** Find the meeting or the own room of an id, without any caller's invitation; undefined if there is none. */
export async function findMeetingForEntryById(
  database: Database,
  meetingId: string,
): Promise<MeetingForEntry | undefined> {
  if (!isUuid(meetingId)) return undefined
  const [found] = await findByIdStatement.execute(database, { meetingId })
  return found ?? findOwnRoomById(database, meetingId)
}

/** Ten digits, the first not 0 (docs/meetings.md, "Who sees what"). */
const isCode = (text: string) => /^[1-9]\d{9}$/.test(text)

/** The series of a meeting; of a cancelled one, what it keeps. */
function seriesForEntry(meeting: MeetingForEntry): Series {
  const whole = seriesOf(meeting, readExceptions(meeting.exceptions))
  return meeting.cancelledAt === null ? whole : (heldSeries(whole, meeting.cancelledAt) ?? whole)
}

/** The occurrence that a visitor enters who arrives now; undefined when the meeting is over. */
export const occurrenceNow = (meeting: MeetingForEntry, now: Date): Occurrence | undefined =>
  occurrenceToEnter(seriesForEntry(meeting), now)

/** The next date of the meeting after this one that takes place. */
export const occurrenceFollowing = (meeting: MeetingForEntry, occurrence: Occurrence): Occurrence | undefined =>
  occurrenceAfter(seriesForEntry(meeting), occurrence)

export const repeats = ({ rule }: MeetingForEntry): boolean => rule.repeat !== 'none'

export const cancellationOf = (meeting: MeetingForEntry) => ({
  cancelledAt: meeting.cancelledAt,
  repeats: repeats(meeting),
})

/** What the hosts have set for everyone in the room. */
export const roomSettingsOf = (meeting: MeetingForEntry, now: Date) => ({
  locked: meeting.lockedAt !== null,
  approvalRequired:
    asksNewGuestsSince(meeting, { occurrence: occurrenceNow(meeting, now), repeats: repeats(meeting) }) !== undefined,
})

/** The end of the call that is entered now, as planned or as a host has extended it; undefined where it has none. */
export function callEndOf(meeting: MeetingForEntry, occurrence: Occurrence | undefined): Date | undefined {
  if (meeting.kind === 'own_room' || occurrence === undefined) return undefined
  const { callEndsAt } = meeting
  return callEndsAt !== null && callEndsAt > occurrence.endsAt ? callEndsAt : occurrence.endsAt
}

/** What participants may do in the room now, unless a host has decided otherwise for one of them. */
export const rightsOfParticipants = (meeting: MeetingForEntry, now: Date): AllowedRights =>
  rightsOfPerson(meeting, { role: 'participant', rights: {} }, occurrenceNow(meeting, now))

/** What hosts have decided for all participants of the date that is entered now. */
export const decidedForAllIn = (meeting: MeetingForEntry, now: Date): DecidedRights =>
  decidedForAll(meeting, { occurrence: occurrenceNow(meeting, now), repeats: repeats(meeting) })

/** What a person may do in the room. */
export const rightsOfPerson = (
  meeting: MeetingForEntry,
  { role, rights }: { role: RoomRole; rights: DecidedRights },
  occurrence: Occurrence | undefined,
): AllowedRights =>
  rightsIn({
    role,
    ofPerson: rights,
    ofRoom: decidedForAll(meeting, { occurrence, repeats: repeats(meeting) }),
    hardMute: meeting.options.participantHardAudioMute,
  })

/** Whether a date of the meeting, named by its original start, is cancelled or gone. */
export function isDateCancelled(meeting: MeetingForEntry, originalStart: Date): boolean {
  if (!repeats(meeting)) return meeting.cancelledAt !== null
  const date = occurrenceAt(seriesForEntry(meeting), originalStart)
  return date === undefined || date.cancelled
}

export const toEntryMeeting = (meeting: MeetingForEntry, occurrence: Occurrence | undefined): EntryMeeting => ({
  kind: meeting.kind,
  topic: occurrence?.change?.topic ?? meeting.topic,
  hostName: `${meeting.host.name} ${meeting.host.lname}`.trim(),
  startTime: meeting.startsAt.toISOString(),
  endTime: meeting.endsAt.toISOString(),
  recur: repeats(meeting),
  nextOccurrence: isHeld(cancellationOf(meeting), occurrence)
    ? viewNamedDates(occurrence, statusOf(occurrence, meeting.cancelledAt))
    : null,
  timeZone: meeting.timeZone,
  timeZoneIana: currentTimeZoneName(meeting.timeZoneIana),
})
