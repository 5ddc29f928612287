import { lockRoom, unlockRoom } from '@parley/contract'
import { hostAtRoom } from '../admission/host-at-room.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

/** Whoever is inside stays, and comes back when their connection breaks; everybody else stays outside. */
export function serveLockRoom(service: RoomsService) {
  service.serve(lockRoom, async (context) => {
    await setLock(service, context, true)
    return { status: 'Nobody else comes in.' }
  })
  service.serve(unlockRoom, async (context) => {
    await setLock(service, context, false)
    return { status: 'People may come in again.' }
  })
}

type Asked = Parameters<typeof hostAtRoom>[1] & { params: { svcMeetId: string }; request: { address: string } }

async function setLock(service: RoomsService, context: Asked, locks: boolean) {
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
