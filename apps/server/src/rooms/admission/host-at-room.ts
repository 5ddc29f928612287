import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { decisionOf } from '@parley/rules/rooms/kept-admission'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
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
  const tie = visitorRoleIn(row, caller, granted)
  const isTurnedAway = decision === 'denied' && !tie.owns
  if (tie.role !== 'participant' && !isTurnedAway) return { row, role: tie.role, admissionId: own?.id }
  throw problem(own === undefined && !tie.invited ? 'meeting_not_found' : 'host_required')
}
