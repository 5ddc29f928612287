import { endRoom } from '@parley/contract'
import { hostAtRoom } from '../admission/host-at-room.ts'
import { lockRoomOf } from '../attendance/attendance-record-store.ts'
import { endEverything } from '../attendance/room-history.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

/** Everybody is out, and whoever was let in before has to be let in again (rooms.md 1). The next occurrence opens as ever. */
export function serveEndRoom(service: RoomsService) {
  service.serve(endRoom, async (context) => {
    const host = await hostAtRoom(service, context, context.params.svcMeetId)
    const meetingId = host.row.id
    await changeRoom(service, {
      host,
      context,
      async change(tx, now) {
        await lockRoomOf(tx, meetingId)
        await endEverything(tx, meetingId, now)
        await tx
          .updateTable('room')
          .set({ endedAt: now, lockedAt: null, asksNewGuestsSince: null, asksNewGuestsFor: null })
          .where('meetingId', '=', meetingId)
          .execute()
        await publishRoomChange(tx, meetingId)
        return { action: 'room.ended' }
      },
      follow: (control) => control.closeRoom(meetingId),
    })
    return { status: 'The meeting has ended for everybody.' }
  })
}
