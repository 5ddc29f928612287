import type { AdvancedOptions } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { StoredBrand } from '../../../migrations/column-values.ts'
import type { WrittenExceptions } from '../../meetings/exception-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'

/** Codes of meetings begin with 1 to 8 (docs/meetings.md, "Who sees what"). */
export const isCodeOfOwnRoom = (code: string) => code.startsWith('9')

/** The account that hosts a meeting or owns a room. */
export type RoomHostAccount = { id: string; tenantId: string; brand: StoredBrand; name: string; lname: string }

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

const meetingColumns: MeetingColumns = {
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

/** The columns of the room of a meeting or of an own room. */
export const roomTypes = pick(
  tables.room,
  'lockedAt',
  'endedAt',
  'asksNewGuestsSince',
  'asksNewGuestsFor',
  'rights',
  'rightsFor',
  'spotlight',
  'callEndsAt',
  'breakout',
)

/** The columns of `roomTypes`, from the table's alias `r`. */
export const roomColumns = sql`r.locked_at, r.ended_at, r.asks_new_guests_since, r.asks_new_guests_for,
  coalesce(r.rights, '{}') as rights, r.rights_for, coalesce(r.spotlight, '[]') as spotlight, r.call_ends_at,
  r.breakout`

const ownRoomTypes = {
  id: 'uuid',
  sealedSecrets: 'bytea',
  cancelledAt: 'timestamptz?',
  host: typed<RoomHostAccount>('json'),
  ...roomTypes,
} as const

/** `RoomHostAccount` as JSON, from the alias `h` of the account. */
export const hostJson = sql`json_build_object('id', h.id, 'tenantId', h.tenant_id,
     'brand', (select t.brand from tenant t where t.id = h.tenant_id), 'name', h.name, 'lname', h.lname)`

const ownRoomColumns = sql`h.room_id as id, h.sealed_secrets,
     h.disabled_at as cancelled_at,
     ${hostJson} as host,
     ${roomColumns}`
const ownRoomTables = sql`account h left join room r on r.meeting_id = h.room_id`

/** An own room in the shape of a meeting. */
type OwnRoom = MeetingColumns & RowOf<typeof ownRoomTypes>

const findManyStatement = defineStatement({
  name: 'find-own-rooms',
  parameters: { codes: 'text[]' },
  columns: { code: 'text', ...ownRoomTypes },
  text: (p) => sql`select h.room_code as code, ${ownRoomColumns} from ${ownRoomTables}
    where h.room_code = any(${p.codes}) and h.disabled_at is null`,
})

/** Find the own rooms of these permanent codes. The room of a disabled account is not found. */
export async function findOwnRooms(database: Database, codes: readonly string[]): Promise<Map<string, OwnRoom>> {
  const rows = await findManyStatement.execute(database, { codes })
  return new Map(rows.map(({ code, ...row }) => [code, { ...meetingColumns, ...row }]))
}

const findByIdStatement = defineStatement({
  name: 'find-own-room-by-id',
  parameters: { roomId: 'uuid' },
  columns: ownRoomTypes,
  text: (p) => sql`select ${ownRoomColumns} from ${ownRoomTables} where h.room_id = ${p.roomId}`,
})

/**
 * Find an own room by its id. The room of a disabled account is found as cancelled, so that people inside are
 * disconnected.
 */
export async function findOwnRoomById(database: Database, roomId: string): Promise<OwnRoom | undefined> {
  const [row] = await findByIdStatement.execute(database, { roomId })
  return row && { ...meetingColumns, ...row }
}
