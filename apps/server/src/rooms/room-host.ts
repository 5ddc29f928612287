import type { AuditAction } from '@parley/contract'
import { decisionOf } from '@parley/rules/rooms/stored-admission'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { queueReconcileRoom } from '../meetings/reconcile-room-job.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findOwnAdmission } from './admission/admission-store.ts'
import { findMeetingForEntry, type MeetingForEntry, occurrenceNow } from './admission/meeting-for-entry.ts'
import { personOf, type Sender, visitorRoleIn } from './admission/visitor.ts'
import type { Dependencies } from './dependencies.ts'
import type { MediaControl } from './engine/media-control.ts'
import type { RoomReads } from './room-reads.ts'

export type RoomHost = {
  meeting: MeetingForEntry
  role: 'host' | 'cohost'
  /** By the account, not by a role that was given in the room. */
  owns: boolean
  /** The host's own admission; undefined if the host has never asked to enter. */
  admissionId: string | undefined
}

/**
 * Require that the caller may control the room of a meeting: the host and cohosts by their account, whether or not they
 * are inside, and people who entered with the host key or were made cohosts inside, while that admission holds. A
 * cohost who was removed may not. People unrelated to the meeting do not learn that it exists. Streams pass batched
 * `reads`.
 * @throws meeting_not_found, host_required
 */
export async function requireRoomHost(
  { clock, guestCookie }: Pick<Dependencies, 'clock' | 'guestCookie'>,
  { caller, request, database }: Sender & { database: Database },
  svcMeetId: string,
  reads: Pick<RoomReads, 'findMeeting' | 'findOwnAdmission'> = {
    findMeeting: (code) => findMeetingForEntry(database, code, caller),
    findOwnAdmission: (meetingId, person) => findOwnAdmission(database, meetingId, person),
  },
): Promise<RoomHost> {
  const meeting = await reads.findMeeting(svcMeetId, caller)
  if (meeting === undefined) throw problem('meeting_not_found')
  const person = personOf(guestCookie, { caller, request })
  const admission = person && (await reads.findOwnAdmission(meeting.id, person))
  const now = clock.now()
  const occurrence = occurrenceNow(meeting, now)
  const decision = decisionOf(admission, { occurrence, endedAt: meeting.endedAt }, now)
  const grantedRole = decision === 'admitted' ? (admission?.grantedRole ?? null) : null
  const { role, owns, invited } = visitorRoleIn(meeting, caller, grantedRole)
  const isDenied = decision === 'denied' && !owns
  if (role !== 'participant' && !isDenied) return { meeting, role, owns, admissionId: admission?.id }
  throw problem(admission === undefined && !invited ? 'meeting_not_found' : 'host_required')
}

/** A change by a host, for the audit log of the meeting's organisation. */
export type AuditedChange = {
  action: AuditAction
  /** The account that the change concerns; absent for a guest and for the room as a whole. */
  subjectId?: string | null
  detail?: object
}

type RoomChange = {
  host: RoomHost
  context: { caller: Caller | undefined; database: Database; request: { address: string } }
  /** Change the rows and return what was done; nothing when the rows were like that before. */
  change(tx: Tx, now: Date): Promise<readonly AuditedChange[]>
  /** Apply the change to the media engine. When it fails, or this process ends before, a job reconciles the room. */
  follow?(control: MediaControl): Promise<void>
}

/**
 * Change a room for its host, with audit entries in the same transaction; the media engine follows after the commit.
 */
export async function changeRoom(
  { clock, random, control }: Pick<Dependencies, 'clock' | 'random' | 'control'>,
  { host: { meeting }, context, change, follow }: RoomChange,
): Promise<void> {
  const isChanged = await inTransaction(context.database, async (tx) => {
    const now = clock.now()
    const changes = await change(tx, now)
    for (const { action, subjectId = null, detail } of changes) {
      await audit(tx, random, now, {
        tenantId: meeting.host.tenantId,
        actorId: context.caller?.accountId ?? null,
        subjectId,
        action,
        detail: { meetingId: meeting.id, ...detail },
        address: context.request.address,
      })
    }
    if (follow && changes.length > 0) await queueReconcileRoom(tx, meeting.id)
    return changes.length > 0
  })
  if (isChanged && control) await follow?.(control).catch(() => {})
}
