import { MuteTrackRequest, type ParticipantPermission, TrackUnpublishedResponse } from '@livekit/protocol'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { mayPublish } from '../room/permission.ts'
import { resubscribe } from '../room/wanted-tracks.ts'

/** Mute or unmute a track; `remotely` unless the participant does it. False if there is no such track. */
export function muteTrack(
  room: MediaRoom,
  participant: Participant,
  { sid, muted }: { sid: string; muted: boolean },
  remotely: boolean,
): boolean {
  const info = participant.publishing.infoOf(sid)
  if (info === undefined) return false
  if (remotely) participant.send({ case: 'mute', value: new MuteTrackRequest({ sid, muted }) })
  if (info.muted === muted) return true
  info.muted = muted
  // Packets after a pause do not continue the frames before it.
  for (const subscription of participant.publishing.get(sid)?.subscriptions ?? []) subscription.interrupt()
  room.broadcastState(participant)
  return true
}

/** Apply new permissions at once, including to tracks that are already published or subscribed to. */
export function permit(room: MediaRoom, participant: Participant, permission: ParticipantPermission): void {
  participant.profile = { ...participant.profile, permission }
  for (const { sid } of participant.publishing.forbidden((source) => mayPublish(permission, source))) {
    const publication = participant.publishing.remove(sid)
    participant.send({ case: 'trackUnpublished', value: new TrackUnpublishedResponse({ trackSid: sid }) })
    if (publication !== undefined) room.unpublish(participant, publication)
  }
  participant.incoming.setPublications(participant.publishing.all, new Map())
  resubscribe(room, participant)
}
