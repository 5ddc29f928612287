import { unlockRoom } from '@parley/contract'
import type { RoomsService } from '../rooms-service.ts'
import { setRoomLock } from './set-room-lock.ts'

/** Unlock a room. */
export function serveUnlockRoom(service: RoomsService) {
  service.serve(unlockRoom, {
    handle: async (context) => {
      await setRoomLock(service, context, false)
      return { status: 'People may come in again.' }
    },
  })
}
