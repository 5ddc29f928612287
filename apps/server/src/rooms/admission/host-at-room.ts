import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { decisionOf } from '@parley/rules/rooms/kept-admission'
import type { Database } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { RoomReads } from '../room-reads.ts'
import type { RoomsService } from '../rooms-service.ts'
import { findOwnAdmission } from './admission-store.ts'
import { seriesForEntry } from './entry-view.ts'
import { findMeetingForEntry } from './find-meeting-for-entry.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'
import { personOf, type Sender } from './person.ts'
import { visitorRoleIn } from './visitor-role.ts'

export type RoomHost = {
  row: MeetingForEntry
  role: 'host' | 'cohost'
  /** The host's own admission; undefined if the host has never asked to enter. */
  admissionId: string | undefined
}

/**
 * Require that the caller may control the room of a meeting: the host and cohosts by their account, whether or not they
 * are inside, and people who entered with the room key or were made cohosts inside, while that admission holds. A
 * cohost who was removed may not. For people unrelated to the meeting it does not exist. Streams pass batched `reads`.
 * @throws meeting_not_found, host_required
 */
export async function hostAtRoom(
  { clock, guestCookie }: Pick<RoomsService, 'clock' | 'guestCookie'>,
  { caller, request, database }: Sender & { database: Database },
  svcMeetId: string,
  reads: Pick<RoomReads, 'findMeeting' | 'findOwnAdmission'> = {
    findMeeting: (code) => findMeetingForEntry(database, code, caller),
    findOwnAdmission: (meetingId, person) => findOwnAdmission(database, meetingId, person),
  },
): Promise<RoomHost> {
  const row = await reads.findMeeting(svcMeetId, caller)
  if (row === undefined) throw problem('meeting_not_found')
  const person = personOf(guestCookie, { caller, request })
  const own = person && (await reads.findOwnAdmission(row.id, person))
  const now = clock.now()
  const occurrence = occurrenceToEnter(seriesForEntry(row), now)
  const decision = decisionOf(own, { occurrence, endedAt: row.endedAt }, now)
  const granted = decision === 'admitted' ? (own?.grantedRole ?? null) : null
  const visitor = visitorRoleIn(row, caller, granted)
  const isDenied = decision === 'denied' && !visitor.owns
  if (visitor.role !== 'participant' && !isDenied) return { row, role: visitor.role, admissionId: own?.id }
  throw problem(own === undefined && !visitor.invited ? 'meeting_not_found' : 'host_required')
}
