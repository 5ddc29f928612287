import { lockRoom } from '@parley/contract'
import type { RoomsService } from '../rooms-service.ts'
import { setRoomLock } from './set-room-lock.ts'

/** Lock a room. People inside a locked room stay and may reconnect; no one else may enter. */
export function serveLockRoom(service: RoomsService) {
  service.serve(lockRoom, {
    handle: async (context) => {
      await setRoomLock(service, context, true)
      return { status: 'Nobody else comes in.' }
    },
  })
}
