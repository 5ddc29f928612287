import { muteAll } from '@parley/contract'
import { findPermittedParticipants } from '../admission/find-permitted-participants.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import type { RoomsService } from '../rooms-service.ts'

/** So many at a time: a room of a thousand is quiet within a second, and the engine has other things to do. */
const mutedAtOnce = 20

/** Switches off every microphone but those of the host and cohosts. Who is muted may switch it on again. */
export function serveMuteAll(service: RoomsService) {
  const { serve, clock, control } = service
  serve(muteAll, async (context) => {
    const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
    // Where nothing is heard, everybody is muted.
    const inside = (await control?.listParticipants(row.id)) ?? []
    const ids = inside.map(({ identity }) => identity)
    const people = await findPermittedParticipants({ ...service, database: context.database }, row.id, ids, clock.now())
    const participants = ids.filter((id) => people?.get(id)?.role === 'participant')
    for (let at = 0; at < participants.length; at += mutedAtOnce) {
      const some = participants.slice(at, at + mutedAtOnce)
      await Promise.all(
        some.map((admissionId) => control?.stopSource({ meetingId: row.id, admissionId }, 'microphone')),
      )
    }
    return { status: 'Everybody but the hosts is muted.' }
  })
}
