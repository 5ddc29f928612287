import { endRoom } from '@parley/contract'
import { grantIdOf } from '../../access/caller.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import { lockRoomRow } from '../attendance/attendance-record-store.ts'
import { endSessionNow } from '../attendance/room-history.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

/** End the meeting for everyone. Earlier admissions no longer hold; the next occurrence opens as usual. */
export function serveEndRoom(service: RoomsService) {
  service.serve(endRoom, {
    handle: async (context) => {
      const host = await hostAtRoom(service, context, context.params.svcMeetId)
      const meetingId = host.row.id
      await changeRoom(service, {
        host,
        context,
        async change(tx, now) {
          await lockRoomRow(tx, meetingId)
          await endSessionNow(tx, meetingId, grantIdOf(context.caller), now)
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
    },
  })
}
