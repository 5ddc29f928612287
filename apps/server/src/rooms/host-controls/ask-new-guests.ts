import { askNewGuests, stopAskingNewGuests } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import type { Database } from '../../tables/tables.ts'
import { seriesForEntry } from '../admission/entry-view.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import type { Sender } from '../admission/person.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom } from './change-room.ts'

/** Let new guests of this occurrence wait for admission, or enter directly again. People who were inside stay. */
export function serveAskNewGuests(service: RoomsService) {
  service.serve(askNewGuests, {
    handle: async (request) => {
      await setAsking(service, request, true)
      return { status: 'New guests wait until a host admits them.' }
    },
  })
  service.serve(stopAskingNewGuests, {
    handle: async (request) => {
      await setAsking(service, request, false)
      return { status: 'New guests come in directly again.' }
    },
  })
}

type HostRequest = Sender & { database: Database; params: { svcMeetId: string }; request: { address: string } }

async function setAsking(service: RoomsService, request: HostRequest, asks: boolean): Promise<void> {
  const host = await hostAtRoom(service, request, request.params.svcMeetId)
  const meetingId = host.row.id
  await changeRoom(service, {
    host,
    context: request,
    async change(tx, now) {
      const date = occurrenceToEnter(seriesForEntry(host.row), now)?.startsAt
      const values = asks
        ? { asksNewGuestsSince: now, asksNewGuestsFor: date ?? now }
        : { asksNewGuestsSince: null, asksNewGuestsFor: null }
      const changed = await tx
        .insertInto('room')
        .values({ meetingId, ...values })
        .onConflict((conflict) =>
          conflict
            .column('meetingId')
            .doUpdateSet(values)
            .where('room.asksNewGuestsFor', 'is distinct from', values.asksNewGuestsFor),
        )
        .returning('meetingId')
        .executeTakeFirst()
      if (changed === undefined) return undefined
      await publishRoomChange(tx, meetingId)
      return { action: asks ? 'room.new-guests-asked' : 'room.new-guests-not-asked' }
    },
  })
}
