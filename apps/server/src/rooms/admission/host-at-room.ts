import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { decisionOf } from '@parley/rules/rooms/kept-admission'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import type { RoomReads } from '../room-reads.ts'
import type { RoomsService } from '../rooms-service.ts'
import { findOwnAdmission } from './admission-store.ts'
import type { DoorRow } from './door-row.ts'
import { findDoorOf } from './door-store.ts'
import { seriesAtDoor } from './door-view.ts'
import { personOf, type Sender } from './person.ts'
import { tieAtDoor } from './tie-at-door.ts'

export type RoomHost = {
  row: DoorRow
  role: 'host' | 'cohost'
  /** Their own; undefined for somebody who has never asked to enter. */
  admissionId: string | undefined
}

/**
 * Whoever may control the room of a meeting: the host and cohosts by their account, whether or not they are inside, and
 * whoever was admitted by the host's key or made a cohost inside, for as long as that admission holds. A cohost who was
 * removed is none. To people who have nothing to do with the meeting it reads as absent. Streams bring `reads` of their own.
 * @throws meeting_not_found, host_required
 */
export async function hostAtRoom(
  { clock, guestCookie }: Pick<RoomsService, 'clock' | 'guestCookie'>,
  { caller, request, database }: Sender & { database: Database },
  svcMeetId: string,
  reads: Pick<RoomReads, 'findDoor' | 'findOwnAdmission'> = {
    findDoor: (code) => findDoorOf(database, code, caller),
    findOwnAdmission: (meetingId, person) => findOwnAdmission(database, meetingId, person),
  },
): Promise<RoomHost> {
  const row = await reads.findDoor(svcMeetId, caller)
  if (row === undefined) throw problem('meeting_not_found')
  const person = personOf(guestCookie, { caller, request })
  const own = person && (await reads.findOwnAdmission(row.id, person))
  const now = clock.now()
  const occurrence = occurrenceToEnter(seriesAtDoor(row), now)
  const decision = decisionOf(own, { occurrence, endedAt: row.endedAt }, now)
  const granted = decision === 'admitted' ? (own?.grantedRole ?? null) : null
  const tie = tieAtDoor(row, caller, granted)
  const isTurnedAway = decision === 'denied' && !tie.owns
  if (tie.role !== 'participant' && !isTurnedAway) return { row, role: tie.role, admissionId: own?.id }
  throw problem(own === undefined && !tie.invited ? 'meeting_not_found' : 'host_required')
}
