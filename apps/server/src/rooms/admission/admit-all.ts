import { admitAll } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { grantIdOf } from '../../access/caller.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { admitAllWaiting } from './admission-store.ts'
import { seriesForEntry } from './entry-view.ts'
import { hostAtRoom } from './host-at-room.ts'

/** Admit everyone who waits at this moment. */
export function serveAdmitAll(service: RoomsService) {
  const { serve, clock } = service
  serve(admitAll, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
      const now = clock.now()
      const occurrenceAt = occurrenceToEnter(seriesForEntry(row), now)?.originalStart ?? now
      return inTransaction(context.database, async (tx) => {
        const admitted = await admitAllWaiting(tx, row.id, { occurrenceAt, now })
        await recordParticipantEvents(tx, 'participant.admitted', admitted, grantIdOf(context.caller), now)
        if (admitted.length > 0) await publishAdmissionChange(tx, row.id, ...admitted)
        return { status: 'Everybody who waits may come in.' }
      })
    },
  })
}
