import type { AuditAction } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import type { RoomHost } from '../admission/host-at-room.ts'
import type { Sender } from '../admission/person.ts'
import type { MediaControl } from '../media-control.ts'
import type { RoomsService } from '../rooms-service.ts'

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
