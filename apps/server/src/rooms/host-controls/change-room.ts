import type { AuditAction } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import type { RoomHost } from '../admission/host-at-room.ts'
import type { MediaControl } from '../media-control.ts'
import type { RoomsService } from '../rooms-service.ts'

/** What a host did, for the log of the organisation whose meeting it is. */
export type RoomChange = {
  action: AuditAction
  /** The account it was done to; absent for a guest, and for the room as a whole. */
  subjectId?: string | null
  detail?: object
}

export type RoomChange = {
  host: RoomHost
  ask: { caller: Caller | undefined; database: Database; request: { address: string } }
  /** Changes the rows, and tells what was done; undefined when it was so already. */
  change(tx: Tx, now: Date): Promise<RoomChange | undefined>
  /** Has the engine follow at once. When it fails, and when this process dies before it, a job does. */
  follow?(control: MediaControl): Promise<void>
}

/** What a host changes holds from the commit on, with its line in the log; the engine follows, now or as soon as it can. */
export async function changeRoom(service: RoomsService, { host, ask, change, follow }: RoomChange): Promise<void> {
  const { clock, random, control } = service
  const { row } = host
  const done = await inTransaction(ask.database, async (tx) => {
    const now = clock.now()
    const deed = await change(tx, now)
    if (deed === undefined) return false
    await audit(tx, random, now, {
      ...{ tenantId: row.host.tenantId, actorId: ask.caller?.accountId ?? null, subjectId: deed.subjectId ?? null },
      ...{ action: deed.action, detail: { meetingId: row.id, ...deed.detail }, address: ask.request.address },
    })
    if (follow) await queueReconcileRoom(tx, row.id)
    return true
  })
  if (done && control) await follow?.(control).catch(() => {})
}
