import type { AdvancedOptions } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { WrittenExceptions } from '../../meetings/exception-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'

/** Codes of meetings begin with 1 to 8 (docs/api-conventions.md, "Meetings"). */
export const isCodeOfOwnRoom = (code: string) => code.startsWith('9')

/** Visitors cannot enter before the owner, who admits each of them. */
const options: AdvancedOptions = {
  joinBeforeHost: false,
  waitingRoom: true,
  loggedInOnly: false,
  isRestrictedMeeting: false,
  colleagueOnly: false,
  hostVideo: true,
  hostAudio: true,
  participantVideo: true,
  participantAudio: true,
  participantHardAudioMute: false,
}

/** What an own room has in place of a meeting's columns. */
type MeetingColumns = {
  kind: 'own_room'
  topic: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: null
  exceptions: WrittenExceptions
  options: AdvancedOptions
  invited: null
  cohost: null
}

type OwnRoom = MeetingColumns & OwnRoomColumns

const sharedColumns: MeetingColumns = {
  kind: 'own_room',
  topic: '',
  // An own room is always open. Fixed times do not reveal when its account was created.
  startsAt: new Date('2000-01-01T00:00:00Z'),
  endsAt: new Date('9999-12-31T00:00:00Z'),
  timeZone: 'UTC',
  timeZoneIana: 'UTC',
  rule: { repeat: 'none' },
  endsBy: null,
  exceptions: { cancelled: [], changed: [] },
  options,
  invited: null,
  cohost: null,
}

type OwnRoomColumns = RowOf<typeof ownRoomTypes>

const ownRoomTypes = {
  id: 'uuid',
  sealedSecrets: 'bytea',
  cancelledAt: 'timestamptz?',
  host: typed<{ id: string; tenantId: string; name: string; lname: string }>('json'),
  ...pick(tables.room, 'lockedAt', 'endedAt', 'asksNewGuestsSince', 'asksNewGuestsFor'),
} as const

const ownRoomColumns = sql`h.room_id as id, h.sealed_secrets,
     h.disabled_at as cancelled_at,
     json_build_object('id', h.id, 'tenantId', h.tenant_id, 'name', h.name, 'lname', h.lname) as host,
     r.locked_at, r.ended_at,
     r.asks_new_guests_since, r.asks_new_guests_for`
const ownRoomTables = sql`account h left join room r on r.meeting_id = h.room_id`

const findStatement = defineStatement({
  name: 'find-own-room',
  parameters: { code: 'text' },
  columns: ownRoomTypes,
  text: (p) =>
    sql`select ${ownRoomColumns} from ${ownRoomTables} where h.room_code = ${p.code} and h.disabled_at is null`,
})
const findByIdStatement = defineStatement({
  name: 'find-own-room-by-id',
  parameters: { roomId: 'uuid' },
  columns: ownRoomTypes,
  text: (p) => sql`select ${ownRoomColumns} from ${ownRoomTables} where h.room_id = ${p.roomId}`,
})

/** Find an account's own room by its permanent code. The room of a disabled account is not found. */
export const findOwnRoom = async (database: Database, code: string): Promise<OwnRoom | undefined> =>
  toOwnRoom(await findStatement.execute(database, { code }))

const findManyStatement = defineStatement({
  name: 'find-own-rooms',
  parameters: { codes: 'text[]' },
  columns: { code: 'text', ...ownRoomTypes },
  text: (p) => sql`select h.room_code as code, ${ownRoomColumns} from ${ownRoomTables}
    where h.room_code = any(${p.codes}) and h.disabled_at is null`,
})

/** `findOwnRoom` for many codes; results by code. */
export async function findOwnRooms(database: Database, codes: readonly string[]): Promise<Map<string, OwnRoom>> {
  const rows = await findManyStatement.execute(database, { codes })
  return new Map(rows.map(({ code, ...row }) => [code, { ...sharedColumns, ...row }]))
}

/**
 * Find an own room by its id. That of a disabled account is found as cancelled, so that people inside are disconnected.
 */
export const findOwnRoomById = async (database: Database, roomId: string): Promise<OwnRoom | undefined> =>
  toOwnRoom(await findByIdStatement.execute(database, { roomId }))

const toOwnRoom = ([found]: readonly OwnRoomColumns[]): OwnRoom | undefined => found && { ...sharedColumns, ...found }
