import { stopAskingNewGuests } from '@parley/contract'
import type { RoomsService } from '../rooms-service.ts'
import { setAskingNewGuests } from './set-asking-new-guests.ts'

/** Let new guests enter directly again; those who wait only for that are admitted. */
export function serveStopAskingNewGuests(service: RoomsService) {
  service.serve(stopAskingNewGuests, {
    handle: async (context) => {
      await setAskingNewGuests(service, context, false)
      return { status: 'New guests come in directly again.' }
    },
  })
}
