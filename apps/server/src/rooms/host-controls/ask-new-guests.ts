import { askNewGuests } from '@parley/contract'
import type { RoomsService } from '../rooms-service.ts'
import { setAskingNewGuests } from './set-asking-new-guests.ts'

/** Let new guests of this occurrence wait for admission. People who were inside stay. */
export function serveAskNewGuests(service: RoomsService) {
  service.serve(askNewGuests, {
    handle: async (context) => {
      await setAskingNewGuests(service, context, true)
      return { status: 'New guests wait until a host admits them.' }
    },
  })
}
