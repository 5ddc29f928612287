import type { Database } from '../../platform/database/database.ts'
import { findPermittedParticipants, type PermittedParticipant } from '../admission/permitted-participants.ts'
import type { ReceivedDependencies } from '../dependencies.ts'
import { hasRights, type MediaControl, type ParticipantInfo } from './media-control.ts'

/** Small enough to leave the engine time for media, large enough for a room of a thousand within a second. */
const batchSize = 20

/** Give a participant the rights and the name of their admission, where the engine knows others. */
export async function correctRights(
  control: MediaControl,
  meetingId: string,
  participant: ParticipantInfo,
  { id: admissionId, name, role, allowed, breakoutRoom, accountId }: PermittedParticipant,
): Promise<void> {
  const rights = { role, allowed, breakoutRoom, guest: accountId === null }
  if (!hasRights(participant, rights)) await control.setRights({ meetingId, admissionId, ...rights })
  if (name !== '' && participant.name !== name) await control.setName({ meetingId, admissionId }, name)
}

/** Give everyone inside the rights and the breakout rooms that they have now, after a decision for several. */
export async function correctRightsOfAll(
  { database, config }: Pick<ReceivedDependencies, 'config'> & { database: Database },
  control: MediaControl,
  meetingId: string,
  now: Date,
): Promise<void> {
  const inside = await control.listParticipants(meetingId)
  const ids = inside.map(({ identity }) => identity)
  const permitted = await findPermittedParticipants({ database, config }, meetingId, ids, now)
  for (let start = 0; start < inside.length; start += batchSize) {
    await Promise.all(
      inside.slice(start, start + batchSize).map((participant) => {
        const admission = permitted?.get(participant.identity)
        return admission && correctRights(control, meetingId, participant, admission)
      }),
    )
  }
}
