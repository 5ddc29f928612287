import type { AuditAction } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { decisionOf } from '@parley/rules/rooms/kept-admission'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { queueReconcileRoom } from '../meetings/reconcile-room-job.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findOwnAdmission } from './admission/admission-store.ts'
import { findMeetingForEntry, type MeetingForEntry, seriesForEntry } from './admission/meeting-for-entry.ts'
import { personOf, type Sender, visitorRoleIn } from './admission/visitor.ts'
import type { RoomsService } from './dependencies.ts'
import type { MediaControl } from './engine/media-control.ts'
import type { RoomReads } from './room-reads.ts'

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

/** A change by a host, for the audit log of the meeting's organisation. */
type AuditedChange = {
  action: AuditAction
  /** The account that the change concerns; absent for a guest and for the room as a whole. */
  subjectId?: string | null
  detail?: object
}

/** A request of a host about a room as a whole. */
export type HostRequest = Sender & { database: Database; params: { svcMeetId: string }; request: { address: string } }

type RoomChange = {
  host: RoomHost
  context: { caller: Caller | undefined; database: Database; request: { address: string } }
  /** Change the rows and return what was done; undefined when nothing changed. */
  change(tx: Tx, now: Date): Promise<AuditedChange | undefined>
  /** Apply the change to the media engine. When it fails, or this process ends before, a job reconciles the room. */
  follow?(control: MediaControl): Promise<void>
}

/**
 * Change a room for its host, with an audit entry in the same transaction; the media engine follows after the commit.
 */
export async function changeRoom(service: RoomsService, { host, context, change, follow }: RoomChange): Promise<void> {
  const { clock, random, control } = service
  const { row } = host
  const isChanged = await inTransaction(context.database, async (tx) => {
    const now = clock.now()
    const done = await change(tx, now)
    if (done === undefined) return false
    await audit(tx, random, now, {
      tenantId: row.host.tenantId,
      actorId: context.caller?.accountId ?? null,
      subjectId: done.subjectId ?? null,
      action: done.action,
      detail: { meetingId: row.id, ...done.detail },
      address: context.request.address,
    })
    if (follow) await queueReconcileRoom(tx, row.id)
    return true
  })
  if (isChanged && control) await follow?.(control).catch(() => {})
}
