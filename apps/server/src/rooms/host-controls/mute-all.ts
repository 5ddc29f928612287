import { muteAll } from '@parley/contract'
import { findPermittedParticipants } from '../admission/find-permitted-participants.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import type { RoomsService } from '../rooms-service.ts'

/** Small enough to leave the engine time for media, large enough to mute a room of a thousand within a second. */
const batchSize = 20

/** Mute all microphones except those of the host and cohosts. Muted participants may unmute themselves. */
export function serveMuteAll(service: RoomsService) {
  const { serve, clock, control } = service
  serve(muteAll, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
      // Without an engine there is nothing to mute.
      const inside = (await control?.listParticipants(row.id)) ?? []
      const ids = inside.map(({ identity }) => identity)
      const people = await findPermittedParticipants(
        { ...service, database: context.database },
        row.id,
        ids,
        clock.now(),
      )
      const participants = ids.filter((id) => people?.get(id)?.role === 'participant')
      for (let start = 0; start < participants.length; start += batchSize) {
        const batch = participants.slice(start, start + batchSize)
        await Promise.all(
          batch.map((admissionId) => control?.stopSource({ meetingId: row.id, admissionId }, 'microphone')),
        )
      }
      return { status: 'Everybody but the hosts is muted.' }
    },
  })
}
