import type { Tx } from '../../platform/database/database.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom, type HostRequest } from './change-room.ts'

/** Lock or unlock a room for one of its hosts, once: repeating it changes nothing. */
export async function setRoomLock(service: RoomsService, context: HostRequest, locks: boolean): Promise<void> {
  const host = await hostAtRoom(service, context, context.params.svcMeetId)
  const meetingId = host.row.id
  await changeRoom(service, {
    host,
    context,
    async change(tx, now) {
      const isChanged = locks ? await lock(tx, meetingId, now) : await unlock(tx, meetingId)
      if (!isChanged) return undefined
      await publishRoomChange(tx, meetingId)
      return { action: locks ? 'room.locked' : 'room.unlocked' }
    },
  })
}

async function lock(tx: Tx, meetingId: string, lockedAt: Date): Promise<boolean> {
  const locked = await tx
    .insertInto('room')
    .values({ meetingId, lockedAt })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet({ lockedAt }).where('room.lockedAt', 'is', null))
    .returning('meetingId')
    .executeTakeFirst()
  return locked !== undefined
}

async function unlock(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('room')
    .set({ lockedAt: null })
    .where('meetingId', '=', meetingId)
    .where('lockedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
