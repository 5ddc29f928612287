import { lockRoom, unlockRoom } from '@parley/contract'
import type { Database } from '../../tables/tables.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import type { Sender } from '../admission/person.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

/** Lock or unlock a room. People inside a locked room stay and may reconnect; no one else may enter. */
export function serveLockRoom(service: RoomsService) {
  service.serve(lockRoom, {
    handle: async (context) => {
      await setLock(service, context, true)
      return { status: 'Nobody else comes in.' }
    },
  })
  service.serve(unlockRoom, {
    handle: async (context) => {
      await setLock(service, context, false)
      return { status: 'People may come in again.' }
    },
  })
}

type HostRequest = Sender & { database: Database; params: { svcMeetId: string }; request: { address: string } }

async function setLock(service: RoomsService, context: HostRequest, locks: boolean) {
  const host = await hostAtRoom(service, context, context.params.svcMeetId)
  const meetingId = host.row.id
  await changeRoom(service, {
    host,
    context,
    async change(tx, now) {
      const lockedAt = locks ? now : null
      const changed = await tx
        .insertInto('room')
        .values({ meetingId, lockedAt })
        .onConflict((conflict) =>
          conflict
            .column('meetingId')
            .doUpdateSet({ lockedAt })
            .where('room.lockedAt', locks ? 'is' : 'is not', null),
        )
        .returning('meetingId')
        .executeTakeFirst()
      if (changed === undefined) return undefined
      await publishRoomChange(tx, meetingId)
      return { action: locks ? 'room.locked' : 'room.unlocked' }
    },
  })
}
